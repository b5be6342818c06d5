import type { LadderKind, LadderMeasure, LadderReport, LadderRungReport } from '../../types/ladders/ladder.ts';
import { formatCount, formatRate, plural } from '../format-number.ts';
import { plainText } from '../plain-text.ts';
import type { Chart, FigureRow, Panel } from './panel.ts';

const LONGEST_NAME = 80;

/** What the rungs of each kind are, and what stands beside their measure. */
const WORDS: Readonly<Record<LadderKind, { readonly rung: string; readonly figure: string }>> = {
  context: { rung: 'characters', figure: 'local slope' },
  concurrency: { rung: 'at a time', figure: 'runs a second' },
  budget: { rung: 'tokens', figure: 'share spent' },
};

const MEASURES: Readonly<Record<LadderMeasure, string>> = {
  tokens: 'tokens',
  steps: 'steps',
  virtual_ms: 'ms (virtual)',
};

/** One ladder: its rungs, what grew with them, and where that begins to grow faster or comes to an end. */
export function ladderPanel(report: LadderReport): Panel {
  const { ladder, kind, measure, rungs, failsAtFirst } = report;
  const words = WORDS[kind];
  const runaways = rungs.reduce((sum, one) => sum + one.runaways, 0);
  const warnings = [
    ...(failsAtFirst ? ['It fails at its first rung: nothing is known of what comes above.'] : []),
    ...(runaways > 0 ? [`${plural(runaways, 'trial')} ended by time or the limit of steps alone.`] : []),
  ];
  const chart = chartOf(report);
  return {
    title: `Ladder of ${plainText(ladder, LONGEST_NAME)}`,
    isTitled: true,
    mark: null,
    headline: [kind, plural(rungs.length, 'rung'), verdictText(report)],
    isTelling: true,
    isTrouble: warnings.length > 0,
    blocks: [
      {
        type: 'figures',
        corners: ['ladder', words.rung],
        headers: ['pass rate', MEASURES[measure], words.figure],
        rows: rungs.map((one) => rowOf(one, { kind, measure })),
        ...(chart !== null && { chart }),
      },
      ...(warnings.length === 0 ? [] : [{ type: 'notes', tone: 'warning', sentences: warnings } as const]),
    ],
  };
}

function verdictText({ kind, measure, rungs, threshold, failsAtFirst }: LadderReport): string {
  if (failsAtFirst) return 'fails at its first rung';
  const held = rungs.filter(({ passRate }) => passRate === 1).length;
  if (kind === 'budget') return `${formatCount(held)} of ${plural(rungs.length, 'budget')} held`;
  if (kind === 'context')
    return threshold === null
      ? `${MEASURES[measure]} grow no faster than the context`
      : `${MEASURES[measure]} grow faster than the context from ${formatCount(threshold)} characters`;
  return threshold === null ? 'no plateau was reached' : `plateau at ${formatCount(threshold)} at a time`;
}

function rowOf(
  { rung, passRate, value, figure }: LadderRungReport,
  { kind, measure }: { readonly kind: LadderKind; readonly measure: LadderMeasure },
): FigureRow {
  const rate = passRate === null ? 'not run' : formatRate(passRate);
  const amount = value === null ? '–' : amountText(value);
  const shown = figure === null ? '–' : figure.toFixed(3);
  return {
    names: [kind, formatCount(rung)],
    cells: [rate, amount, shown],
    parts: [
      `${formatCount(rung)} ${WORDS[kind].rung}`,
      `pass rate ${rate}`,
      ...(value === null ? [] : [`${kind === 'budget' ? 'spent ' : ''}${amount} ${MEASURES[measure]}`]),
      ...(figure === null ? [] : [`${WORDS[kind].figure} ${shown}`]),
    ],
  };
}

function amountText(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(6)));
}

/** Null: fewer than two rungs have something to draw. Heights are shares of the highest value. */
function chartOf({ kind, measure, rungs, threshold }: LadderReport): Chart | null {
  const drawn = rungs.flatMap(({ rung, value, figure }) => {
    const height = kind === 'concurrency' ? figure : value;
    return height === null ? [] : [{ rung, height }];
  });
  const [first] = drawn;
  if (first === undefined || drawn.length < 2) return null;
  const most = drawn.reduce((top, { height }) => Math.max(top, height), 0);
  if (most === 0) return null;
  const at = (rung: number): number => rung / first.rung;
  const own = {
    name: kind === 'concurrency' ? WORDS.concurrency.figure : MEASURES[measure],
    points: drawn.map(({ rung, height }) => [at(rung), height / most] as const),
  };
  const proportional = {
    name: 'in proportion to the first rung',
    points: drawn
      .map(({ rung }) => [at(rung), (first.height * at(rung)) / most] as const)
      .filter(([, height]) => height <= 1),
  };
  const marked =
    threshold === null
      ? []
      : [
          {
            name: `${kind === 'concurrency' ? 'plateau' : 'threshold'} at ${formatCount(threshold)}`,
            points: [[at(threshold), 0] as const, [at(threshold), 1] as const],
          },
        ];
  return { type: 'curves', lines: [own, proportional, ...marked] };
}
