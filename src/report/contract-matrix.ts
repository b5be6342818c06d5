import type { ContractCell, ContractReport } from '../types/contract-report.ts';
import { CELL_MARKS } from './contract-marks.ts';
import { cellText, contractName, type PlacedCell, placedCells, shareLegend } from './contract-texts.ts';
import { displayWidth, padEnd, shortenMiddle } from '../text/display-width.ts';
import { formatCount } from './format-number.ts';
import type { TextStyle } from './text-style.ts';
import { hangText, joinParts } from './wrap-text.ts';

const INDENT = 2;
/** `critical` and two blanks. */
const SEVERITY = 10;
/** How long names may be, from the widest matrix to the narrowest: ids give way first. */
const NAMED = [24, 18, 14, 11].flatMap((column) => [40, 32, 24, 20, 16].map((id) => ({ id, column })));
const NUMBERED = [32, 24, 18, 12] as const;

/**
 * Invariants down, columns across, a sign in each cell: under names where these fit, else under numbers that are spelt
 * out below. Where not even that fits, a line for each invariant with the columns in which it did not pass.
 */
export function matrixLines(report: ContractReport, style: TextStyle): readonly string[] {
  if (report.invariants.length === 0 || report.columns.length === 0) return [];
  const contract = withPlainNames(report);
  const named = namedMatrix(contract, style);
  if (named === null) return numberedMatrix(contract, style) ?? rowList(contract, style);
  const legend = shareLegend(report);
  return legend === ''
    ? named
    : [...named, ...hangText(' '.repeat(INDENT), legend, style.columns).map((line) => style.paint('dim', line))];
}

function withPlainNames(contract: ContractReport): ContractReport {
  return {
    ...contract,
    columns: contract.columns.map((column) => ({ ...column, name: contractName(column.name) })),
    invariants: contract.invariants.map((row) => ({ ...row, id: contractName(row.id) })),
  };
}

function namedMatrix(contract: ContractReport, style: TextStyle): readonly string[] | null {
  const { columns, invariants } = contract;
  const cells = columns.map((_, place) => contract.cells.filter((_cell, at) => at % columns.length === place));
  for (const most of NAMED) {
    const names = columns.map(({ name }) => shortenMiddle(name, most.column));
    const widths = names.map((name, place) => widest([name, ...(cells[place] ?? []).map(cellText)]));
    const ids = invariants.map(({ id }) => shortenMiddle(id, most.id));
    const width = INDENT + SEVERITY + widest(ids) + widths.reduce((sum, each) => sum + each + 2, 0);
    if (width > style.columns) continue;
    const show = (cell: ContractCell, place: number): string =>
      `  ${paintedCell(cellText(cell), cell, widths[place] ?? 0, style)}`;
    const header = names.map((name, place) => `  ${padEnd(name, widths[place] ?? 0)}`).join('');
    return matrix({ contract, ids, header, show }, style);
  }
  return null;
}

function numberedMatrix(contract: ContractReport, style: TextStyle): readonly string[] | null {
  const { columns, invariants } = contract;
  const width = String(columns.length).length;
  const most = NUMBERED.find((id) => INDENT + SEVERITY + id + columns.length * (width + 1) + 1 <= style.columns);
  if (most === undefined) return null;
  const show = (cell: ContractCell): string => ` ${paintedCell(CELL_MARKS[cell.state].sign, cell, width, style)}`;
  const header = columns.map((_, place) => ` ${padEnd(String(place + 1), width)}`).join('');
  const names = columns.map(({ name }, place) => `${place + 1} ${shortenMiddle(name, 40)}`);
  const legend = hangText(' '.repeat(INDENT), joinParts(names), style.columns);
  return [
    ...matrix(
      {
        contract,
        ids: invariants.map(({ id }) => shortenMiddle(id, most)),
        header: ` ${header}`,
        show: (cell, at) => (at === 0 ? ' ' : '') + show(cell),
      },
      style,
    ),
    ...[...legend, ...signLegend(contract, style)].map((line) => style.paint('dim', line)),
  ];
}

interface MatrixParts {
  readonly contract: ContractReport;
  readonly ids: readonly string[];
  readonly header: string;
  readonly show: (cell: ContractCell, place: number) => string;
}

function matrix({ contract, ids, header, show }: MatrixParts, style: TextStyle): readonly string[] {
  const idWidth = widest(ids);
  const head = `${' '.repeat(INDENT + SEVERITY + idWidth)}${header}`.trimEnd();
  const rows = contract.invariants.map(({ severity }, at) => {
    const start = at * contract.columns.length;
    const cells = contract.cells.slice(start, start + contract.columns.length).map(show);
    const name = padEnd(ids[at] ?? '', idWidth);
    return `${' '.repeat(INDENT)}${style.paint('dim', severity.padEnd(SEVERITY))}${name}${cells.join('')}`.trimEnd();
  });
  return [style.paint('dim', head), ...rows];
}

function paintedCell(text: string, { state }: ContractCell, width: number, style: TextStyle): string {
  return style.paint(CELL_MARKS[state].role, text) + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The signs that the matrix uses. */
function signLegend({ cells }: ContractReport, style: TextStyle): readonly string[] {
  const used = new Set(cells.map(({ state }) => state));
  const states = Object.keys(CELL_MARKS) as readonly ContractCell['state'][];
  const parts = states
    .filter((state) => used.has(state))
    .map((state) => `${CELL_MARKS[state].sign} ${CELL_MARKS[state].name}`);
  return hangText(' '.repeat(INDENT), joinParts(parts, ', '), style.columns);
}

/** One line for each invariant: how its cells did, and the columns in which it was not obeyed. */
function rowList(contract: ContractReport, style: TextStyle): readonly string[] {
  const placed = placedCells(contract);
  return contract.invariants.flatMap((row) => {
    const cells = placed.filter((one) => one.row === row);
    const { sign, role } = CELL_MARKS[worstState(cells)];
    const head = `${' '.repeat(INDENT)}${sign} `;
    const name = `${row.severity.padEnd(SEVERITY)}${shortenMiddle(row.id, MOST_ID)}`;
    const parts = stateParts(cells).join(' · ');
    const title = style.paint(role, head) + name;
    if (displayWidth(head) + displayWidth(name) + 2 + displayWidth(parts) <= style.columns)
      return [`${title}  ${parts}`];
    return [title, ...hangText(' '.repeat(INDENT + 4), parts, style.columns)];
  });
}

const MOST_ID = 24;
const WORST_FIRST = ['failed', 'broken', 'inconclusive', 'passed', 'not_applicable'] as const;
/** More names of columns than this are counted instead of listed. */
const MOST_NAMES = 6;

function worstState(cells: readonly PlacedCell[]): ContractCell['state'] {
  return WORST_FIRST.find((state) => cells.some(({ cell }) => cell.state === state)) ?? 'not_applicable';
}

function stateParts(cells: readonly PlacedCell[]): readonly string[] {
  return WORST_FIRST.flatMap((state) => {
    const found = cells.filter(({ cell }) => cell.state === state);
    if (found.length === 0) return [];
    const text = `${formatCount(found.length)} ${CELL_MARKS[state].name}`;
    if (state === 'passed' || state === 'not_applicable') return [text];
    const names = found.slice(0, MOST_NAMES).map(({ column }) => shortenMiddle(column.name, 30));
    const more = found.length - names.length;
    return [`${text}: ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`];
  });
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}
