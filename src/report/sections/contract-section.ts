import type {
  ContractCell,
  ContractColumn,
  ContractExample,
  ContractFault,
  ContractReport,
  ContractRow,
} from '../../types/reports/contract-report.ts';
import { CELL_MARKS, VERDICT_MARKS } from '../words/contract-marks.ts';
import {
  cellShare,
  contractHeadline,
  contractName,
  contractNotes,
  faultText,
  obeyedText,
  type PlacedCell,
  placedCells,
  redCells,
  shareLegend,
  shareText,
  whyText,
} from '../words/contract-texts.ts';
import { formatCount } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import type { Evidence, Fact, MatrixCell, Section } from './section.ts';

/** Longest texts, in columns. An answer of a subject is cut. */
const LONGEST = { sentence: 600, said: 4000, command: 8000 } as const;
/** Most declared faults of a column that are listed, and most that fired in a trial. */
const MOST_FAULTS = 40;

/** A contract: its matrix, what is uncertain, and the evidence of its red cells. */
export function contractSection(contract: ContractReport): Section {
  const { verdict, reasons, columns, invariants } = contract;
  const placed = placedCells(contract);
  const places = new Map(placed.map(({ cell }, place) => [cell, place]));
  const red = redCells(contract);
  const mark = VERDICT_MARKS[verdict];
  return {
    kind: 'contract',
    name: contractName(contract.name),
    mark: verdict === 'passed' && red.length > 0 ? { ...mark, role: 'warn' } : mark,
    parts: contractHeadline(contract),
    isFine: verdict === 'passed',
    description: plainText(contract.description ?? '', LONGEST.sentence),
    file: plainText(contract.file, LONGEST.sentence),
    blocks: [
      {
        type: 'notes',
        tone: 'reason',
        sentences: reasons.map((reason) => plainText(reason, LONGEST.sentence)),
      },
      {
        type: 'matrix',
        corner: 'invariant',
        joint: 'under',
        columns: columns.map((column) => ({ name: contractName(column.name), remark: '', facts: faultFacts(column) })),
        rows: invariants.map((row) => ({ name: contractName(row.id), remark: row.severity, facts: [ruleFact(row)] })),
        cells: placed.map(matrixCell),
        marks: Object.values(CELL_MARKS),
        legend: shareLegend(contract),
      },
      { type: 'notes', tone: 'warning', sentences: contractNotes(contract) },
      { type: 'evidence', noun: 'cell', items: red.map((one) => redEvidence(one, places.get(one.cell) ?? null)) },
    ],
  };
}

function ruleFact({ severity, type, negate, when, isHeuristic }: ContractRow): Fact {
  const judged = when === 'always' ? '' : `, judged when ${when.replaceAll('_', ' ')}`;
  return {
    label: 'rule',
    text: `${severity}, ${negate ? 'not ' : ''}${type}${isHeuristic === true ? ' (heuristic)' : ''}${judged}`,
    tone: 'plain',
  };
}

function faultFacts({ faults }: ContractColumn): readonly Fact[] {
  return faults.slice(0, MOST_FAULTS).map((fault) => ({ label: 'fault', text: declaredText(fault), tone: 'plain' }));
}

function declaredText({ fault, detail, where, fired }: ContractFault): string {
  const parts = [plainText(detail, LONGEST.sentence), `in ${where ?? 'nothing that it can reach'}`, firedTimes(fired)];
  return `${contractName(fault)}: ${parts.filter((part) => part !== '').join(', ')}`;
}

function firedTimes(fired: number): string {
  if (fired === 0) return 'never fired';
  return fired === 1 ? 'fired once' : `fired ${formatCount(fired)} times`;
}

function matrixCell(one: PlacedCell): MatrixCell {
  const { cell } = one;
  const mark = CELL_MARKS[cell.state];
  const cellCounts = cell.state === 'broken' ? null : cellShare(cell);
  const share = cellCounts === null ? '' : `${formatCount(cellCounts.obeyed)}/${formatCount(cellCounts.trials)}`;
  const word = cell.state === 'inconclusive' && cell.struck === 0 ? '0 struck' : mark.word;
  return {
    mark,
    text: share === '' ? word : share,
    share,
    spoken: cell.judged === 0 ? mark.name : `${mark.name}, ${shareText(cell)}`,
    facts: () => cellFacts(one),
  };
}

function redEvidence(one: PlacedCell, place: number | null): Evidence {
  const { cell, row, column } = one;
  return {
    mark: CELL_MARKS[cell.state],
    names: [contractName(row.id), contractName(column.name)],
    joint: 'under',
    remark: row.severity,
    cell: place,
    facts: () => cellFacts(one),
  };
}

/** The evidence of a cell: prompt, faults that fired, answer, what is wrong with it, the command that repeats it. */
export function cellFacts({ cell, column }: Pick<PlacedCell, 'cell' | 'column'>): readonly Fact[] {
  const { evidence, example } = cell;
  const trial = evidence ?? example ?? null;
  return [
    ...plainFact('why', whyText(cell)),
    ...plainFact('trials', obeyedText(cell)),
    ...(trial === null ? [] : exampleFacts(trial, evidence?.message ?? 'obeyed', [cell, column])),
  ];
}

function exampleFacts(
  example: ContractExample,
  judged: string,
  [cell, column]: readonly [ContractCell, ContractColumn],
): readonly Fact[] {
  const { prompt, answer, replay, traceContext } = example;
  return [
    { label: 'prompt', text: plainText(prompt, LONGEST.said), tone: 'said' },
    ...plainFact('fired', firedText(cell, column, example)),
    answer === null
      ? { label: 'answer', text: 'none', tone: 'plain' }
      : { label: 'answer', text: plainText(answer, LONGEST.said), tone: 'said' },
    { label: 'judged', text: plainText(judged, LONGEST.sentence), tone: 'judged' },
    ...(traceContext === undefined ? [] : [{ label: 'trace', text: traceContext.trace, tone: 'plain' } as const]),
    replay === null
      ? { label: 'show', text: 'It cannot be repeated.', tone: 'plain' }
      : { label: 'show', text: plainText(replay, LONGEST.command), tone: 'command' },
  ];
}

/** The faults that fired; '' where none is declared. */
function firedText({ struck }: ContractCell, column: ContractColumn, { fired }: ContractExample): string {
  if (fired.length > 0) {
    return fired
      .slice(0, MOST_FAULTS)
      .map((label) => faultText(column, label))
      .join(', ');
  }
  return struck === null ? '' : 'no fault';
}

function plainFact(label: string, text: string): readonly Fact[] {
  return text === '' ? [] : [{ label, text: plainText(text, LONGEST.sentence), tone: 'plain' }];
}
