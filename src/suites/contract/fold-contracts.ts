import type { AgentFacts, ChaosScenario, Contract } from '../../types/contract.ts';
import type { ContractCell, ContractColumn, ContractReport, ContractRow } from '../../types/reports/contract-report.ts';
import type { Invariant, When } from '../../types/invariant.ts';
import { faultDetails } from '../../faults/chaos/fault-details.ts';
import { faultLabels } from '../../faults/chaos/fault-labels.ts';
import { meetsBar } from '../../gate/meets-bar.ts';
import { barTexts } from '../../text/format-rate.ts';
import { UNCALIBRATED } from '../../gate/read-judged.ts';
import { appliesIn } from './applies-in.ts';
import { comparesTexts } from './compares-texts.ts';
import { faultPlaces, seesCalls } from './fault-places.ts';
import { foldMutations, robustnessScore } from './mutations/fold-mutations.ts';
import { foldReplays, replayScore, replayVerdict } from './replays/fold-replays.ts';
import { foldCell } from './fold-cell.ts';
import { type ContractPartResult, firedIn } from './part-result.ts';
import { mergeJudges } from './merge-judges.ts';
import { scoreContract } from './score-contract.ts';
import { firstNames } from '../../text/first-names.ts';

/** What the parts of contracts cannot tell. */
export interface FoldContractsOptions {
  /** How similarity is measured where a contract names nothing else. */
  readonly similarity: string;
  /** What the run learned of agents, by the contract's name. */
  readonly agents: Readonly<Record<string, AgentFacts>>;
}

/**
 * The results of contracts from those of their parts, in the order of contracts. Pure, and the same for any order of
 * parts.
 */
export function foldContracts(
  contracts: readonly Contract[],
  parts: readonly ContractPartResult[],
  options: FoldContractsOptions,
): readonly ContractReport[] {
  return contracts.map((contract) => {
    const contractParts = parts.filter((part) => part.of === contract.name);
    return foldContract(contract, contractParts.sort(byPrompt), options);
  });
}

function foldContract(
  contract: Contract,
  parts: readonly ContractPartResult[],
  { similarity, agents }: FoldContractsOptions,
): ContractReport {
  const { invariants } = contract;
  const { contaminated } = agents[contract.name] ?? { contaminated: [] };
  const partsOf = ({ name }: ChaosScenario): readonly ContractPartResult[] =>
    parts.filter(({ column }) => column === name);
  // A column that the run's filters left out has no part though something applies in it.
  const columns = contract.matrix.filter(
    (column) => partsOf(column).length > 0 || !invariants.some(({ when }) => appliesIn(when, column)),
  );
  const rows = invariants.map((invariant) => ({
    invariant,
    cells: columns.map((column) => cellOf(contract, invariant, column, partsOf(column))),
  }));
  const judged = rows.flatMap(({ invariant, cells }) => cells.map((cell) => ({ invariant, cell })));
  const robustness = foldMutations(contract, parts);
  const weighed = judged.map(({ invariant, cell }) => ({ state: cell.state, severity: invariant.severity, cell }));
  const sessions = foldReplays(
    contract,
    weighed,
    columns.map(({ name }) => name),
  );
  const score =
    sessions !== null
      ? replayScore(sessions)
      : robustness === null
        ? scoreContract(weighed)
        : robustnessScore(robustness, contract.mutations?.weights ?? []);
  const judges = mergeJudges(parts.flatMap(({ report }) => (report.judges === undefined ? [] : [report.judges])));
  return {
    kind: 'contract',
    name: contract.name,
    file: contract.file,
    description: contract.description ?? null,
    phase: contract.phase,
    ...(sessions === null ? verdictOf(judged, { score, minScore: contract.minScore }) : replayVerdict(sessions)),
    score,
    trials: parts[0]?.report.trials.requested ?? contract.trials,
    columns: columns.map((column) => columnOf(contract, column, partsOf(column))),
    invariants: invariants.map(({ id, rule, severity, when, negate }, row) => ({
      id,
      type: rule.type,
      severity,
      when,
      negate,
      ...(rule.type === 'faithful' && rule.judge === undefined && { isHeuristic: true as const }),
      ...placeIn(contract, row),
    })),
    cells: judged.map(({ cell }) => cell),
    ...(robustness !== null && { robustness }),
    ...(sessions !== null && { sessions }),
    contaminated: columns.map(({ name }) => name).filter((name) => contaminated.includes(name)),
    similarity: invariants.some(comparesTexts) ? (contract.similarity ?? similarity) : null,
    ...(judges.length > 0 && { judges }),
  };
}

/** Where the file has a row; {}: nobody knows. */
function placeIn({ file, places }: Contract, row: number): Partial<Pick<ContractRow, 'at'>> {
  const place = places?.[row];
  return place === undefined ? {} : { at: { file, ...place } };
}

function cellOf(
  { minPassRate, subject }: Contract,
  invariant: Invariant,
  column: ChaosScenario,
  inColumn: readonly ContractPartResult[],
): ContractCell {
  const parts = inColumn.filter(({ judged }) => judged.includes(invariant.id));
  if (parts.length > 0) return foldCell({ invariant, column, minPassRate, seesCalls: seesCalls(subject), parts });
  const { when } = invariant;
  const applies = appliesIn(when, column);
  return {
    invariant: invariant.id,
    column: column.name,
    state: applies ? 'broken' : 'not_applicable',
    judged: 0,
    obeyed: 0,
    struck: null,
    obeyedStruck: null,
    interval: null,
    why: applies ? 'its prompts were not asked' : WHERE[when],
    evidence: null,
  };
}

/** Why an invariant is not judged in a column. */
const WHERE: Readonly<Record<When, string>> = {
  always: 'judged everywhere',
  tool_faults_active: 'judged only where tools fail',
  llm_faults_active: 'judged only where models fail',
  any_chaos_active: 'judged only under chaos',
  no_chaos: 'judged only without chaos',
};

const MOST_CALLS = 32;

function columnOf({ subject }: Contract, column: ChaosScenario, parts: readonly ContractPartResult[]): ContractColumn {
  const [labels, details, places] = [faultLabels(column), faultDetails(column), faultPlaces(column, subject)];
  return {
    name: column.name,
    faults: firedIn(parts).map((count) => {
      const at = labels.indexOf(count.fault);
      return { ...count, detail: details[at] ?? '', where: places[at] ?? null };
    }),
    calls: [...new Set(parts.flatMap(({ report }) => report.calls ?? []))].sort().slice(0, MOST_CALLS),
    broken: parts.reduce((sum, { report }) => sum + report.trials.broken, 0),
  };
}

interface JudgedCell {
  readonly invariant: Invariant;
  readonly cell: ContractCell;
}

/**
 * A critical cell that failed fails the contract, and so does a score below its bar or of 0; what could not be judged, or
 * proved nothing where it must, keeps it open. Reasons name cells and leave it to the cells to say why.
 */
function verdictOf(cells: readonly JudgedCell[], bars: ScoreBars): Pick<ContractReport, 'verdict' | 'reasons'> {
  const critical = cells.filter(({ invariant }) => invariant.severity === 'critical');
  const inState = (list: readonly JudgedCell[], state: ContractCell['state']): readonly JudgedCell[] =>
    list.filter(({ cell }) => cell.state === state);
  const failed = inState(critical, 'failed');
  const failures = [...(failed.length > 0 ? [naming(failed, 'critical cell', 'failed')] : []), ...belowBar(bars)];
  if (failures.length > 0) return { verdict: 'failed', reasons: failures };
  const broken = inState(cells, 'broken');
  const open = inState(critical, 'inconclusive').filter(({ cell: { judge } }) => judge?.rate !== null);
  const unruled = inState(cells, 'inconclusive').filter(({ cell: { judge } }) => judge?.rate === null);
  const reasons = [
    ...undecidedByJudges(unruled),
    ...(broken.length > 0 && bars.score !== null ? [naming(broken, 'cell', 'could not be judged')] : []),
    ...(open.length > 0 ? [naming(open, 'critical cell', 'proved nothing')] : []),
    ...(bars.score === null ? [unjudged(cells)] : []),
  ];
  return { verdict: reasons.length === 0 ? 'passed' : 'insufficient', reasons };
}

/** Whatever a cell weighs: a judge that may not decide does not leave the verdict to the other cells. */
function undecidedByJudges(cells: readonly JudgedCell[]): readonly string[] {
  const isMeasured = ({ cell }: JudgedCell): boolean => cell.judge?.standing === 'calibrated';
  const unmeasured = cells.filter((one) => !isMeasured(one));
  const unbarred = cells.filter(isMeasured);
  return [
    ...(unmeasured.length > 0
      ? [`${UNCALIBRATED}: ${naming(unmeasured, 'cell', 'had no judge that may decide')}`]
      : []),
    ...(unbarred.length > 0 ? [naming(unbarred, 'cell', 'had no rate that a judge could be held to')] : []),
  ];
}

interface ScoreBars {
  /** From 0 to 100. */
  readonly score: number | null;
  /** From 0 to 1. */
  readonly minScore: number | null;
}

/** A subject that obeys nothing does not pass, whatever its rules weigh. */
function belowBar({ score, minScore }: ScoreBars): readonly string[] {
  if (score === null) return [];
  const [bar, text] = barTexts(minScore ?? 0, score / 100);
  if (minScore !== null && !meetsBar(score, 100, minScore)) return [`The score ${text} is below its bar ${bar}.`];
  return score === 0 ? ['No judged cell passed.'] : [];
}

/** With the reason, where all cells have the same. */
function unjudged(cells: readonly JudgedCell[]): string {
  const open = cells.filter(({ cell: { state } }) => state === 'inconclusive' || state === 'broken');
  const whys = new Set(open.map(({ cell: { why } }) => why));
  const [only = null] = whys;
  return whys.size === 1 && only !== null ? `No cell was judged: ${only}.` : 'No cell was judged.';
}

/** More cells than this are counted instead of named. */
const MOST_NAMED = 6;

function naming(cells: readonly JudgedCell[], one: string, what: string): string {
  const names = cells.map(({ invariant, cell }) => `${invariant.id} in ${cell.column}`);
  const listed = firstNames(names, MOST_NAMED);
  return `${cells.length} ${one}${cells.length === 1 ? '' : 's'} ${what}: ${listed}.`;
}

function byPrompt(a: ContractPartResult, b: ContractPartResult): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.report.name < b.report.name ? -1 : a.report.name > b.report.name ? 1 : 0;
}
