import type { ContractCell, ContractReport } from '../types/contract-report.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { cellBody } from './contract-lines.ts';
import { CELL_MARKS, CONTRACT_MARKS } from './contract-marks.ts';
import {
  cellText,
  contractHeadline,
  contractName,
  contractNotes,
  type PlacedCell,
  redCells,
  shareLegend,
} from './contract-texts.ts';
import { matrixLines } from './contract-matrix.ts';
import { plural } from './format-number.ts';
import { codeBlock, codeCell, codeHtml, codeSpan, details } from './markdown-text.ts';
import { plainText } from './plain-text.ts';
import { textStyle } from './text-style.ts';

/** Wider matrices are lists: a table of more columns is wider than any comment. */
const MOST_COLUMNS = 12;
/** Without `verbose`, more red cells than this are counted instead of shown. */
const MOST_RED = 50;

/** Contract by contract: verdict and score, the matrix as a table, what is uncertain, and each red cell folded. */
export function contractBlocks({ contracts = [] }: SuiteReport, options: RenderOptions): readonly string[] {
  const shown = options.quiet ? contracts.filter(({ verdict }) => verdict !== 'passed') : contracts;
  return shown.flatMap((contract) => [
    ...headBlocks(contract),
    ...(options.quiet ? [] : matrixBlocks(contract, options)),
    ...redBlocks(contract, options),
  ]);
}

function headBlocks(contract: ContractReport): readonly string[] {
  const { sign, name: verdict } = CONTRACT_MARKS[contract.verdict];
  const name = codeSpan(contractName(contract.name));
  const said = [...contract.reasons.map((reason) => plainText(reason, 600)), ...contractNotes(contract)];
  return [
    `\n### ${sign} Contract ${name} ${verdict}\n\n${contractHeadline(contract).join(' · ')}\n`,
    ...(said.length === 0 ? [] : [`\n${codeBlock(said.join('\n'))}`]),
  ];
}

function matrixBlocks(contract: ContractReport, options: RenderOptions): readonly string[] {
  const { columns, invariants, cells } = contract;
  if (columns.length === 0 || invariants.length === 0) return [];
  if (columns.length > MOST_COLUMNS) {
    const lines = matrixLines(contract, textStyle({ ...options, color: false, columns: 100 }));
    return [`\n${codeBlock(lines.join('\n'))}`];
  }
  const names = columns.map(({ name }) => codeCell(contractName(name)));
  const rows = invariants.map(({ id, severity }, at) => {
    const row = cells.slice(at * columns.length, (at + 1) * columns.length).map(strongCell);
    return `| ${[severity, codeCell(contractName(id)), ...row].join(' | ')} |\n`;
  });
  const header = `\n| | invariant | ${names.join(' | ')} |\n|---|---|${'---|'.repeat(columns.length)}\n`;
  const legend = shareLegend(contract);
  return [`${header}${rows[0] ?? ''}`, ...rows.slice(1), ...(legend === '' ? [] : [`\n${legend}\n`])];
}

function strongCell(cell: ContractCell): string {
  return cell.state === 'failed' ? `**${cellText(cell)}**` : cellText(cell);
}

function redBlocks(contract: ContractReport, options: RenderOptions): readonly string[] {
  const red = redCells(contract);
  const shown = options.verbose ? red : red.slice(0, MOST_RED);
  const more = red.length - shown.length;
  return [
    ...shown.map((one) => redBlock(one, options)),
    ...(more > 0 ? [`\n… ${plural(more, 'red cell')} more.\n`] : []),
  ];
}

function redBlock(one: PlacedCell, options: RenderOptions): string {
  const { cell, row, column } = one;
  const [id, name] = [row.id, column.name].map((text) => codeHtml(contractName(text)));
  const lines = cellBody(one, textStyle({ ...options, color: false, columns: 100 }));
  return details(`${id} under ${name}: ${row.severity}, ${CELL_MARKS[cell.state].name}`, lines.join('\n'));
}
