import { formatCount } from '../../src/text/format-number.ts';
import type { HtmlCoverage } from '../../src/report/html/html-model.ts';

const KINDS = [
  { key: 'observed', sign: '✓', title: 'Observed in passing trials' },
  { key: 'claimed', sign: '?', title: 'Tagged, but never seen' },
  { key: 'uncovered', sign: '·', title: 'Not covered' },
  { key: 'unknown', sign: '!', title: 'Tags outside the matrix' },
] as const;

/** The capability matrix: what was seen, what was only said, and, folded away, what is missing. */
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
          <Capabilities key={key} kind={key} sign={sign} title={title} names={coverage[key]} />
        ))}
      </div>
    </section>
  );
}

interface CapabilitiesProps {
  readonly kind: (typeof KINDS)[number]['key'];
  readonly sign: string;
  readonly title: string;
  readonly names: readonly string[];
}

function Capabilities({ kind, sign, title, names }: CapabilitiesProps) {
  const heading = (
    <h3>
      {title} ({formatCount(names.length)})
    </h3>
  );
  const chips = (
    <ul class={`chips ${kind}`}>
      {names.map((name, place) => (
        <li key={place}>
          <span aria-hidden="true">{sign} </span>
          {name}
        </li>
      ))}
    </ul>
  );
  if (kind !== 'uncovered') {
    return (
      <div>
        {heading}
        {chips}
      </div>
    );
  }
  return (
    <details>
      <summary>{heading}</summary>
      {chips}
    </details>
  );
}
