import type { Robustness, RobustnessReport } from '../../types/mutations/mutation.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { Figures, FigureRow, Gauge, Panel } from './panel.ts';

/** Characters of a contract's name. */
const LONGEST_NAME = 80;

/** What intervals are about. A cell of a contract has that of more trials, so it is narrower where trials of a prompt are alike. */
const OF_THESE = 'intervals are for more trials of these scenarios';
const LIKE_THESE = 'intervals are for more prompts like these, those of cells for more trials';

/** How the subject fares where its messages, or the prompts of a contract, are mutated, beside the same without a change. */
export function robustnessPanel(report: RobustnessReport, contract: string | null = null): Panel {
  const idle = report.types.filter(({ trials }) => trials === 0);
  return {
    title: contract === null ? 'Mutations' : `Mutations of ${plainText(contract, LONGEST_NAME)}`,
    isTitled: true,
    ...(contract !== null && { namesHead: true }),
    mark: null,
    headline: [
      plural(report.types.length, 'type'),
      'rates are of trials in which something was changed',
      contract === null ? OF_THESE : LIKE_THESE,
    ],
    isTelling: true,
    isTrouble: idle.length > 0,
    blocks: [
      robustnessFigures(report),
      ...(idle.length === 0
        ? []
        : [
            {
              type: 'notes' as const,
              tone: 'warning' as const,
              sentences: [`Nothing was tried by ${idle.map(({ type }) => type).join(', ')}: no message was changed.`],
            },
          ]),
    ],
  };
}

/** A row for what was not changed, and one for each type, the weakest first. */
export function robustnessFigures({ unmutated, types }: RobustnessReport): Figures {
  // Stable: equally weak types keep their order.
  const sorted = [...types].sort((a, b) => (a.rate ?? 2) - (b.rate ?? 2));
  const rows = [rowOf('unmutated', '', { ...unmutated, unchanged: null }), ...sorted.map(typeRow)];
  return {
    type: 'figures',
    corners: ['mutation', 'meaning'],
    headers: ['changed', 'passed', 'robustness', '95 %', 'unchanged', 'broken'],
    rows,
    chart: { type: 'gauges', gauges: [unmutated, ...sorted].map(gaugeOf) },
  };
}

function typeRow({ type, keepsMeaning, ...figures }: Robustness): FigureRow {
  return rowOf(type, keepsMeaning ? 'kept' : 'pushed', figures);
}

type RowFigures = Pick<Robustness, 'trials' | 'passed' | 'rate' | 'interval' | 'broken'> & {
  /** Null: nothing was to be changed. */
  readonly unchanged: number | null;
  readonly repeated?: number;
};

function rowOf(
  name: string,
  meaning: string,
  { trials, passed, rate, interval, unchanged, repeated = 0, broken }: RowFigures,
): FigureRow {
  const share = rate === null ? '–' : formatRate(rate);
  const ends = interval === null ? '–' : formatInterval(interval);
  const left = unchanged === null ? '–' : formatCount(unchanged);
  return {
    names: [name, meaning],
    cells: [formatCount(trials), formatCount(passed), share, ends, left, formatCount(broken)],
    parts: [
      ...(meaning === '' ? [] : [meaning === 'kept' ? 'keeps meaning' : 'pushes']),
      `${formatCount(passed)} of ${plural(trials, 'trial')}${rate === null ? '' : ` (${share} ${ends})`}`,
      ...(unchanged === null || unchanged === 0 ? [] : [`${formatCount(unchanged)} unchanged`]),
      ...(repeated === 0 ? [] : [`${formatCount(repeated)} asked already`]),
      ...(broken === 0 ? [] : [`${formatCount(broken)} broken`]),
    ],
  };
}

function gaugeOf({ rate, interval }: Pick<Robustness, 'rate' | 'interval'>): Gauge | null {
  return rate === null || interval === null ? null : { value: rate, low: interval[0], high: interval[1], bar: null };
}
