import { SIMILARITY_METHOD } from '../checks/invariants/text-similarity.ts';
import { lowestDisobeying } from '../suites/contract/cell-evidence.ts';
import { foldContracts } from '../suites/contract/fold-contracts.ts';
import { overallScore } from '../suites/contract/overall-score.ts';
import type { ContractPartResult, PartTrial } from '../suites/contract/part-result.ts';
import type { AgentFacts, Contract } from '../types/contract.ts';
import type { Issue } from '../types/issue.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { FailureReport, ScenarioReport, SuiteReport } from '../types/report.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { outcomeAnswers, recordAnswers } from './part-answers.ts';
import { runsInline } from '../pool/executor.ts';
import { seeTrials, type WantedTrial } from './see-trials.ts';
import { traceCommand } from './trace-command.ts';

export interface FoldPartsInput {
  readonly contracts: readonly Contract[];
  /** What their files ask for that is not run. */
  readonly notRun: readonly string[];
  readonly plan: RunPlan;
  /** By position in the plan. */
  readonly reports: ReadonlyMap<number, ScenarioReport>;
  /** By contract. */
  readonly agents: Readonly<Record<string, AgentFacts>>;
  readonly options: ResolvedRunOptions;
}

export interface FoldedParts {
  /** Null: there is no contract. */
  readonly contracts: Required<Pick<SuiteReport, 'contracts' | 'overall'>> | null;
  readonly notices: readonly Issue[];
}

/** Trials that are run again for the sake of their answers; each is one trial more, on this thread. */
const MOST_SEEN = 200;

/** The results of all contracts from those of the scenarios that they were run as. */
export async function foldParts(input: FoldPartsInput): Promise<FoldedParts> {
  const { contracts, notRun, agents, options } = input;
  if (contracts.length === 0) return { contracts: null, notices: [] };
  const parts = partsOf(input);
  const disobeying = wantedTrials(contracts, parts);
  const wanted = [...disobeying, ...firstTrials(parts, disobeying)].slice(0, MOST_SEEN);
  const seen = await seeTrials(wanted, options);
  const told = parts.map(({ plan, part }) => ({ ...part, seen: [...seenOf(plan, wanted, seen), ...part.seen] }));
  const reports = foldContracts(contracts, told, { similarity: SIMILARITY_METHOD, agents });
  const scored = contracts.flatMap(({ scoring }, at) => {
    const report = reports[at];
    return report === undefined ? [] : [{ report, scoring }];
  });
  return {
    contracts: { contracts: reports, overall: overallScore(scored, notRun) },
    notices: disobeying.length > MOST_SEEN ? [unseenNotice(disobeying.length - MOST_SEEN)] : [],
  };
}

interface PlannedPart {
  readonly plan: ScenarioPlan;
  readonly part: ContractPartResult;
}

function partsOf({ plan, reports, options }: FoldPartsInput): readonly PlannedPart[] {
  return plan.scenarios.flatMap((planned) => {
    const { part: own, expected } = planned.scenario;
    const report = reports.get(planned.index);
    if (own === undefined || report === undefined) return [];
    const part = {
      ...own,
      report,
      judged: (expected.invariants?.list ?? []).map(({ id }) => id),
      seen: report.failures.map((failure) => failureSeen(planned, failure)),
      replay: (trial: number) => traceCommand(planned, trial, options),
    };
    return [{ plan: planned, part }];
  });
}

/** A failing trial as it was recorded; without a record its answers are not known. */
function failureSeen(plan: ScenarioPlan, { trial, findings, fired = [], trace, record }: FailureReport): PartTrial {
  if (record !== undefined) return { trial, findings, answers: recordAnswers(record), fired };
  const end = trace?.events.findLast((event) => event.kind === 'end' && event.walk === '');
  return {
    trial,
    findings,
    answers: end?.kind === 'end' ? outcomeAnswers(plan, end.outcome) : [],
    fired,
  };
}

/** The trials that red cells are shown with, each once, as far as they can be run again anywhere. */
function wantedTrials(contracts: readonly Contract[], parts: readonly PlannedPart[]): readonly WantedTrial[] {
  const wanted = new Map<string, WantedTrial>();
  for (const { name, invariants, matrix } of contracts) {
    const own = parts.filter(({ part, plan }) => part.of === name && runsInline(plan));
    for (const { id } of invariants) {
      for (const column of matrix) {
        const cell = own.filter(({ part }) => part.column === column.name && part.judged.includes(id));
        const lowest = lowestDisobeying(
          cell.map(({ part }) => part),
          id,
        );
        const found = cell.find(({ part }) => part === lowest?.part);
        if (lowest === null || found === undefined) continue;
        const { trial } = lowest;
        wanted.set(`${found.plan.index} ${trial}`, { plan: found.plan, trial });
      }
    }
  }
  return [...wanted.values()];
}

/** The first trial of each part that can be run again: green cells are shown with it. */
function firstTrials(parts: readonly PlannedPart[], others: readonly WantedTrial[]): readonly WantedTrial[] {
  const seen = new Set(others.filter(({ trial }) => trial === 0).map(({ plan }) => plan));
  return parts
    .filter(({ plan, part }) => runsInline(plan) && part.report.trials.passed > 0 && !seen.has(plan))
    .map(({ plan }) => ({ plan, trial: 0 }));
}

function seenOf(plan: ScenarioPlan, wanted: readonly WantedTrial[], seen: readonly PartTrial[]): readonly PartTrial[] {
  return seen.filter((_, at) => wanted[at]?.plan === plan);
}

function unseenNotice(count: number): Issue {
  return {
    code: 'answers_left_out',
    severity: 'warning',
    message: `${count} more disobeying trial${count === 1 ? ' is' : 's are'} shown without the answer: at most ${MOST_SEEN} are run again.`,
    hint: 'passk trace shows any of them.',
  };
}
