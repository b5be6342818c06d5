import { formatCount, formatRate, plural } from '../../src/report/format-number.ts';
import type { HtmlTrend } from '../../src/report/html/html-model.ts';

const STEP = 14;
const HEIGHT = 48;

/** Pass rates over earlier runs: bars, and a table for those who read rather than look. */
export function Trend({ trend: { points, runs, flips } }: { readonly trend: HtmlTrend }) {
  const width = Math.max(1, points.length) * STEP;
  return (
    <section class="card" aria-labelledby="trend-title">
      <h2 id="trend-title">Earlier runs</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Pass rates as bars">
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true" class="trend">
          <rect x="0" y={HEIGHT - 1} width={width} height="1" class="rate-all" />
          {points.map(([time, rate, , changed], place) => (
            <g key={time}>
              {place > 0 && changed.length > 0 && (
                <rect x={place * STEP - 1} y="0" width="1.5" height={HEIGHT} class="rate-bar" />
              )}
              {rate !== null && (
                <rect
                  x={place * STEP + 2}
                  y={(1 - rate) * (HEIGHT - 3)}
                  width={STEP - 4}
                  height={Math.max(2, rate * (HEIGHT - 1))}
                  class="rate-point"
                />
              )}
            </g>
          ))}
        </svg>
      </section>
      <p class="muted">
        {plural(runs, 'run')}, {plural(flips, 'flip')} of the verdict. A line stands where scenario, seed, sampler or
        passk changed: rates on its two sides compare only so far.
      </p>
      <details>
        <summary>Earlier runs as a table</summary>
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Pass rate</th>
              <th scope="col">Trials</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {points.map(([time, rate, trials, changed]) => (
              <tr key={time}>
                <th scope="row">{time.slice(0, 16).replace('T', ' ')}</th>
                <td>{rate === null ? 'none' : formatRate(rate)}</td>
                <td class="number">{formatCount(trials)}</td>
                <td>{changed.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
