import { firstNames } from '../../text/first-names.ts';
import { displayWidth, padEnd, shortenMiddle, widest } from '../../text/display-width.ts';
import { formatCount } from '../../text/format-number.ts';
import type { TextStyle } from '../text/text-style.ts';
import { hangText, joinParts } from '../text/wrap-text.ts';
import { type Mark, type Matrix, type MatrixCell, markRank } from './section.ts';

const INDENT = 2;
/** Fewest columns of remarks, such as `critical`, with two blanks. */
const LEAST_REMARK = 10;
/** How long names may be, from the widest matrix to the narrowest. Names of rows get shorter first. */
const NAMED = [24, 18, 14, 11].flatMap((column) => [40, 32, 24, 20, 16].map((row) => ({ row, column })));
const NUMBERED = [32, 24, 18, 12] as const;
/** The same where cells stand side by side: names of rows have more room there. */
const DENSE = [48, 40, 32, 24, 18, 12] as const;
/** Cells that stand side by side, so that an eye can count them. */
const IN_GROUP = 5;

/**
 * Rows down, columns across, a sign in each cell. Columns have their names where these fit, else numbers, whose names stand
 * below. Where numbers do not fit, their digits stand above one another, over signs side by side. Few rows, or rows for
 * which nothing else fits, are a list that names the columns in which each is not fine.
 */
export function matrixLines(matrix: Matrix, style: TextStyle): readonly string[] {
  if (matrix.rows.length === 0 || matrix.columns.length === 0) return [];
  const named = namedMatrix(matrix, style);
  if (named === null) return numberedMatrix(matrix, style) ?? signsOrList(matrix, style);
  const { legend } = matrix;
  return legend === ''
    ? named
    : [...named, ...hangText(' '.repeat(INDENT), legend, style.columns).map((line) => style.paint('dim', line))];
}

/** Most rows that are a list where that takes fewer lines. */
const MOST_LISTED = 3;

function signsOrList(matrix: Matrix, style: TextStyle): readonly string[] {
  const dense = denseMatrix(matrix, style);
  if (dense !== null && matrix.rows.length > MOST_LISTED) return dense;
  const list = rowList(matrix, style);
  return dense === null || list.length < dense.length ? list : dense;
}

function namedMatrix(matrix: Matrix, style: TextStyle): readonly string[] | null {
  const { columns, rows } = matrix;
  const cells = columns.map((_, place) => matrix.cells.filter((_cell, at) => at % columns.length === place));
  for (const most of NAMED) {
    const names = columns.map(({ name }) => shortenMiddle(name, most.column));
    const widths = names.map((name, place) => widest([name, ...(cells[place] ?? []).map(signedText)]));
    const titles = rows.map(({ name }) => shortenMiddle(name, most.row));
    const width = INDENT + remarkWidth(matrix) + widest(titles) + widths.reduce((sum, each) => sum + each + 2, 0);
    if (width > style.columns) continue;
    const show = (cell: MatrixCell, place: number): string =>
      `  ${paintedCell(signedText(cell), cell, widths[place] ?? 0, style)}`;
    const header = names.map((name, place) => `  ${padEnd(name, widths[place] ?? 0)}`).join('');
    return grid({ matrix, titles, headers: [header], show }, style);
  }
  return null;
}

function signedText({ mark, text }: MatrixCell): string {
  return `${mark.sign} ${text}`;
}

function numberedMatrix(matrix: Matrix, style: TextStyle): readonly string[] | null {
  const { columns, rows } = matrix;
  const width = String(columns.length).length;
  const least = INDENT + remarkWidth(matrix) + columns.length * (width + 1) + 1;
  const most = NUMBERED.find((row) => least + row <= style.columns);
  if (most === undefined) return null;
  const show = (cell: MatrixCell): string => ` ${paintedCell(cell.mark.sign, cell, width, style)}`;
  const header = columns.map((_, place) => ` ${padEnd(String(place + 1), width)}`).join('');
  return [
    ...grid(
      {
        matrix,
        titles: rows.map(({ name }) => shortenMiddle(name, most)),
        headers: [` ${header}`],
        show: (cell, at) => (at === 0 ? ' ' : '') + show(cell),
      },
      style,
    ),
    ...numberLegend(matrix, style),
  ];
}

function denseMatrix(matrix: Matrix, style: TextStyle): readonly string[] | null {
  const { columns, rows } = matrix;
  const digits = String(columns.length).length;
  const least = INDENT + remarkWidth(matrix) + 2 + columns.length + Math.floor((columns.length - 1) / IN_GROUP);
  const most = DENSE.find((row) => least + row <= style.columns);
  if (most === undefined) return null;
  const gap = (place: number): string => (place === 0 ? '  ' : place % IN_GROUP === 0 ? ' ' : '');
  const numbers = columns.map((_, place) => String(place + 1).padStart(digits));
  const headers = Array.from({ length: digits }, (_, digit) =>
    numbers.map((number, place) => gap(place) + (number[digit] ?? ' ')).join(''),
  );
  const titles = rows.map(({ name }) => shortenMiddle(name, most));
  const show = (cell: MatrixCell, place: number): string => gap(place) + paintedCell(cell.mark.sign, cell, 1, style);
  return [...grid({ matrix, titles, headers, show }, style), ...numberLegend(matrix, style)];
}

/** What the numbers of columns and the signs mean. */
function numberLegend(matrix: Matrix, style: TextStyle): readonly string[] {
  const names = matrix.columns.map(({ name }, place) => `${place + 1} ${shortenMiddle(name, 40)}`);
  const legend = hangText(' '.repeat(INDENT), joinParts(names), style.columns);
  return [...legend, ...signLegend(matrix, style)].map((line) => style.paint('dim', line));
}

interface GridParts {
  readonly matrix: Matrix;
  readonly titles: readonly string[];
  readonly headers: readonly string[];
  readonly show: (cell: MatrixCell, place: number) => string;
}

function grid({ matrix, titles, headers, show }: GridParts, style: TextStyle): readonly string[] {
  const { columns, rows, cells } = matrix;
  const [titleWidth, room] = [widest(titles), remarkWidth(matrix)];
  const heads = headers.map((header) => `${' '.repeat(INDENT + room + titleWidth)}${header}`.trimEnd());
  const lines = rows.map(({ remark }, at) => {
    const start = at * columns.length;
    const shown = cells.slice(start, start + columns.length).map(show);
    const name = padEnd(titles[at] ?? '', titleWidth);
    return `${' '.repeat(INDENT)}${style.paint('dim', padEnd(remark, room))}${name}${shown.join('')}`.trimEnd();
  });
  return [...heads.map((head) => style.paint('dim', head)), ...lines];
}

function remarkWidth({ rows }: Matrix): number {
  const width = widest(rows.map(({ remark }) => remark));
  return width === 0 ? 0 : Math.max(LEAST_REMARK, width + 2);
}

function paintedCell(text: string, { mark }: MatrixCell, width: number, style: TextStyle): string {
  return style.paint(mark.role, text) + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The signs that the matrix uses. */
function signLegend({ cells, marks }: Matrix, style: TextStyle): readonly string[] {
  const used = new Set(cells.map(({ mark }) => mark));
  const parts = marks.filter((mark) => used.has(mark)).map(({ sign, name }) => `${sign} ${name}`);
  return hangText(' '.repeat(INDENT), joinParts(parts, ', '), style.columns);
}

/** One line for each row: counts of its marks, and the columns in which it is not fine. */
function rowList(matrix: Matrix, style: TextStyle): readonly string[] {
  const { columns, rows, cells } = matrix;
  const marks = [...matrix.marks].sort((one, other) => markRank(one) - markRank(other));
  return rows.flatMap(({ name, remark }, at) => {
    const rowCells = cells.slice(at * columns.length, (at + 1) * columns.length);
    const worst = marks.find((mark) => rowCells.some((cell) => cell.mark === mark));
    if (worst === undefined) return [];
    const head = `${' '.repeat(INDENT)}${worst.sign} `;
    const titled = (most: number): string => `${padEnd(remark, remarkWidth(matrix))}${shortenMiddle(name, most)}`;
    const title = titled(MOST_NAME);
    const parts = marks.flatMap((mark) => markParts(mark, matrix, rowCells)).join(' · ');
    const painted = style.paint(worst.role, head) + title;
    if (displayWidth(head) + displayWidth(title) + 2 + displayWidth(parts) <= style.columns)
      return [`${painted}  ${parts}`];
    const alone = titled(style.columns - displayWidth(head) - remarkWidth(matrix));
    return [style.paint(worst.role, head) + alone, ...hangText(' '.repeat(INDENT + 4), parts, style.columns)];
  });
}

const MOST_NAME = 24;
/** Most names of columns that are listed; the others are counted. */
const MOST_NAMES = 6;
/** How many cells of a row have a mark, and in which columns where the mark is not fine. */
function markParts(mark: Mark, { columns }: Matrix, cells: readonly MatrixCell[]): readonly string[] {
  const places = cells.flatMap((cell, place) => (cell.mark === mark ? [place] : []));
  if (places.length === 0) return [];
  const text = `${formatCount(places.length)} ${mark.name}`;
  if (mark.role === 'good' || mark.role === 'dim') return [text];
  const names = places.map((place) => shortenMiddle(columns[place]?.name ?? '', 30));
  return [`${text}: ${firstNames(names, MOST_NAMES)}`];
}
