import { displayWidth, padEnd, padStart, shortenMiddle, takeWidth, widest } from '../../text/display-width.ts';
import { type ProgressRow, ROW_STATES, type RowState } from '../../types/progress.ts';
import { formatShort } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import { countRow } from './count-row.ts';
import { progressBar } from './progress-bar.ts';
import type { Role, TextStyle } from '../text/text-style.ts';

interface StateLook {
  /** What its cells in a bar are drawn with. */
  readonly cell: string;
  readonly role: Role;
  /** Whether it has a cell of the bar even where its share is less than one. */
  readonly isShown: boolean;
}

/** How states are drawn. Those that passed, failed, run and wait differ without colour too. */
const STATES: Readonly<Record<RowState, StateLook>> = {
  passed: { cell: '█', role: 'good', isShown: false },
  flaky: { cell: '▓', role: 'warn', isShown: true },
  failed: { cell: '▒', role: 'bad', isShown: true },
  timed_out: { cell: '▒', role: 'bad', isShown: true },
  error: { cell: '▒', role: 'bad', isShown: true },
  skipped: { cell: '─', role: 'dim', isShown: false },
  running: { cell: '▸', role: 'strong', isShown: true },
  waiting: { cell: '░', role: 'dim', isShown: false },
};

/** Cells of a bar on a terminal that has the room. */
const BAR = 12;
/** Narrower terminals have shorter bars, and then none. */
const FULL_WIDTH = 60;
const LEAST_WIDTH = 36;
/** Columns that names leave to the words behind the bar, and where bars are short. */
const WORDS_WIDTH = 26;
const FEW_WORDS_WIDTH = 14;
const LEAST_NAME = 10;

/**
 * A line for each row, in `width` columns. At most `most` lines: the rows that say most, in their order, and a count of
 * the others.
 */
export function progressRows(
  rows: readonly ProgressRow[],
  { width, most, style }: { readonly width: number; readonly most: number; readonly style: TextStyle },
): readonly string[] {
  if (most < 1) return [];
  const shown = rows.length <= most ? rows : mostTelling(rows, most - 1);
  const names = shown.map(({ name }) => plainText(name));
  const totals = shown.map(({ counts }) => {
    const { done, total } = countRow(counts);
    return `${formatShort(done)}/${formatShort(total)}`;
  });
  const bar = width >= FULL_WIDTH ? BAR : width >= LEAST_WIDTH ? BAR / 2 : 0;
  const totalWidth = widest(totals);
  const left = width - 2 - (bar === 0 ? 0 : bar + 2) - totalWidth - 4 - (bar === BAR ? WORDS_WIDTH : FEW_WORDS_WIDTH);
  const nameWidth = Math.min(widest(names), Math.max(LEAST_NAME, left));
  const lines = shown.map(({ counts }, at) => {
    const name = padEnd(shortenMiddle(names[at] ?? '', nameWidth), nameWidth);
    const start = takeWidth(`${signOf(counts)} ${name}  `, width);
    const total = `${bar === 0 ? '' : '  '}${padStart(totals[at] ?? '', totalWidth)}`;
    const used = displayWidth(start) + bar;
    const words = wordsOf(counts, width - used - displayWidth(total) - 2);
    const end = takeWidth(`${total}  ${words}`.trimEnd(), Math.max(0, width - used));
    return `${start}${barOf(counts, bar, style)}${style.paint(roleOf(counts), end)}`;
  });
  const hidden = rows.length - shown.length;
  return hidden === 0 ? lines : [...lines, style.paint('dim', takeWidth(moreText(rows, shown), width))];
}

function barOf(counts: ProgressRow['counts'], width: number, style: TextStyle): string {
  const states = ROW_STATES.filter((state) => state !== 'waiting');
  const segments = states.map((state) => ({ count: counts[state], isShown: STATES[state].isShown }));
  const { cells, rest } = progressBar(segments, countRow(counts).total, width);
  const drawn = states.map((state, at) => style.paint(STATES[state].role, STATES[state].cell.repeat(cells[at] ?? 0)));
  return `${drawn.join('')}${style.paint('dim', STATES.waiting.cell.repeat(rest))}`;
}

/** As many counts as fit the width. */
function wordsOf(counts: ProgressRow['counts'], width: number): string {
  let text = '';
  for (const { state, count, word } of countRow(counts).states) {
    if (state === 'waiting') continue;
    const more = `${text === '' ? '' : ' · '}${formatShort(count)} ${word}`;
    if (displayWidth(text) + displayWidth(more) > width) break;
    text += more;
  }
  return text;
}

function isFailing({ failed, timed_out: late, error }: ProgressRow['counts']): boolean {
  return failed + late + error > 0;
}

function roleOf(counts: ProgressRow['counts']): Role {
  if (isFailing(counts)) return 'bad';
  return counts.flaky > 0 ? 'warn' : 'dim';
}

/** The sign of a row: how it ended, or that it runs or waits. */
function signOf(counts: ProgressRow['counts']): string {
  if (counts.running > 0) return '▸';
  if (isFailing(counts)) return '✗';
  if (counts.waiting > 0) return ' ';
  if (counts.flaky > 0) return '~';
  return counts.passed > 0 ? '✓' : '·';
}

/** Rows that run come first, then those that failed, those that have begun, those that wait, and those that are over. */
function rankOf({ counts }: ProgressRow): number {
  if (counts.running > 0) return 0;
  if (isFailing(counts)) return 1;
  if (counts.waiting === 0) return 4;
  return countRow(counts).done > 0 ? 2 : 3;
}

function mostTelling(rows: readonly ProgressRow[], most: number): readonly ProgressRow[] {
  const ranked = rows
    .map((row, at) => ({ row, at }))
    .sort((one, other) => rankOf(one.row) - rankOf(other.row) || one.at - other.at);
  const chosen = ranked.slice(0, most).sort((one, other) => one.at - other.at);
  return chosen.map(({ row }) => row);
}

function moreText(rows: readonly ProgressRow[], shown: readonly ProgressRow[]): string {
  const hidden = rows.filter((row) => !shown.includes(row));
  const over = hidden.filter(({ counts }) => counts.waiting + counts.running === 0).length;
  const parts = [
    ...(over > 0 ? [`${over} over`] : []),
    ...(over < hidden.length ? [`${hidden.length - over} to go`] : []),
  ];
  return `  and ${hidden.length} more: ${parts.join(', ')}`;
}
