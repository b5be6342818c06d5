import type { MatrixReport, MatrixRow } from '../../types/matrix/matrix.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { signed } from '../signed.ts';
import type { FigureRow, Panel } from './panel.ts';

const LONGEST_NAME = 80;
/** More combinations than that are in JSON alone. */
const MOST_CELLS = 40;

/** What each value of a matrix came to over all others, and each combination; both compared with the first. */
export function matrixPanel({ matrix, cases, values, cells }: MatrixReport): Panel {
  const axes = new Set(values.flatMap((row) => row.values.map(({ axis }) => axis)));
  const left = cells.length - MOST_CELLS;
  return {
    title: `Matrix of ${plainText(matrix, LONGEST_NAME)}`,
    isTitled: true,
    namesHead: true,
    mark: null,
    headline: [
      plural(axes.size, 'axis', 'axes'),
      ...(cases > 1 ? [plural(cases, 'case')] : []),
      bestText(values, cells),
    ],
    isTelling: true,
    isTrouble: false,
    blocks: [
      {
        type: 'figures',
        corners: ['axis', 'value'],
        headers: ['trials', 'pass rate', 'against the first', '95 % interval', 'tokens a trial'],
        rows: [
          ...values.map((row) => rowOf(row, row.values[0]?.axis ?? '')),
          ...cells.slice(0, MOST_CELLS).map((row) => rowOf(row, 'combination')),
        ],
      },
      ...(left > 0
        ? [
            {
              type: 'notes',
              tone: 'plain',
              sentences: [`${plural(left, 'combination')} more in the JSON report.`],
            } as const,
          ]
        : []),
    ],
  };
}

/** A value is called better only where its interval says so. */
function bestText(values: readonly MatrixRow[], cells: readonly MatrixRow[]): string {
  const rows = cells.length > 0 ? cells : values;
  const judged = rows.filter((row) => row.passRate !== null);
  if (judged.length === 0) return 'nothing ran';
  const best = judged.reduce((most, row) => ((row.passRate ?? 0) > (most.passRate ?? 0) ? row : most));
  const isApart = judged.some(({ change }) => change !== null && (change.interval[0] > 0 || change.interval[1] < 0));
  const name = `${plainText(nameOf(best), LONGEST_NAME)} ${formatRate(best.passRate ?? 0)}`;
  return isApart ? `best: ${name}` : `best: ${name}, but none is told apart from the first`;
}

function rowOf(row: MatrixRow, axis: string): FigureRow {
  const { trials, passRate, change, tokens } = row;
  const rate = passRate === null ? 'not run' : formatRate(passRate);
  const by = change === null ? '' : signed(change.mean);
  const interval = change === null ? '' : `[${change.interval.map((end) => signed(end)).join(', ')}]`;
  const cost = tokens === null ? 'not known' : formatCount(Math.round(tokens));
  const name = plainText(nameOf(row), LONGEST_NAME);
  return {
    names: [plainText(axis, LONGEST_NAME), name],
    cells: [formatCount(trials), rate, change === null ? '–' : by, change === null ? '–' : interval, cost],
    parts: [
      name,
      `pass rate ${rate}`,
      ...(change === null ? [] : [`${by} ${interval} against the first`]),
      ...(tokens === null || tokens === 0 ? [] : [`${cost} tokens a trial`]),
    ],
  };
}

function nameOf({ values }: MatrixRow): string {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? only.value
    : values.map(({ axis, value }) => `${axis}=${value}`).join(', ');
}
