/** What is drawn over a number line, such as outcomes or hours. */
export interface LinePlotProps {
  /** What the plot shows, for those who cannot see it. */
  readonly label: string;
  readonly lines: readonly PlottedLine[];
  /** Between low and high at each place. */
  readonly band?: readonly (readonly [x: number, low: number, high: number])[];
  /** What values are held against. */
  readonly bars?: readonly { readonly y: number; readonly name: string }[];
  readonly x: string;
  readonly y: string;
  /** Least and greatest value of the axis. */
  readonly range: readonly [number, number];
  readonly format: (value: number) => string;
}

export interface PlottedLine {
  readonly name: string;
  readonly role: 'own' | 'good' | 'bad';
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 480;
const HEIGHT = 230;
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 466, 32, 184];

/** Lines, a band and bars, with numbers on both axes. */
export function LinePlot({ label, lines, band = [], bars = [], x: xName, y: yName, range, format }: LinePlotProps) {
  // Where everything lies at 0 the axis still has numbers that differ.
  const most = Math.max(0, ...lines.flatMap(({ points }) => points.map(([at]) => at)), ...band.map(([at]) => at)) || 1;
  const [low, high] = range;
  const x = (at: number): number => LEFT + (at / most) * (RIGHT - LEFT);
  const y = (value: number): number => {
    const share = (Math.min(high, Math.max(low, value)) - low) / Math.max(1e-9, high - low);
    return BOTTOM - share * (BOTTOM - TOP);
  };
  const way = (points: readonly (readonly [number, number])[]): string =>
    points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const edge = [
    ...band.map(([at, , top]) => [at, top] as const),
    ...band.map(([at, bottom]) => [at, bottom] as const).reverse(),
  ];
  return (
    <figure class="line-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <text x="4" y="14">
          {yName}
        </text>
        {ticksOf(low, high, 5).map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} class="rail" />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {format(value)}
            </text>
          </g>
        ))}
        {ticksOf(0, most, 5).map((at) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1={BOTTOM} y2={BOTTOM + 4} class="rail" />
            <text x={x(at)} y={BOTTOM + 18} text-anchor="middle">
              {at.toLocaleString('en')}
            </text>
          </g>
        ))}
        <text x={(LEFT + RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">
          {xName}
        </text>
        {edge.length > 0 && <polygon points={way(edge)} class="band" />}
        {lines.map(({ name, role, points }) => (
          <polyline key={name} points={way(points)} class={role} />
        ))}
        {bars.map(({ y: value, name }) => (
          <g key={name}>
            <line x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} class="bar" />
          </g>
        ))}
      </svg>
      <figcaption class="muted">
        {[
          ...lines.map(({ name, role }) => `${WORDS[role]}: ${name}`),
          ...(band.length > 0 ? ['shaded: its bounds'] : []),
          ...bars.map(({ name }) => `red line: ${name}`),
        ].join(' · ')}
      </figcaption>
    </figure>
  );
}

const WORDS = { own: 'drawn through', good: 'drawn through', bad: 'dashed' } as const;

/** Round numbers between two, about so many. */
function ticksOf(low: number, high: number, count: number): readonly number[] {
  const rough = Math.max(1e-12, (high - low) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(10)));
}
