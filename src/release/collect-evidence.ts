import { PasskError } from '../errors.ts';
import { digestOf } from '../records/plan-digest.ts';
import { isConstant } from '../suite/is-constant.ts';
import type { FinishedRun } from '../suite/run-suite.ts';
import type { LedgerLine } from '../types/record.ts';
import type { Tier } from '../types/release/release-rules.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import type { RunPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import { factsOf } from '../types/subjects.ts';
import { COUNTERS } from '../types/trial.ts';
import type { TallyRow } from '../types/rows/tally-row.ts';
import type { PlannedEvidence } from './evidence.ts';
import { priceLine } from './price-line.ts';
import type { RateCard } from './rate-card.ts';
import { isHeuristic } from '../types/judges/named-judges.ts';
import { scenarioHash } from './scenario-hash.ts';
import { UNTOLD_MODEL } from './release-texts.ts';
import { groupBy } from '../values/group-by.ts';

/** The scenarios of a run and their trials, as a release is judged by them. */
export interface CollectedEvidence {
  /** By hash. */
  readonly scenarios: readonly PlannedEvidence[];
  /** By scenario hash, then by trial. */
  readonly trials: readonly TrialLine[];
}

const RETRIES = COUNTERS.indexOf('retries');
const TOKENS = ['promptTokens', 'completionTokens'] as const;

/** A scenario, or a task of recorded runs, at its place in the plan. */
interface Planned {
  readonly at: number;
  readonly task: string | null;
  readonly evidence: PlannedEvidence;
}

export interface PlanEvidenceOptions {
  readonly governed: boolean;
  readonly tier: Tier;
  /** How many runs each task has of the scenario at this place of the plan: of recorded runs each task is a scenario. */
  readonly tasksAt: (at: number) => ReadonlyMap<string | null, number>;
}

/**
 * The scenarios of a plan as a release is judged by them, with the places that they have in it. Scenarios that stand for a part
 * of something else, such as a cell of a contract, are judged by what they are a part of, and those whose answers are enumerated
 * by their exact numbers. Throws `INPUT` with the files that do not say which suite they belong to, where the tier asks for it,
 * and `INTEGRITY` where two scenarios try the same under the same name.
 */
export function planEvidence(
  { scenarios }: RunPlan,
  { governed, tier, tasksAt }: PlanEvidenceOptions,
): readonly Planned[] {
  const planned: Planned[] = [];
  const taken = new Set<string>();
  const judged = scenarios.map(({ scenario }) => scenario).filter(({ part }) => part === undefined);
  const unassigned = judged.filter(({ origin }) => origin?.suite === undefined);
  if (governed && unassigned.length > 0) throw withoutSuite(unassigned, tier);
  for (const [at, one] of scenarios.entries()) {
    const { scenario, sampler, trials } = one;
    if (scenario.part !== undefined || sampler === 'exhaustive') continue;
    const tasks = tasksAt(at);
    for (const [task, runs] of tasks.size === 0 ? NO_TASKS : tasks) {
      const evidence = evidenceOf(scenario, task, task === null ? trials : runs);
      const hash = uniqueHash(evidence, taken);
      taken.add(hash);
      const constant = isConstant(one) || isConstantTask(scenario, task) ? ({ isConstant: true } as const) : {};
      const copyOf = hash === evidence.hash ? null : evidence.hash;
      planned.push({ at, task, evidence: { ...evidence, ...constant, hash, copyOf } });
    }
  }
  return planned;
}

/** What a run with rows gave. Throws as `planEvidence` does. */
export function collectEvidence(
  { plan, scenarios }: Pick<FinishedRun, 'plan' | 'scenarios'>,
  { rateCard, ...rules }: Omit<PlanEvidenceOptions, 'tasksAt'> & { readonly rateCard: RateCard | null },
): CollectedEvidence {
  const rows = scenarios.map(({ tally }) => groupBy(tally?.rows?.list() ?? [], ({ task }) => task));
  const tasksAt = (at: number): ReadonlyMap<string | null, number> =>
    new Map([...(rows[at] ?? [])].map(([task, own]) => [task, own.length]));
  const planned = planEvidence(plan, { ...rules, tasksAt });
  const trials = new Map<string, readonly TrialLine[]>();
  for (const { at, task, evidence } of planned) {
    const { tally } = scenarios[at] ?? {};
    const subject = plan.scenarios[at]?.scenario.subject;
    const isRecorded = subject !== undefined && factsOf(subject).isRecorded;
    const isSilent = TOKENS.some((name) => tally?.sessions?.isUntold(name) === true);
    const own = rows[at]?.get(task) ?? [];
    trials.set(
      evidence.hash,
      own.map((row) => {
        const ledger = isRecorded ? toldLedger(row) : isSilent ? untoldLedger(row) : row.ledger;
        return lineOf({ ...row, ledger }, evidence.hash, rateCard);
      }),
    );
  }
  const all = planned.map(({ evidence }) => evidence).sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return { scenarios: all, trials: all.flatMap(({ hash }) => trials.get(hash) ?? []) };
}

const NO_TASKS: ReadonlyMap<string | null, number> = new Map([[null, 0]]);

function isConstantTask({ subject }: Scenario, task: string | null): boolean {
  return task !== null && subject.kind === 'recording' && subject.constantTasks?.includes(task) === true;
}

function evidenceOf(scenario: Scenario, task: string | null, planned: number): PlannedEvidence {
  const { suite, ...origin } = scenario.origin ?? {};
  return {
    hash: scenarioHash(scenario, task),
    name: task === null ? scenario.name : `${scenario.name}: ${task}`,
    suite: suite ?? 'validation',
    copyOf: null,
    isSuiteAssumed: suite === undefined,
    ...(isHeuristic(scenario.expected) && { isHeuristic: true as const }),
    ...(task !== null && { isRecorded: true as const }),
    tags: scenario.tags,
    origin,
    minPassRate: scenario.minPassRate,
    planned,
  };
}

/** Scenarios that try the same under other names are still told apart; governance names them. */
function uniqueHash({ hash, name }: PlannedEvidence, taken: ReadonlySet<string>): string {
  if (!taken.has(hash)) return hash;
  const other = digestOf(`${hash}\n${name}`);
  if (!taken.has(other)) return other;
  throw new PasskError('INTEGRITY', `Two scenarios of the name "${name}" try the same.`, {
    hint: 'Leave one of them out.',
  });
}

/** Of a recorded run whose source lists no costs of models its tokens; where it tells none, a line that nobody can price. */
function toldLedger({ ledger, counters }: TallyRow): readonly LedgerLine[] {
  const [promptTokens = null, completionTokens = null] = TOKENS.map((name) => counters[COUNTERS.indexOf(name)]);
  if (promptTokens === null || completionTokens === null) return untoldLedger({ ledger });
  if (ledger.some(({ kind }) => kind === 'model')) return ledger;
  const usage = { promptTokens, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return [...ledger, { ...MODEL_LINE, usage }];
}

/** Nobody tells what the models took that it asks out of sight: a line that nobody can price, where none is listed. */
function untoldLedger({ ledger }: Pick<TallyRow, 'ledger'>): readonly LedgerLine[] {
  if (ledger.some(({ kind }) => kind === 'model')) return ledger;
  return [...ledger, { ...MODEL_LINE, usage: null }];
}

const MODEL_LINE = { kind: 'model', name: UNTOLD_MODEL, attempt: 1, units: 1, nanoUsd: null } as const;

function lineOf({ trial, verdict, counters, ledger }: TallyRow, scenario: string, card: RateCard | null): TrialLine {
  return {
    scenario,
    trial,
    verdict,
    retries: counters[RETRIES] ?? 0,
    ledger: ledger.map((line) => ({ ...line, nanoUsd: priceLine(line, card)?.toString() ?? null })),
  };
}

function withoutSuite(scenarios: readonly Scenario[], tier: Tier): PasskError {
  return new PasskError('INPUT', `The tier ${tier} needs each scenario to say which suite it belongs to.`, {
    issues: scenarios.map(({ file, name }) => ({
      severity: 'error',
      code: 'missing_suite',
      message: `"${name}" of ${file} has no key "suite".`,
      hint: 'Add suite = "validation", or one of regression, exploration, stress and adversarial.',
    })),
  });
}
