import type { LadderMeasure, LadderReport, LadderRungReport, TimedLadder } from '../../types/ladders/ladder.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { Chart, FigureRow, Panel } from './panel.ts';

const LONGEST_NAME = 80;

/** What the rungs of a ladder are, and what stands beside their measure. */
function wordsOf({ kind, measure }: Pick<LadderReport, 'kind' | 'measure'>): {
  readonly rung: string;
  readonly figure: string;
} {
  switch (kind) {
    case 'context':
      return { rung: 'characters', figure: 'local slope' };
    case 'concurrency':
      return { rung: 'at a time', figure: measure === 'real_ms' ? 'sessions a second' : 'runs a second' };
    case 'budget':
      return { rung: measure, figure: 'share spent' };
  }
}

const MEASURES: Readonly<Record<LadderMeasure, string>> = {
  tokens: 'tokens',
  steps: 'steps',
  calls: 'calls',
  virtual_ms: 'ms (virtual)',
  real_ms: 'ms',
};

/**
 * One ladder: its rungs, what grew with them, and where that begins to grow faster or comes to an end. `timed`: what the clock
 * said; []: the report is to be the same whenever it is made.
 */
export function ladderPanel(plain: LadderReport, timed: readonly TimedLadder[] = []): Panel {
  const report = withClock(plain, timed);
  const { ladder, kind, measure, rungs, failsAtFirst } = report;
  const words = wordsOf(report);
  const runaways = rungs.reduce((sum, one) => sum + one.runaways, 0);
  const warnings = [
    ...(failsAtFirst ? ['It fails at its first rung: nothing is known of what comes above.'] : []),
    ...(runaways > 0 ? [`${plural(runaways, 'trial')} ended by time, an error or the limit of steps alone.`] : []),
  ];
  const chart = chartOf(report);
  return {
    title: `Ladder of ${plainText(ladder, LONGEST_NAME)}`,
    isTitled: true,
    namesHead: true,
    mark: null,
    headline: [kind, plural(rungs.length, 'rung'), verdictText(report)],
    isTelling: true,
    isTrouble: warnings.length > 0,
    blocks: [
      {
        type: 'figures',
        corners: ['ladder', words.rung],
        headers: ['pass rate', MEASURES[measure], words.figure],
        rows: rungs.map((one) => rowOf(one, report)),
        ...(chart !== null && { chart }),
      },
      ...(warnings.length === 0 ? [] : [{ type: 'notes', tone: 'warning', sentences: warnings } as const]),
    ],
  };
}

/** The ladder with the times of its sessions, which stand apart from what is the same in every run. */
function withClock(report: LadderReport, timed: readonly TimedLadder[]): LadderReport {
  const found = timed.find(({ ladder, file }) => ladder === report.ladder && file === report.file);
  if (found === undefined) return report;
  const rungs = report.rungs.map((one): LadderRungReport => {
    const own = found.rungs.find(({ rung }) => rung === one.rung);
    return own === undefined ? one : { ...one, value: own.durationMs / own.sessions, figure: own.sessionsPerSecond };
  });
  return { ...report, rungs, threshold: found.plateau };
}

function verdictText(report: LadderReport): string {
  const { kind, measure, rungs, threshold, failsAtFirst } = report;
  if (failsAtFirst) return 'fails at its first rung';
  const held = rungs.filter(({ passRate }) => passRate === 1).length;
  // Nothing grows from 0.
  const measured = rungs.filter(({ value }) => value !== null && value > 0).length;
  if (kind === 'budget' && (measured > 0 || held > 0))
    return `${formatCount(held)} of ${plural(rungs.length, 'budget')} held`;
  if (measure === 'real_ms' && measured === 0) return 'times are left out';
  // A threshold takes two steps, and a plateau every rung.
  if (threshold === null && measured < (kind === 'context' ? 3 : rungs.length))
    return `${formatCount(measured)} of ${plural(rungs.length, 'rung')} measured: nothing can be told`;
  if (kind === 'context')
    return threshold === null
      ? `${MEASURES[measure]} grow no faster than the context${measured < rungs.length ? ` on ${formatCount(measured)} measured rungs` : ''}`
      : `${MEASURES[measure]} grow faster than the context from ${formatCount(threshold)} characters`;
  return threshold === null ? 'no plateau was reached' : `plateau at ${formatCount(threshold)} at a time`;
}

function rowOf(
  { rung, passRate, value, figure }: LadderRungReport,
  { kind, measure }: Pick<LadderReport, 'kind' | 'measure'>,
): FigureRow {
  const rate = passRate === null ? 'not run' : formatRate(passRate);
  const amount = value === null ? '–' : amountText(value);
  const shown = figure === null ? '–' : measure === 'real_ms' ? amountText(figure) : figure.toFixed(3);
  const words = wordsOf({ kind, measure });
  return {
    names: [kind, formatCount(rung)],
    cells: [rate, amount, shown],
    parts: [
      `${formatCount(rung)} ${words.rung}`,
      `pass rate ${rate}`,
      ...(value === null ? [] : [`${kind === 'budget' ? 'spent ' : ''}${amount} ${MEASURES[measure]}`]),
      ...(figure === null ? [] : [`${words.figure} ${shown}`]),
    ],
  };
}

function amountText(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(6)));
}

/**
 * Null: fewer than two rungs have something to draw. A context is drawn with logarithms on both axes, where what grows in
 * proportion is a straight line; everything else from 0 to the highest value.
 */
function chartOf(report: LadderReport): Chart | null {
  const { kind, measure, rungs, threshold } = report;
  const drawn = rungs.flatMap(({ rung, value, figure }) => {
    const height = kind === 'concurrency' ? figure : value;
    return height === null || height <= 0 ? [] : [{ rung, height }];
  });
  const [first] = drawn;
  if (first === undefined || drawn.length < 2) return null;
  const k = (rung: number): number => rung / first.rung;
  const last = k(drawn.at(-1)?.rung ?? first.rung);
  const top = drawn.reduce((most, { height }) => Math.max(most, height), 0);
  const least = kind === 'context' ? drawn.reduce((low, { height }) => Math.min(low, height), top) : 0;
  const at = (height: number): number => {
    if (kind !== 'context') return height / top;
    return top === least ? 0.5 : Math.log(height / least) / Math.log(top / least);
  };
  const figure = kind === 'concurrency' ? wordsOf(report).figure : MEASURES[measure];
  const own = { name: figure, points: drawn.map(({ rung, height }) => [k(rung), at(height)] as const) };
  // Up to where it leaves the drawing.
  const end = Math.min(last, top / first.height);
  const steps = kind === 'context' ? 1 : STEPS;
  const proportional = {
    name: 'in proportion to the first rung',
    points: Array.from({ length: steps + 1 }, (_, n) => {
      const grown = end ** (n / steps);
      return [grown, Math.min(1, at(first.height * grown))] as const;
    }),
  };
  const isDrawn = kind !== 'budget' && end > 1 && top > least;
  return {
    type: 'curves',
    lines: [own, ...(isDrawn ? [proportional] : [])],
    axes: {
      x: { name: wordsOf(report).rung, ticks: drawn.map(({ rung }) => [k(rung), formatCount(rung)] as const) },
      y: {
        name: figure,
        ticks: (top === least ? [top] : [least, top]).map((height) => [at(height), shortAmount(height)] as const),
      },
      mark:
        threshold === null
          ? null
          : {
              k: k(threshold),
              name: `${kind === 'concurrency' ? 'plateau' : 'threshold'} at ${formatCount(threshold)}`,
            },
    },
  };
}

/** Pieces of a line that is curved where one axis has logarithms. */
const STEPS = 16;

function shortAmount(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(3)));
}
