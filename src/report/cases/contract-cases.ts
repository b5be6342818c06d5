import type { ContractCell, ContractReport } from '../../types/reports/contract-report.ts';
import { SEVERITIES } from '../../types/invariant.ts';
import { CELL_MARKS, VERDICT_MARKS } from '../words/contract-marks.ts';
import {
  cellMessage,
  cellName,
  contractHeadline,
  contractName,
  contractNotes,
  formatScore,
  type PlacedCell,
  placedCells,
  shareText,
} from '../words/contract-texts.ts';
import { formatInterval } from '../../text/format-rate.ts';
import { plainName, plainText } from '../plain-text.ts';
import { cellFacts } from '../sections/contract-section.ts';
import { factLines } from '../sections/text-sections.ts';
import { fileStyle } from '../text/text-style.ts';
import { LONGEST } from './case-texts.ts';
import { type CaseContext, failsGate, type Property, type ReportedCase, type ReportedSuite } from './reported-case.ts';

const OUTCOMES: Readonly<Record<ContractCell['state'], ReportedCase['outcome']>> = {
  passed: 'passed',
  failed: 'failed',
  broken: 'error',
  inconclusive: 'undecided',
  not_applicable: 'skipped',
};

/**
 * A contract is a suite, each of its cells a case. Its verdict is a case too where the contract does not pass and no cell
 * says so.
 */
export function contractCases(contract: ContractReport, { options }: CaseContext): ReportedSuite {
  const { verdict, score, phase, trials, similarity, contaminated } = contract;
  const subject = contractName(contract.name);
  const reasons = contract.reasons.map((reason) => plainText(reason, LONGEST.text));
  const cells = placedCells(contract).map((one) => cellCase(contract, one, options));
  const isSilent = verdict !== 'passed' && !cells.some(failsGate);
  return {
    kind: 'contract',
    name: `contract ${subject}`,
    subject,
    headline: [VERDICT_MARKS[verdict].name, ...contractHeadline(contract)].join(', '),
    notes: [...(isSilent ? [] : reasons), ...contractNotes(contract)],
    properties: [
      ['file', plainText(contract.file, LONGEST.name)],
      ['verdict', verdict],
      ['score', score === null ? null : formatScore(score)],
      ['phase', phase],
      ['trials', trials],
      ['similarity', similarity === null ? null : plainText(similarity, LONGEST.name)],
      ['contaminated', contaminated.map(contractName).join(', ') || null],
    ],
    cases: isSilent ? [...cells, verdictCase(contract, reasons)] : cells,
  };
}

function verdictCase({ name, file, verdict }: ContractReport, reasons: readonly string[]): ReportedCase {
  const fullName = `${contractName(name)}: verdict`;
  const message = reasons.join(' ');
  return {
    name: 'verdict',
    fullName,
    title: plainName(fullName, LONGEST.title),
    outcome: verdict === 'failed' ? 'failed' : 'undecided',
    counts: true,
    weight: 0,
    group: VERDICT_MARKS[verdict].name,
    summary: `contract ${VERDICT_MARKS[verdict].name}`,
    message,
    details: reasons,
    remarks: [],
    place: { file, line: 1, column: 1 },
    problems: [],
    seconds: null,
    properties: [],
    diagnostics: { message, severity: verdict === 'failed' ? 'fail' : 'error', file: plainText(file, LONGEST.text) },
  };
}

function cellCase(contract: ContractReport, one: PlacedCell, options: CaseContext['options']): ReportedCase {
  const { cell, row } = one;
  const name = cellName(one);
  const fullName = `${contractName(contract.name)}: ${name}`;
  const outcome = OUTCOMES[cell.state];
  const counts = countsIn(contract, one);
  const isExplained = outcome === 'failed' || outcome === 'error' || (outcome === 'undecided' && counts);
  return {
    name,
    fullName,
    title: plainName(fullName, LONGEST.title),
    outcome,
    counts,
    weight: SEVERITIES.length - SEVERITIES.indexOf(row.severity),
    group: outcome === 'failed' ? plainText(row.type, LONGEST.name) : CELL_MARKS[cell.state].name,
    summary: `${row.severity} invariant ${CELL_MARKS[cell.state].name}`,
    message: outcome === 'passed' ? shareText(cell) : cellMessage(one),
    details: isExplained ? factLines(cellFacts(one), fileStyle(options)) : [],
    remarks: [],
    place: row.at ?? { file: contract.file, line: 1, column: 1 },
    problems: [],
    seconds: null,
    properties: propertiesOf(one),
    diagnostics: isExplained ? diagnosticsOf(contract, one) : {},
  };
}

/**
 * Whether a cell counts: not a red cell of a contract that passes, nor an inconclusive one of a rule that is not
 * critical.
 */
function countsIn({ verdict }: ContractReport, { cell, row }: PlacedCell): boolean {
  switch (cell.state) {
    case 'failed':
      return verdict !== 'passed';
    case 'inconclusive':
      return row.severity === 'critical';
    default:
      return true;
  }
}

function propertiesOf({ cell, row }: PlacedCell): readonly Property[] {
  return [
    ['severity', row.severity],
    ['when', row.when],
    ['judged', cell.judged],
    ['obeyed', cell.obeyed],
    ['struck', cell.struck],
    ['obeyed_struck', cell.obeyedStruck],
    ['obeyed_interval_95', cell.interval === null ? null : formatInterval(cell.interval)],
  ];
}

function diagnosticsOf({ file }: ContractReport, one: PlacedCell): ReportedCase['diagnostics'] {
  const { cell, row } = one;
  const { evidence, interval, judged, obeyed, struck, obeyedStruck } = cell;
  const numbers = {
    message: cellMessage(one),
    severity: cell.state === 'failed' ? 'fail' : 'error',
    file: plainText(file, LONGEST.text),
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
    prompt: plainText(prompt, LONGEST.text),
    trial,
    fired: fired.map((fault) => plainText(fault, LONGEST.fullName)),
    answer: answer === null ? null : plainText(answer, LONGEST.text),
    ...(replay !== null && { replay: plainText(replay, LONGEST.replay) }),
  };
}
