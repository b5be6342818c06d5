import type { Contract, ChaosScenario } from '../types/contract.ts';
import type { ContractCell, ContractColumn, ContractReport } from '../types/contract-report.ts';
import type { Invariant, When } from '../types/invariant.ts';
import { appliesIn } from './applies-in.ts';
import { comparesTexts } from './compares-texts.ts';
import { foldCell } from './fold-cell.ts';
import { type ContractPartResult, firedIn } from './part-result.ts';
import { scoreContract } from './score-contract.ts';

/** What the parts of contracts cannot tell. */
export interface FoldContractsOptions {
  /** How similarity is measured where a contract names nothing else. */
  readonly similarity: string;
  /** Columns whose answers may depend on earlier ones, by the contract's name. */
  readonly contaminated: Readonly<Record<string, readonly string[]>>;
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
    const own = parts.filter((part) => part.contract === contract.name);
    return foldContract(contract, own.sort(byPrompt), options);
  });
}

function foldContract(
  contract: Contract,
  parts: readonly ContractPartResult[],
  { similarity, contaminated }: FoldContractsOptions,
): ContractReport {
  const { invariants } = contract;
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
  const score = scoreContract(
    judged.map(({ invariant, cell }) => ({ state: cell.state, severity: invariant.severity })),
  );
  return {
    name: contract.name,
    file: contract.file,
    description: contract.description ?? null,
    phase: contract.phase,
    ...verdictOf(judged, score),
    score,
    trials: parts[0]?.report.trials.requested ?? contract.trials,
    columns: columns.map((column) => columnOf(column, partsOf(column))),
    invariants: invariants.map(({ id, rule, severity, when, negate }) => ({
      id,
      type: rule.type,
      severity,
      when,
      negate,
    })),
    cells: judged.map(({ cell }) => cell),
    contaminated: columns.map(({ name }) => name).filter((name) => contaminated[contract.name]?.includes(name)),
    similarity: invariants.some(comparesTexts) ? (contract.similarity ?? similarity) : null,
  };
}

function cellOf(
  { minPassRate }: Contract,
  invariant: Invariant,
  column: ChaosScenario,
  inColumn: readonly ContractPartResult[],
): ContractCell {
  const parts = inColumn.filter(({ judged }) => judged.includes(invariant.id));
  if (parts.length > 0) return foldCell({ invariant, column: column.name, minPassRate, parts });
  const { when } = invariant;
  const applies = appliesIn(when, column);
  return {
    invariant: invariant.id,
    column: column.name,
    state: applies ? 'broken' : 'not_applicable',
    judged: 0,
    obeyed: 0,
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

function columnOf({ name }: ChaosScenario, parts: readonly ContractPartResult[]): ContractColumn {
  return {
    name,
    faults: firedIn(parts),
    broken: parts.reduce((sum, { report }) => sum + report.trials.broken, 0),
  };
}

interface JudgedCell {
  readonly invariant: Invariant;
  readonly cell: ContractCell;
}

/** A critical cell that failed fails the contract; what could not be judged, or proved nothing where it must, keeps it open. */
function verdictOf(cells: readonly JudgedCell[], score: number | null): Pick<ContractReport, 'verdict' | 'reasons'> {
  const failed = cells.filter(({ invariant, cell }) => cell.state === 'failed' && invariant.severity === 'critical');
  if (failed.length > 0) {
    return { verdict: 'failed', reasons: failed.map((one) => sentence(one, 'failed in')) };
  }
  const reasons = cells.flatMap((one) => {
    const { state } = one.cell;
    if (state === 'broken') return [sentence(one, 'could not be judged in')];
    return state === 'inconclusive' && one.invariant.severity === 'critical'
      ? [sentence(one, 'proved nothing in')]
      : [];
  });
  if (score === null) reasons.push('No cell was judged.');
  return { verdict: reasons.length === 0 ? 'passed' : 'insufficient', reasons };
}

function sentence({ invariant: { id, severity }, cell }: JudgedCell, what: string): string {
  const why = cell.why === null ? '' : `: ${cell.why}`;
  return `${id} ${what} ${cell.column} (${severity})${why}.`;
}

function byPrompt(a: ContractPartResult, b: ContractPartResult): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.report.name < b.report.name ? -1 : a.report.name > b.report.name ? 1 : 0;
}
