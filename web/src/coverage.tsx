import { formatCount } from '../../src/report/format-number.ts';
import type { HtmlCoverage } from '../../src/report/html/html-model.ts';

const KINDS = [
  { key: 'observed', sign: '✓', title: 'Observed in passing trials' },
  { key: 'claimed', sign: '?', title: 'Tagged, but never seen' },
  { key: 'uncovered', sign: '·', title: 'Not covered' },
  { key: 'unknown', sign: '!', title: 'Tags outside the matrix' },
] as const;

/** The capability matrix: what was seen, what was only said, what is missing. */
export function Coverage({ coverage }: { readonly coverage: HtmlCoverage }) {
  return (
    <section class="card" aria-labelledby="coverage-title">
      <h2 id="coverage-title">
        Coverage{' '}
        <small class="muted">
          {formatCount(coverage.observed.length)} of {formatCount(coverage.total)} capabilities
        </small>
      </h2>
      <div class="coverage">
        {KINDS.filter(({ key }) => coverage[key].length > 0).map(({ key, sign, title }) => (
          <div key={key}>
            <h3>
              {title} ({formatCount(coverage[key].length)})
            </h3>
            <ul class={`chips ${key}`}>
              {coverage[key].map((name, place) => (
                <li key={place}>
                  <span aria-hidden="true">{sign} </span>
                  {name}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
