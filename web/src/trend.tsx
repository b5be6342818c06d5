import { formatCount, plural } from '../../src/text/format-number.ts';
import { formatRate } from '../../src/text/format-rate.ts';
import type { HtmlTrend } from '../../src/report/html/html-model.ts';

const STEP = 18;
const [TOP, BOTTOM, LEFT] = [12, 108, 44];
const HEIGHT = 120;
/** The least height of the scale, as a pass rate; less would make noise look like news. */
const LEAST_SPAN = 0.1;

/** Pass rates over earlier runs: drawn on a scale as high as they differ, and a table for those who read rather than look. */
export function Trend({ trend: { points, runs, flips } }: { readonly trend: HtmlTrend }) {
  const width = LEFT + Math.max(1, points.length) * STEP;
  const [low, high] = scaleOf(points.flatMap(([, rate]) => rate ?? []));
  const x = (place: number): number => LEFT + (place + 0.5) * STEP;
  const y = (rate: number): number => BOTTOM - ((rate - low) / (high - low)) * (BOTTOM - TOP);
  return (
    <section class="card" aria-labelledby="trend-title">
      <h2 id="trend-title">Earlier runs</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Pass rates, drawn">
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true" class="trend">
          {[low, high].map((rate) => (
            <g key={rate}>
              <text x={LEFT - 6} y={y(rate) + 4} text-anchor="end">
                {formatRate(rate)}
              </text>
              <rect x={LEFT} y={y(rate)} width={width - LEFT} height="1" class="rate-all" />
            </g>
          ))}
          {points.map(([time, rate, , changed], place) => {
            const last = points[place - 1]?.[1] ?? null;
            const isNew = place > 0 && changed.length > 0;
            return (
              <g key={time}>
                {isNew && <rect x={x(place) - STEP / 2} y={TOP} width="1.5" height={BOTTOM - TOP} class="rate-bar" />}
                {rate !== null && last !== null && !isNew && (
                  <line x1={x(place - 1)} x2={x(place)} y1={y(last)} y2={y(rate)} class="trend-line" />
                )}
                {rate !== null && <circle cx={x(place)} cy={y(rate)} r="3.5" class="rate-point" />}
              </g>
            );
          })}
        </svg>
      </section>
      <p class="muted">
        {plural(runs, 'run')}, {plural(flips, 'flip')} of the verdict. An upright line stands where scenario, seed,
        sampler or passk changed: rates on its two sides compare only so far.
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

/** The ends of the scale, in tenths: what lies between them fills most of it. */
function scaleOf(rates: readonly number[]): readonly [low: number, high: number] {
  const high = Math.ceil(10 * Math.max(LEAST_SPAN, ...rates)) / 10;
  const low = Math.floor(10 * Math.min(high - LEAST_SPAN, ...rates) + 1e-9) / 10;
  return [low, high];
}
