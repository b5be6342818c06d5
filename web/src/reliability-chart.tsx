import { plural } from '../../src/text/format-number.ts';
import type { Chart } from '../../src/report/sections/panel.ts';

type ReliabilityChart = Extract<Chart, { type: 'reliability' }>;

/** The square within 320 × 308 in which shares from 0 to 1 are drawn. */
const LEFT = 56;
const RIGHT = 304;
const TOP = 12;
const BOTTOM = 260;
const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;
const LEAST_RADIUS = 3;
const MOST_RADIUS = 9;

/** How far a judge can be believed: what people passed of items by how sure it was, against a line of one that is right. */
export function ReliabilityView({ chart: { name, marks } }: { readonly chart: ReliabilityChart }) {
  const x = (share: number): number => LEFT + share * (RIGHT - LEFT);
  const y = (share: number): number => BOTTOM - share * (BOTTOM - TOP);
  const most = Math.max(1, ...marks.map(({ items }) => items));
  const all = marks.reduce((sum, { items }) => sum + items, 0);
  return (
    <figure class="reliability">
      <svg viewBox="0 0 320 308" aria-hidden="true">
        {TICKS.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={RIGHT} y1={y(tick)} y2={y(tick)} class="rail" />
            <line x1={x(tick)} x2={x(tick)} y1={TOP} y2={BOTTOM} class="rail" />
            <text x={LEFT - 14} y={y(tick) + 4} text-anchor="end">
              {tick}
            </text>
            <text x={x(tick)} y={BOTTOM + 24} text-anchor="middle">
              {tick}
            </text>
          </g>
        ))}
        <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} class="right" />
        <polyline points={marks.map(({ confidence, share }) => `${x(confidence)},${y(share)}`).join(' ')} />
        {marks.map(({ confidence, share, low, high, items }) => (
          <g key={confidence} class="point">
            <line x1={x(confidence)} x2={x(confidence)} y1={y(low)} y2={y(high)} />
            <line x1={x(confidence) - 4} x2={x(confidence) + 4} y1={y(low)} y2={y(low)} />
            <line x1={x(confidence) - 4} x2={x(confidence) + 4} y1={y(high)} y2={y(high)} />
            <circle
              cx={x(confidence)}
              cy={y(share)}
              r={LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt(items / most)}
            />
          </g>
        ))}
        <text x={(LEFT + RIGHT) / 2} y={BOTTOM + 42} text-anchor="middle">
          how sure the judge was
        </text>
        <text x="14" y={(TOP + BOTTOM) / 2} text-anchor="middle" transform={`rotate(-90 14 ${(TOP + BOTTOM) / 2})`}>
          people passed
        </text>
      </svg>
      <figcaption class="muted">
        {name}: {plural(all, 'label')}. The larger a point, the more labels; dashed: a judge that is as right as it is
        sure.
      </figcaption>
    </figure>
  );
}
