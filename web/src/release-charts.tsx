import type { Chart, Gauge } from '../../src/report/sections/panel.ts';
import { ReliabilityView } from './reliability-chart.tsx';

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
      return <Curves chart={chart} />;
    case 'reliability':
      return <ReliabilityView chart={chart} />;
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

type CurvesChart = Extract<Chart, { type: 'curves' }>;

/** Where curves are drawn within 480 × 216, and without axes within 480 × 160. */
const WITH_AXES = { left: 68, right: 468, top: 40, bottom: 168, height: 216 };
const WITHOUT_AXES = { left: 8, right: 472, top: 8, bottom: 152, height: 160 };
/** Between two numbers on an axis. */
const LEAST_GAP = 72;

/** The first line is drawn through, others are dashed. */
function Curves({ chart: { lines, axes } }: { readonly chart: CurvesChart }) {
  const { left, right, top, bottom, height } = axes === undefined ? WITHOUT_AXES : WITH_AXES;
  const most = lines.reduce((max, { points }) => points.reduce((far, [k]) => Math.max(far, k), max), 1);
  const x = (k: number): number => left + (Math.log2(k) / Math.max(Number.EPSILON, Math.log2(most))) * (right - left);
  const y = (value: number): number => bottom - value * (bottom - top);
  return (
    <figure class="curves">
      <svg viewBox={`0 0 480 ${height}`} aria-hidden="true">
        <line x1={left} x2={right} y1={y(0)} y2={y(0)} class="rail" />
        <line x1={left} x2={right} y1={y(1)} y2={y(1)} class="rail" />
        {axes !== undefined && <Axes axes={axes} x={x} y={y} />}
        {lines.map(({ points }, place) => (
          <g key={place} class={place === 0 ? 'own' : 'other'}>
            <polyline points={points.map(([k, value]) => `${x(k)},${y(value)}`).join(' ')} />
            {(place === 0 || axes === undefined) &&
              points.map(([k, value]) => <circle key={k} cx={x(k)} cy={y(value)} r="3" />)}
          </g>
        ))}
      </svg>
      <figcaption class="muted">
        {lines.map(({ name }, place) => `${place === 0 ? 'drawn through' : 'dashed'}: ${name}`).join(' · ')}
        {axes?.mark != null && ` · marked: ${axes.mark.name}`}
      </figcaption>
    </figure>
  );
}

interface AxesProps {
  readonly axes: NonNullable<CurvesChart['axes']>;
  readonly x: (k: number) => number;
  readonly y: (value: number) => number;
}

function Axes({ axes, x, y }: AxesProps) {
  const { left, right, top, bottom } = WITH_AXES;
  const marked = axes.mark === null ? null : x(axes.mark.k);
  return (
    <g class="axes">
      <text x="4" y="14">
        {axes.y.name}
      </text>
      {axes.y.ticks.map(([at, label]) => (
        <text key={at} x={left - 8} y={y(at) + 4} text-anchor="end">
          {label}
        </text>
      ))}
      {apart(axes.x.ticks, x).map(([k, label]) => (
        <g key={k}>
          <line x1={x(k)} x2={x(k)} y1={bottom} y2={bottom + 4} class="rail" />
          <text x={x(k)} y={bottom + 18} text-anchor={x(k) > right - 24 ? 'end' : 'middle'}>
            {label}
          </text>
        </g>
      ))}
      <text x={(left + right) / 2} y={bottom + 38} text-anchor="middle">
        {axes.x.name}
      </text>
      {marked !== null && (
        <g class="mark">
          <line x1={marked} x2={marked} y1={top - 4} y2={bottom} />
          <text x={marked} y={top - 8} text-anchor={anchorAt(marked)}>
            {axes.mark?.name}
          </text>
        </g>
      )}
    </g>
  );
}

/** Texts at the sides stay inside. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < 120) return 'start';
  return x > 400 ? 'end' : 'middle';
}

/** The numbers that have room, the last one among them. */
function apart(ticks: AxesProps['axes']['x']['ticks'], x: (k: number) => number): AxesProps['axes']['x']['ticks'] {
  const last = ticks.at(-1);
  const shown: (readonly [number, string])[] = [];
  for (const tick of ticks.slice(0, -1)) {
    const before = shown.at(-1);
    const isFree = before === undefined || x(tick[0]) - x(before[0]) >= LEAST_GAP;
    if (isFree && last !== undefined && x(last[0]) - x(tick[0]) >= LEAST_GAP) shown.push(tick);
  }
  return last === undefined ? shown : [...shown, last];
}
