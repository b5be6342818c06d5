import { plural } from '../text/format-number.ts';
import { type RegressionVerdict, regressionGate } from '../gate/regression-gate.ts';
import { mcNemar } from '../stats/mcnemar.ts';
import { pairedDifferenceInterval } from '../stats/paired-difference.ts';
import { passHatK } from '../stats/pass-hat-k.ts';
import { meanDifference, rateDifference } from '../suite/recordings/mean-difference.ts';
import type { ComparedMean } from '../types/reports/comparison.ts';
import type { DriftReport, ScenarioDrift } from '../types/reports/drift.ts';
import type { PreferenceReport } from '../types/judges/preference-report.ts';
import type {
  GoldenChange,
  GoldenLimits,
  GoldenNoise,
  GoldenReport,
  GoldenTasks,
} from '../types/golden/golden-report.ts';
import type { GoldenRun, GoldenTask } from '../types/golden/golden-set.ts';
import { goldenLevels } from './golden-levels.ts';
import { preferenceReasons } from './golden-preference.ts';
import { trajectoryOf } from './golden-trajectory.ts';
import { didWorse, idleReasons, isMixed, perSuccess, type TaskPair, taskPairs, verdictOf } from './golden-tasks.ts';

/** The largest k of pass^k that is compared. */
const MOST_K = 8;

export type GoldenJudgement = Pick<
  GoldenReport,
  | 'verdict'
  | 'reasons'
  | 'paired'
  | 'unjudged'
  | 'tasks'
  | 'passHatK'
  | 'cost'
  | 'trajectory'
  | 'preference'
  | 'noise'
  | 'worse'
  | 'flaky'
  | 'changes'
> & {
  /** Tasks that regressed, with what shows it. */
  readonly regressed: readonly { readonly pair: TaskPair; readonly shownBy: 'task' | 'set' }[];
};

export interface JudgeGoldenInput {
  /** Of the baseline; the first is compared with. */
  readonly runs: readonly GoldenRun[];
  readonly candidate: GoldenRun;
  /** The candidate compared with that first run, at the level for single tasks. */
  readonly drift: Pick<DriftReport, 'scenarios'>;
  readonly limits: GoldenLimits;
  readonly seed: number;
  /** What a judge prefers; absent: none was asked. */
  readonly preference?: PreferenceReport;
}

/**
 * Whether a candidate is worse than the baseline of a golden set, and which tasks are to blame. Every test looks at the first
 * run of the baseline and at all tasks, flaky ones too: to leave out those on which runs of the baseline disagree would make the
 * others look better than they are, and the candidate worse. Further runs raise the limits to what the baseline does against
 * itself, and tell flaky tasks from lost ones. Sources: release-gate F-07 to F-09, R-01 to R-05. Pure.
 */
export function judgeGolden({ runs, candidate, drift, limits, seed, preference }: JudgeGoldenInput): GoldenJudgement {
  const { all, paired, unjudged } = taskPairs(runs, candidate);
  const k = Math.min(MOST_K, ...paired.flatMap(({ runs: own, after }) => [after, ...own].map(({ trials }) => trials)));
  const rates = paired.length === 0 ? [] : [...new Set([1, k])];
  const noise = noiseOf(paired, k);
  const tasks = tasksOf(paired);
  const gate = gateOf(paired, { k, limits, noise, isJudged: preference?.judge.verdict === 'calibrated' });
  const preferred = preferenceReasons(preference, limits);
  const flagged = flaggedTasks(drift.scenarios, paired);
  const lost = paired.filter(isLost);
  const lostTooMany = gate.isLoss ? lost.filter((pair) => !flagged.has(pair) && !isMixed(pair)) : [];
  const regressed = [
    ...[...flagged].map((pair) => ({ pair, shownBy: 'task' as const })),
    ...lostTooMany.map((pair) => ({ pair, shownBy: 'set' as const })),
  ];
  const blamed = new Set(regressed.map(({ pair }) => pair));
  const fails = [...flagReasons(flagged), ...(gate.verdict === 'fail' ? gate.reasons : []), ...preferred.fails];
  const open = [
    ...(gate.verdict === 'insufficient' ? gate.reasons : []),
    ...unjudgedReasons(unjudged, all),
    ...untoldReasons(paired),
    ...idleReasons(paired),
    ...preferred.open,
    ...(all < limits.minTasks
      ? [`The set has ${plural(all, 'task')}, fewer than the ${limits.minTasks} asked for.`]
      : []),
  ];
  return {
    verdict: fails.length > 0 ? 'fail' : open.length > 0 ? 'insufficient' : 'pass',
    reasons: [...fails, ...open],
    paired: paired.length,
    unjudged,
    tasks,
    passHatK: rates.flatMap((one) => {
      const mean = rateDifference(comparedTasks(paired), (task) => hatK(task, one), { seed, pairs: null });
      return mean === null ? [] : [{ k: one, ...mean }];
    }),
    cost: {
      usd: isPriced(paired) ? costPerTrial(paired, ({ usd }) => usd ?? 0, seed) : null,
      tokens: isTold(paired) ? costPerTrial(paired, ({ tokens }) => tokens ?? 0, seed) : null,
      perSuccess: gate.costIncrease,
    },
    trajectory: trajectoryOf(paired, runs, candidate),
    ...(preference !== undefined && { preference }),
    noise,
    changes: changesOf(paired, blamed),
    worse: paired.filter((pair) => !blamed.has(pair) && didWorse(pair) && !isMixed(pair)).map(({ name }) => name),
    flaky: paired.filter((pair) => !blamed.has(pair) && didWorse(pair) && isMixed(pair)).map(({ name }) => name),
    regressed,
  };
}

/** Tasks that are listed. */
const MOST_CHANGES = 200;

function changesOf(paired: readonly TaskPair[], blamed: ReadonlySet<TaskPair>): readonly GoldenChange[] {
  const gain = ({ before, after }: TaskPair): number => after.passed / after.trials - before.passed / before.trials;
  const became = (pair: TaskPair): GoldenChange['became'] => {
    if (blamed.has(pair)) return 'regressed';
    if (gain(pair) > 0) return 'better';
    return isMixed(pair) ? 'flaky' : 'worse';
  };
  const counts = ({ passed, trials }: GoldenTask) => ({ passed, trials });
  return paired
    .filter((pair) => blamed.has(pair) || gain(pair) !== 0)
    .sort((one, other) => Number(blamed.has(other)) - Number(blamed.has(one)) || gain(one) - gain(other))
    .slice(0, MOST_CHANGES)
    .map((pair) => ({
      task: pair.name,
      baseline: counts(pair.before),
      candidate: counts(pair.after),
      became: became(pair),
    }));
}

function hatK({ trials, passed }: GoldenTask, k: number): number {
  return passHatK(trials, passed, k) ?? 0;
}

/** Candidate − baseline of what a trial of each task costs. */
function costPerTrial(
  paired: readonly TaskPair[],
  cost: (task: GoldenTask) => number,
  seed: number,
): ComparedMean | null {
  return meanDifference(comparedTasks(paired), (task) => cost(task) / task.trials, seed);
}

function comparedTasks(paired: readonly TaskPair[]) {
  return paired.map(({ before, after }) => ({ baseline: before, candidate: after, crossed: null }));
}

function isLost({ before, after }: TaskPair): boolean {
  return verdictOf(before) && !verdictOf(after);
}

function isGained({ before, after }: TaskPair): boolean {
  return !verdictOf(before) && verdictOf(after);
}

function isPriced(paired: readonly TaskPair[]): boolean {
  return paired.length > 0 && paired.every(({ runs, after }) => [after, ...runs].every(({ usd }) => usd !== null));
}

/** True: of every trial somebody tells its tokens. */
function isTold(paired: readonly TaskPair[]): boolean {
  return paired.every(({ runs, after }) => [after, ...runs].every(({ tokens }) => tokens !== null));
}

/** What is compared of the cost of a task: dollars where all is priced, else tokens; null: not all of these are told. */
function comparedCost(paired: readonly TaskPair[]): ((task: GoldenTask) => number) | null {
  if (isPriced(paired)) return ({ usd }) => usd ?? 0;
  return isTold(paired) ? ({ tokens }) => tokens ?? 0 : null;
}

/** Where the baseline tells what it takes and the candidate does not, nobody knows whether it costs more. */
function untoldReasons(paired: readonly TaskPair[]): readonly string[] {
  const silent = paired.filter(({ before, after }) => before.tokens !== null && after.tokens === null);
  if (silent.length === 0 || isPriced(paired)) return [];
  return [
    `On ${silent.length} of ${plural(paired.length, 'task')} the candidate does not tell all of its tokens, as the baseline does, so that nobody knows what a success costs.`,
  ];
}

function tasksOf(paired: readonly TaskPair[]): GoldenTasks | null {
  const [lost, gained, pairs] = [paired.filter(isLost).length, paired.filter(isGained).length, paired.length];
  const found = mcNemar(lost, gained, pairs);
  const interval = pairedDifferenceInterval(lost, gained, pairs);
  if (found === null || interval === null) return null;
  const { exact, midP, difference } = found;
  return { pairs, lost, gained, exact, midP, difference, interval, regressionRate: lost / pairs };
}

interface GateContext {
  readonly k: number;
  readonly limits: GoldenLimits;
  readonly noise: GoldenNoise | null;
  /** True: a judge decides, too. */
  readonly isJudged: boolean;
}

/** The gate of F-09, whose limits are never below the noise floor. `isLoss`: more tasks are lost than may be, beyond chance. */
function gateOf(
  paired: readonly TaskPair[],
  { k, limits, noise, isJudged }: GateContext,
): RegressionVerdict & { readonly isLoss: boolean } {
  const { alpha, minTasks } = limits;
  const { meanAlpha, costAlpha } = goldenLevels(alpha, isJudged);
  const costOf = comparedCost(paired);
  const [lost, gained] = [paired.filter(isLost), paired.filter(isGained)];
  const maxRegressionRate = Math.max(limits.maxRegressionRate, noise?.regressionRate ?? 0);
  const verdict = regressionGate(
    {
      scenarios: paired.length,
      lost: lost.map(({ name }) => name),
      gained: gained.map(({ name }) => name),
      differences: paired.map(({ before, after }) => hatK(after, k) - hatK(before, k)),
      ...(costOf !== null && {
        cost: {
          baseline: perSuccess(
            paired.map(({ before }) => before),
            costOf,
          ),
          candidate: perSuccess(
            paired.map(({ after }) => after),
            costOf,
          ),
          differences: paired.map(({ before, after }) => costOf(after) / after.trials - costOf(before) / before.trials),
        },
      }),
    },
    {
      margin: Math.max(limits.margin, noise?.passHatK ?? 0),
      maxRegressionRate,
      maxCostIncrease: Math.max(limits.maxCostIncrease, noise?.cost ?? 0),
      alpha,
      meanAlpha,
      costAlpha,
      plannedScenarios: minTasks,
    },
  );
  const { regressionRate, p } = verdict;
  const isLoss = (regressionRate ?? 0) > maxRegressionRate && (p ?? 1) < alpha && lost.length > gained.length;
  return { ...verdict, isLoss };
}

function noiseOf(paired: readonly TaskPair[], k: number): GoldenNoise | null {
  const runs = paired[0]?.runs.length ?? 0;
  if (runs < 2) return null;
  const costOf = comparedCost(paired);
  const first = paired.map(({ before }) => before);
  const cost = costOf && perSuccess(first, costOf);
  const others = Array.from({ length: runs - 1 }, (_, at) => {
    const pairs = paired.map(({ before, runs: own }) => ({ before, after: own[at + 1] ?? before }));
    const apart = (is: (pair: TaskPair) => boolean): number =>
      paired.filter((pair, place) => is({ ...pair, ...pairs[place] })).length / paired.length;
    const after = pairs.map((pair) => pair.after);
    const again = costOf && perSuccess(after, costOf);
    const change = pairs.reduce((sum, { before, after }) => sum + hatK(after, k) - hatK(before, k), 0);
    return {
      regressionRate: Math.max(apart(isLost), apart(isGained)),
      passHatK: Math.abs(change / paired.length),
      cost: cost === null || again === null || cost === 0 ? null : Math.abs(again / cost - 1),
    };
  });
  const costs = others.flatMap((one) => one.cost ?? []);
  return {
    runs,
    regressionRate: Math.max(...others.map((one) => one.regressionRate)),
    passHatK: Math.max(...others.map((one) => one.passHatK)),
    cost: costs.length === 0 ? null : Math.max(...costs),
  };
}

/** Tasks whose own trials show that they regressed. */
function flaggedTasks(scenarios: readonly ScenarioDrift[], paired: readonly TaskPair[]): ReadonlySet<TaskPair> {
  const fallen = scenarios.filter(({ status }) => status === 'regressed');
  return new Set(
    paired.filter(({ after }) => fallen.some(({ name, file }) => name === after.name && file === after.file)),
  );
}

function flagReasons(flagged: ReadonlySet<TaskPair>): readonly string[] {
  if (flagged.size === 0) return [];
  const names = [...flagged].map(({ name }) => name).join(', ');
  return [`${plural(flagged.size, 'task')} regressed by more than chance explains: ${names}.`];
}

function unjudgedReasons(unjudged: readonly string[], all: number): readonly string[] {
  if (unjudged.length === 0) return [];
  return [`${unjudged.length} of ${all} tasks say nothing of the candidate, for all their trials are broken.`];
}
