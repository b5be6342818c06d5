import type { ContractReport } from '../types/contract-report.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { cellBody } from './contract-lines.ts';
import { CELL_MARKS } from './contract-marks.ts';
import {
  cellMessage,
  cellName,
  contractName,
  contractNotes,
  formatScore,
  type PlacedCell,
  placedCells,
} from './contract-texts.ts';
import { formatInterval } from './format-number.ts';
import { className } from './junit-testcase.ts';
import { plainText } from './plain-text.ts';
import { textStyle } from './text-style.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

/** Longer names are of no use in a list of tests. */
const LONGEST = 300;

export interface CellTally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/** How the cells of these contracts count as tests. */
export function cellTally(contracts: readonly ContractReport[]): CellTally {
  const cells = contracts.flatMap(placedCells);
  const count = (...elements: readonly string[]): number =>
    cells.filter(({ cell }) => elements.includes(ELEMENTS[cell.state])).length;
  return { tests: cells.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

const ELEMENTS = {
  passed: '',
  failed: 'failure',
  broken: 'error',
  inconclusive: 'skipped',
  not_applicable: 'skipped',
} as const;

/** A contract as a `testsuite` element, with a testcase for each cell. */
export function contractSuite(contract: ContractReport, options: RenderOptions): string {
  const { name, verdict, score, phase, trials, similarity, reasons } = contract;
  const attributes = { name: `contract ${contractName(name)}`, ...cellTally([contract]), time: 0 };
  const properties = propertyLines('      ', [
    ['file', plainText(contract.file, LONGEST)],
    ['verdict', verdict],
    ['score', score === null ? null : formatScore(score)],
    ['phase', phase],
    ['trials', trials],
    ['similarity', similarity === null ? null : plainText(similarity, LONGEST)],
    ['contaminated', contract.contaminated.map(contractName).join(', ') || null],
  ]);
  const said = [...reasons.map((reason) => plainText(reason, 600)), ...contractNotes(contract)].join('\n');
  return [
    `  <testsuite${xmlAttributes(attributes)}>\n`,
    `    <properties>\n${properties}    </properties>\n`,
    ...placedCells(contract).map((one) => cellTestcase(contract, one, options)),
    ...(said === '' ? [] : [`    <system-out>${xmlText(said)}</system-out>\n`]),
    '  </testsuite>\n',
  ].join('');
}

function cellTestcase({ name, file }: ContractReport, one: PlacedCell, options: RenderOptions): string {
  const { cell, row } = one;
  const attributes = {
    name: cellName(one),
    classname: `${className(file)}.${contractName(name).replaceAll('.', '_')}`,
    file: plainText(file, LONGEST),
    time: 0,
  };
  const properties = propertyLines('        ', [
    ['severity', row.severity],
    ['when', row.when],
    ['judged', cell.judged],
    ['obeyed', cell.obeyed],
    ['struck', cell.struck],
    ['obeyed_struck', cell.obeyedStruck],
    ['obeyed_interval_95', cell.interval === null ? null : formatInterval(cell.interval)],
  ]);
  return [
    `    <testcase${xmlAttributes(attributes)}>\n`,
    `      <properties>\n${properties}      </properties>\n`,
    verdictElement(one, options),
    '    </testcase>\n',
  ].join('');
}

function verdictElement(one: PlacedCell, options: RenderOptions): string {
  const { cell, row } = one;
  const element = ELEMENTS[cell.state];
  if (element === '') return '';
  const message = cellMessage(one);
  if (element === 'skipped') return `      <skipped${xmlAttributes({ message })}/>\n`;
  const style = textStyle({ ...options, color: false, columns: 100 });
  const text = xmlText(cellBody(one, style).join('\n'));
  const type = cell.state === 'broken' ? CELL_MARKS.broken.name : plainText(row.type, LONGEST);
  return `      <${element}${xmlAttributes({ message, type })}>${text}\n</${element}>\n`;
}

function propertyLines(
  indent: string,
  values: readonly (readonly [name: string, value: string | number | null])[],
): string {
  return values
    .flatMap(([name, value]) => (value === null ? [] : [`${indent}<property${xmlAttributes({ name, value })}/>\n`]))
    .join('');
}
