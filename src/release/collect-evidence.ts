import { PasskError } from '../errors.ts';
import { digestOf } from '../records/plan-digest.ts';
import { isConstant } from '../suite/is-constant.ts';
import type { FinishedRun } from '../suite/run-suite.ts';
import type { LedgerLine } from '../types/record.ts';
import type { Tier } from '../types/release/release-rules.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
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

/**
 * What a run with rows gave. Scenarios that stand for a part of something else, such as a cell of a contract, are judged by
 * what they are a part of, and those whose answers are enumerated by their exact numbers. Throws `INPUT` with the files that do not say which suite they belong to, where the tier asks for
 * it, and `INTEGRITY` where two scenarios try the same under the same name.
 */
export function collectEvidence(
  { plan, scenarios }: Pick<FinishedRun, 'plan' | 'scenarios'>,
  { rateCard, governed, tier }: { readonly rateCard: RateCard | null; readonly governed: boolean; readonly tier: Tier },
): CollectedEvidence {
  const planned: PlannedEvidence[] = [];
  const trials = new Map<string, readonly TrialLine[]>();
  const unassigned: Scenario[] = [];
  for (const [at, one] of plan.scenarios.entries()) {
    const { scenario, sampler, trials: requested } = one;
    if (scenario.part !== undefined) continue;
    if (scenario.origin?.suite === undefined) unassigned.push(scenario);
    if (sampler === 'exhaustive') continue;
    const tally = scenarios[at]?.tally;
    const rows = tally?.rows?.list() ?? [];
    const { isRecorded } = factsOf(scenario.subject);
    const isSilent = TOKENS.some((name) => tally?.sessions?.isUntold(name) === true);
    for (const [task, own] of byTask(rows)) {
      const evidence = evidenceOf(scenario, task, task === null ? requested : own.length);
      const hash = uniqueHash(evidence, trials);
      const constant = isConstant(one) || isConstantTask(scenario, task) ? ({ isConstant: true } as const) : {};
      planned.push({ ...evidence, ...constant, hash, copyOf: hash === evidence.hash ? null : evidence.hash });
      trials.set(
        hash,
        own.map((row) => {
          const ledger = isRecorded ? toldLedger(row) : isSilent ? untoldLedger(row) : row.ledger;
          return lineOf({ ...row, ledger }, hash, rateCard);
        }),
      );
    }
  }
  if (governed && unassigned.length > 0) throw withoutSuite(unassigned, tier);
  planned.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return { scenarios: planned, trials: planned.flatMap(({ hash }) => trials.get(hash) ?? []) };
}

/** Rows by task: each task of recorded runs is a scenario, because its attempts are alike. */
function byTask(rows: readonly TallyRow[]): ReadonlyMap<string | null, readonly TallyRow[]> {
  const tasks = groupBy(rows, ({ task }) => task);
  if (tasks.size === 0) tasks.set(null, []);
  return tasks;
}

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
function uniqueHash({ hash, name }: PlannedEvidence, taken: ReadonlyMap<string, unknown>): string {
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
