import type { ContractCell, ContractColumn, ContractEvidence, ContractReport } from '../types/contract-report.ts';
import { commandLines } from './command-lines.ts';
import { matrixLines } from './contract-matrix.ts';
import { CELL_MARKS, CONTRACT_MARKS } from './contract-marks.ts';
import {
  cellName,
  contractHeadline,
  contractNotes,
  faultText,
  obeyedText,
  type PlacedCell,
  redCells,
  whyText,
} from './contract-texts.ts';
import { displayWidth, padEnd } from '../text/display-width.ts';
import { plural } from './format-number.ts';
import { plainText } from './plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText, joinParts } from './wrap-text.ts';

/** Without `verbose`, more of a kind than this are counted instead of shown. */
const MOST = { red: 10, reasons: 10, notes: 6 } as const;
/** Of a contract that passed, a wider matrix says less than its score. */
const MOST_COLUMNS = 12;
const MARK_WIDTH = 9;
const LONGEST = 600;

/** Contract by contract: verdict and score, the matrix, what is uncertain, and each red cell with its evidence. */
export function contractLines(
  contracts: readonly ContractReport[],
  quiet: boolean,
  style: TextStyle,
): readonly string[] {
  const shown = quiet ? contracts.filter(({ verdict }) => verdict !== 'passed') : contracts;
  return shown.flatMap((contract) => ['', ...titleLines(contract, style), ...contractBody(contract, style)]);
}

/** A contract without its title: reasons, matrix, notes, red cells. */
export function contractBody(contract: ContractReport, style: TextStyle): readonly string[] {
  const { verdict, columns } = contract;
  const isDull = verdict === 'passed' && redCells(contract).length === 0 && columns.length > MOST_COLUMNS;
  return [
    ...atMost(contract.reasons, MOST.reasons, 'reason', style, (reason) =>
      // In full at the gate; and what it rests on follows.
      style.verbose
        ? hangText('  ', plainText(reason, LONGEST), style.columns)
        : [`  ${plainText(reason, style.columns - 2)}`],
    ),
    ...(isDull && !style.verbose ? [] : matrixLines(contract, style)),
    ...atMost(contractNotes(contract), MOST.notes, 'note', style, (note) => hangText('  ! ', note, style.columns)),
    ...redLines(contract, style),
  ];
}

function titleLines(contract: ContractReport, style: TextStyle): readonly string[] {
  const { sign, word, role: usual } = CONTRACT_MARKS[contract.verdict];
  const role = contract.verdict === 'passed' && redCells(contract).length > 0 ? 'warn' : usual;
  const mark = padEnd(`${sign} ${word}`, MARK_WIDTH);
  const name = plainText(contract.name, style.columns - MARK_WIDTH);
  const parts = contractHeadline(contract);
  const together = MARK_WIDTH + displayWidth(name) + 2 + displayWidth(parts.join(' · ')) <= style.columns;
  const title = style.paint(role, mark) + style.paint('strong', name);
  if (together) return [`${title}  ${parts.join(' · ')}`];
  return [title, ...hangText('  ', joinParts(parts), style.columns)];
}

function redLines(contract: ContractReport, style: TextStyle): readonly string[] {
  return atMost(redCells(contract), MOST.red, 'cell', style, (one) => [
    '',
    ...cellTitle(one, style),
    ...cellBody(one, style),
  ]);
}

function cellTitle({ cell, row, column }: PlacedCell, style: TextStyle): readonly string[] {
  const { sign, role } = CELL_MARKS[cell.state];
  const head = `  ${sign} `;
  const text = `${cellName({ row, column })} — ${row.severity}${cell.state === 'broken' ? ', broken' : ''}`;
  const [first = '', ...rest] = hangText(head, text, style.columns);
  return [style.paint(role, head) + first.slice(head.length), ...rest];
}

/** What a red cell rests on: prompt, fault that fired, answer, what was wrong with it, the command that repeats it. */
export function cellBody({ cell, column }: Pick<PlacedCell, 'cell' | 'column'>, style: TextStyle): readonly string[] {
  const room = (style.columns - 12) * (style.verbose ? 20 : 3);
  const row = (label: string, text: string, most = LONGEST): readonly string[] =>
    text === '' ? [] : hangText(`    ${label.padEnd(6)}  `, plainText(text, most), style.columns);
  const { evidence } = cell;
  return [
    ...row('why', whyText(cell)),
    ...row('trials', obeyedText(cell)),
    ...(evidence === null
      ? []
      : [
          ...row('prompt', quoted(evidence.prompt), room),
          ...row('fired', firedText(cell, column, evidence)),
          ...row('answer', evidence.answer === null ? 'none' : quoted(evidence.answer), room),
          ...row('judged', evidence.message),
          ...(evidence.replay === null
            ? row('show', NOT_AGAIN)
            : commandLines('    show    ', plainText(evidence.replay), style)),
        ]),
  ];
}

/** Where nothing is declared to go wrong, nobody asks what did. */
function firedText({ struck }: ContractCell, column: ContractColumn, { fired }: ContractEvidence): string {
  if (fired.length > 0) return fired.map((label) => faultText(column, label)).join(', ');
  return struck === null ? '' : 'no fault';
}

const NOT_AGAIN = 'It cannot be repeated.';

/** An empty text is seen as one. */
function quoted(text: string): string {
  return text === '' ? '""' : text;
}

function atMost<Item>(
  items: readonly Item[],
  most: number,
  one: string,
  style: TextStyle,
  lines: (item: Item) => readonly string[],
): readonly string[] {
  const shown = style.verbose ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return [...shown.flatMap(lines), ...(more > 0 ? [`  … ${plural(more, one)} more (--verbose)`] : [])];
}
