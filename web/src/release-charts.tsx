import type { Chart, Gauge } from '../../src/report/sections/panel.ts';

const WIDTH = 240;

/** A value within its interval, and the most that it may be: what the words beside it say. */
export function GaugeView({ gauge: { value, low, high, bar } }: { readonly gauge: Gauge }) {
  const at = (share: number): number => 4 + share * (WIDTH - 8);
  return (
    <svg class="gauge" viewBox={`0 0 ${WIDTH} 24`} aria-hidden="true">
      <line x1={at(0)} x2={at(1)} y1="12" y2="12" class="rail" />
      <rect x={at(low)} y="8" width={Math.max(1, at(high) - at(low))} height="8" class="band" />
      <circle cx={at(value)} cy="12" r="4" class="value" />
      {bar !== null && <line x1={at(bar)} x2={at(bar)} y1="2" y2="22" class="bar" />}
    </svg>
  );
}

/** What the table below it says, drawn. */
export function ChartView({ chart }: { readonly chart: Chart }) {
  switch (chart.type) {
    case 'gauges':
      // Each stands in its row.
      return null;
    case 'waterfall':
      return <Waterfall steps={chart.steps} />;
    case 'curves':
      return <Curves lines={chart.lines} />;
  }
}

function Waterfall({ steps }: Pick<Extract<Chart, { type: 'waterfall' }>, 'steps'>) {
  const row = 18;
  const left = 132;
  const width = 480 - left;
  return (
    <svg class="waterfall" viewBox={`0 0 480 ${steps.length * row}`} aria-hidden="true">
      {steps.map(([name, from, to], place) => (
        <g key={place}>
          <text x={left - 8} y={place * row + row / 2 + 4} text-anchor="end">
            {name}
          </text>
          <rect
            x={left + from * width}
            y={place * row + 3}
            width={Math.max(1, (to - from) * width)}
            height={row - 6}
            class="value"
          />
        </g>
      ))}
    </svg>
  );
}

/** The first line is drawn through, others are dashed. */
function Curves({ lines }: Pick<Extract<Chart, { type: 'curves' }>, 'lines'>) {
  const most = lines.reduce((top, { points }) => points.reduce((max, [k]) => Math.max(max, k), top), 1);
  const x = (k: number): number => 8 + (Math.log2(k) / Math.max(1, Math.log2(most))) * 464;
  const y = (value: number): number => 8 + (1 - value) * 144;
  return (
    <figure class="curves">
      <svg viewBox="0 0 480 160" aria-hidden="true">
        <line x1="8" x2="472" y1={y(0)} y2={y(0)} class="rail" />
        <line x1="8" x2="472" y1={y(1)} y2={y(1)} class="rail" />
        {lines.map(({ points }, place) => (
          <g key={place} class={place === 0 ? 'own' : 'other'}>
            <polyline points={points.map(([k, value]) => `${x(k)},${y(value)}`).join(' ')} />
            {points.map(([k, value]) => (
              <circle key={k} cx={x(k)} cy={y(value)} r="3" />
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="muted">
        {lines.map(({ name }, place) => `${place === 0 ? 'drawn through' : 'dashed'}: ${name}`).join(' · ')}
      </figcaption>
    </figure>
  );
}
