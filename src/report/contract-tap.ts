import type { ContractReport } from '../types/contract-report.ts';
import type { Json } from '../types/json.ts';
import { CONTRACT_MARKS } from './contract-marks.ts';
import {
  cellMessage,
  cellName,
  contractHeadline,
  contractName,
  contractNotes,
  type PlacedCell,
  placedCells,
  shareText,
} from './contract-texts.ts';
import { plainText } from './plain-text.ts';
import { escapeDescription, LONGEST_REPLAY, tapYaml } from './tap-yaml.ts';

const LONGEST_NAME = 200;
const LONGEST_TEXT = 600;

/** A contract as a comment and a test point for each cell, numbered from `first`. */
export function contractPoints(contract: ContractReport, first: number): readonly string[] {
  const { name, verdict, reasons } = contract;
  const said = [CONTRACT_MARKS[verdict].name, ...contractHeadline(contract)].join(', ');
  return [
    `# contract ${contractName(name)}: ${said}`,
    ...reasons.map((reason) => `# ${plainText(reason, LONGEST_TEXT)}`),
    ...contractNotes(contract).map((note) => `# ${note}`),
    ...placedCells(contract).flatMap((one, i) => cellPoint(contract, one, first + i)),
  ];
}

function cellPoint(contract: ContractReport, one: PlacedCell, number: number): readonly string[] {
  const { cell } = one;
  const title = `${contractName(contract.name)}: ${cellName(one)}`;
  const point = `${number} - ${escapeDescription(title)}`;
  switch (cell.state) {
    case 'passed':
      return [`ok ${point}`, `# ${shareText(cell)}`];
    case 'not_applicable':
    case 'inconclusive':
      return [`ok ${point} # SKIP ${escapeDescription(cellMessage(one))}`];
    case 'failed':
    case 'broken':
      return [`not ok ${point}`, ...tapYaml(diagnostics(contract, one))];
  }
}

function diagnostics({ file }: ContractReport, one: PlacedCell): Readonly<Record<string, Json>> {
  const { cell, row } = one;
  const { evidence, interval, judged, obeyed, struck, obeyedStruck } = cell;
  const numbers = {
    message: cellMessage(one),
    severity: cell.state === 'failed' ? 'fail' : 'error',
    file: plainText(file, LONGEST_TEXT),
    invariant: row.type,
    weight: row.severity,
    judged,
    obeyed,
    ...(struck !== null && { struck, obeyedStruck }),
    interval,
  };
  if (evidence === null) return numbers;
  const { prompt, trial, answer, fired, replay } = evidence;
  return {
    ...numbers,
    prompt: plainText(prompt, LONGEST_TEXT),
    trial,
    fired: fired.map((fault) => plainText(fault, LONGEST_NAME)),
    answer: answer === null ? null : plainText(answer, LONGEST_TEXT),
    ...(replay !== null && { replay: plainText(replay, LONGEST_REPLAY) }),
  };
}
