import type { ContractCell, ContractColumn, ContractReport, ContractRow } from '../../types/reports/contract-report.ts';
import { SEVERITIES } from '../../types/invariant.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { CELL_MARKS } from './contract-marks.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainName, plainText } from '../plain-text.ts';

const LONGEST = { name: 120, sentence: 600 } as const;

/** A cell with its row and column. */
export interface PlacedCell {
  readonly cell: ContractCell;
  readonly row: ContractRow;
  readonly column: ContractColumn;
}

/** Every cell, row by row. */
export function placedCells({ cells, invariants, columns }: ContractReport): readonly PlacedCell[] {
  return invariants.flatMap((row, at) =>
    columns.flatMap((column, place) => {
      const cell = cells[at * columns.length + place];
      return cell === undefined ? [] : [{ cell, row, column }];
    }),
  );
}

/** The cells that failed or broke, the most severe invariants first. */
export function redCells(contract: ContractReport): readonly PlacedCell[] {
  const red = placedCells(contract).filter(({ cell: { state } }) => state === 'failed' || state === 'broken');
  return red.sort((one, other) => SEVERITIES.indexOf(one.row.severity) - SEVERITIES.indexOf(other.row.severity));
}

/** Score and counts, in words. */
export function contractHeadline(contract: ContractReport): readonly string[] {
  const { score, trials, phase } = contract;
  const parts = phase === 'prompts' ? [] : [score === null ? 'no score' : `score ${formatScore(score)}`];
  const states = Object.keys(CELL_MARKS) as readonly ContractCell['state'][];
  const counts = states.flatMap((state) => {
    const count = contract.cells.filter((cell) => cell.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${CELL_MARKS[state].name}`];
  });
  parts.push(...(counts.length === 0 ? ['no cell'] : counts));
  if (trials > 1) parts.push(`${plural(trials, 'trial')} each`);
  if (phase === 'chaos') parts.push("the file's own chaos");
  if (phase === 'prompts') parts.push('without chaos, not scored');
  if (phase === 'mutation') parts.push('mutated prompts');
  if (phase === 'replay') parts.push('recorded sessions');
  return parts;
}

/** The overall score with the score and share of each phase; [] where there is none. */
export function overallParts({ overall }: SuiteReport): readonly string[] {
  if (overall === undefined) return [];
  const phases = overall.phases.map(
    ({ phase, score, share }) => `${phase} ${formatScore(100 * score)} (share ${formatScore(100 * share)})`,
  );
  return [overall.score === null ? 'no phase was scored' : `score ${formatScore(100 * overall.score)}`, ...phases];
}

/** `85.71 %`; with more decimals where two would read as 0 or 100 although it is neither. */
export function formatScore(score: number): string {
  let decimals = 2;
  while (decimals < 12 && score > 0 && score < 100 && isRound(score.toFixed(decimals))) decimals++;
  return `${score.toFixed(decimals).replace(/\.?0+$/, '')} %`;
}

function isRound(text: string): boolean {
  return /^(0|100)\.0*$/.test(text);
}

/** The share of trials that decided a cell. */
export interface CellShare {
  readonly obeyed: number;
  readonly trials: number;
  /** True: of the trials that a fault struck. */
  readonly ofStruck: boolean;
}

/** The counts of a cell. */
export type CountedCell = Pick<ContractCell, 'state' | 'judged' | 'obeyed' | 'struck' | 'obeyedStruck'>;

/** The share that a cell shows: of struck trials where there are any, else of all that were judged; null: there is none. */
export function cellShare({ state, judged, obeyed, struck, obeyedStruck }: CountedCell): CellShare | null {
  if (state === 'not_applicable' || judged === 0) return null;
  const all = { obeyed, trials: judged, ofStruck: false };
  if (struck === null || obeyedStruck === null) return all;
  if (struck === 0) return state === 'failed' ? all : null;
  const isOfOthers = state === 'failed' && obeyedStruck === struck;
  return isOfOthers ? all : { obeyed: obeyedStruck, trials: struck, ofStruck: true };
}

/** What the shares of a matrix count; '' where no fault is declared. */
export function shareLegend({ cells }: Pick<ContractReport, 'cells'>): string {
  return cells.some(({ struck }) => struck !== null)
    ? 'Under chaos, shares are of the trials that a fault struck.'
    : '';
}

/** `7 of 1,000 struck trials obeyed, 95 % interval [0.00, 0.01]`; '' where one trial or none was judged. */
export function obeyedText(cell: ContractCell): string {
  const { judged, interval, state, why } = cell;
  if (judged < 2) return '';
  // The reason of a cell that was judged names the bar as well.
  const message = why !== null && (state === 'failed' || state === 'passed') ? plainText(why, LONGEST.sentence) : null;
  const range = interval === null ? '' : `, 95 % interval ${formatInterval(interval)}`;
  return `${message ?? shareText(cell)}${range}`;
}

/** `7 of 12 struck trials obeyed, 90 of 100 in all`. */
export function shareText(cell: CountedCell): string {
  const { judged, obeyed, struck } = cell;
  const share = cellShare(cell);
  if (share?.ofStruck !== true) {
    const none = struck === 0 ? ', none of them struck' : '';
    return `${formatCount(obeyed)} of ${plural(judged, 'trial')} obeyed${none}`;
  }
  const ofAll = share.trials === judged ? '' : `, ${formatCount(obeyed)} of ${formatCount(judged)} in all`;
  return `${formatCount(share.obeyed)} of ${plural(share.trials, 'struck trial')} obeyed${ofAll}`;
}

/** Declared faults by their names, each with what it does and, for attacks, where it strikes: `tool load: error (503 …)`. */
export function faultText({ faults }: Pick<ContractColumn, 'faults'>, label: string): string {
  const fault = faults.find((one) => one.fault === label);
  if (fault === undefined) return label;
  const where = fault.kind === 'context' && fault.where !== null ? `in ${fault.where}` : '';
  const parts = [fault.detail, where].filter((part) => part !== '').join('; ');
  return parts === '' ? label : `${label} (${parts})`;
}

/** Why a cell has its state; '' where its counts say so. */
export function whyText({ judged, state, why, evidence }: ContractCell): string {
  const isCounted = judged > 1 && (state === 'failed' || state === 'passed');
  return why === null || isCounted || why === evidence?.message ? '' : plainText(why, LONGEST.sentence);
}

/** What a cell is about, in harmless text. */
export function cellName({ row, column }: Pick<PlacedCell, 'row' | 'column'>): string {
  return `${contractName(row.id)} under ${contractName(column.name)}`;
}

/** Why a cell did not pass, in one line of harmless text. */
export function cellMessage({ cell, row }: PlacedCell): string {
  const mark = CELL_MARKS[cell.state].name;
  const message = cell.evidence?.message ?? cell.why ?? '';
  const parts = [`${row.severity} invariant ${mark}`, obeyedText(cell), plainText(message, LONGEST.sentence)];
  return parts.filter((part) => part !== '').join(' — ');
}

/** What a reader must know before the matrix is trusted, in harmless sentences. */
export function contractNotes(contract: ContractReport): readonly string[] {
  const { contaminated, similarity, columns } = contract;
  const broken = columns.filter((column) => column.broken > 0);
  return [
    ...openNotes(contract),
    ...broken.map(
      ({ name, broken: count }) =>
        `Under ${contractName(name)} ${plural(count, 'trial')} could not be judged, which does not count as obeying.`,
    ),
    ...(contaminated.length === 0
      ? []
      : [
          `The subject keeps something from column to column: answers under ${contaminated.map(contractName).join(', ')} may depend on the columns before.`,
        ]),
    ...judgedNotes(contract),
    ...contract.invariants.flatMap(({ id, isHeuristic }) =>
      isHeuristic === true ? [`${contractName(id)} compares facts and no meanings: it is a heuristic.`] : [],
    ),
    ...(similarity === null ? [] : [`Similarity was measured by ${plainText(similarity, LONGEST.name)}.`]),
  ];
}

/** What was made of a judge's verdicts, where it may decide: a matrix shows the verdicts themselves. */
function judgedNotes(contract: ContractReport): readonly string[] {
  return contract.invariants.flatMap((row) => {
    const rates = placedCells(contract).flatMap(({ row: of, column, cell: { judge, interval } }) => {
      if (of !== row || judge === undefined || judge.rate === null) return [];
      const range = interval === null ? '' : ` ${formatInterval(interval)}`;
      return [`${formatRate(judge.rate)}${range} under ${contractName(column.name)}`];
    });
    if (rates.length === 0) return [];
    return [`${contractName(row.id)} is decided by what people would find instead of its judge: ${rates.join(', ')}.`];
  });
}

/** Why cells are inconclusive, column by column. */
function openNotes(contract: ContractReport): readonly string[] {
  return contract.columns.flatMap((column) => {
    const open = placedCells(contract).filter((one) => one.column === column && one.cell.state === 'inconclusive');
    if (open.length === 0) return [];
    const ids = open.map(({ row }) => contractName(row.id)).join(', ');
    const whys = new Set(open.map(({ cell }) => cell.why ?? neverFired(column)));
    const why = [...whys].join('; ');
    // The reasons of the verdict may have said it already.
    const isSaid = contract.reasons.some((reason) => reason.endsWith(`: ${why}.`));
    const because = isSaid ? '' : ` — ${plainText(why, LONGEST.sentence).replace(/\.$/, '')}`;
    return [`Inconclusive under ${contractName(column.name)}: ${ids}${because}.${callsText(column)}`];
  });
}

/**
 * The calls that were seen, for a fault of tools that never fired: its name may be wrong. '': each fired, or none is
 * declared.
 */
function callsText({ faults, calls }: ContractColumn): string {
  if (!faults.some(({ kind, fired }) => kind === 'tool' && fired === 0)) return '';
  if (calls.length === 0) return ' No call of a tool was seen.';
  return ` Calls that were seen: ${calls.map((name) => JSON.stringify(contractName(name))).join(', ')}.`;
}

function neverFired({ faults }: ContractColumn): string {
  const unfired = faults.filter(({ fired }) => fired === 0).map(({ fault }) => fault);
  return unfired.length === 0 ? 'no reason is known' : `never fired: ${unfired.join(', ')}`;
}

/** A name of a contract, a column or an invariant, harmless and short. */
export function contractName(name: string): string {
  return plainName(name, LONGEST.name);
}
