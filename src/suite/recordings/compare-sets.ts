import { benjaminiHochberg } from '../../stats/benjamini-hochberg.ts';
import { mcNemar } from '../../stats/mcnemar.ts';
import { fisherExact } from '../../stats/fisher-exact.ts';
import { listedKs, passHatK } from '../../stats/pass-hat-k.ts';
import type { TaskCount } from '../../trial/tally/task-counts.ts';
import {
  type ComparedPairs,
  type ComparedSet,
  type ComparedTasks,
  COMPARISON_SCHEMA,
  type ComparisonReport,
  type ComparisonVerdict,
  type TaskDifference,
} from '../../types/reports/comparison.ts';
import type { ErrorPolicy } from '../../types/recording.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';
import { VERSION } from '../../version.ts';
import { comparisonReasons, comparisonVerdict } from './comparison-verdict.ts';
import { areCrossed, lossIn, meanDifference, rateDifference } from './mean-difference.ts';
import { neededEvidence, type PairedTask, type Tried, varianceOf } from './comparison-power.ts';

/** One side of a comparison. */
export interface ComparisonSide {
  readonly set: Omit<ComparedSet, 'tasks' | 'trials' | 'passed' | 'errors'>;
  readonly tasks: ReadonlyMap<string, TaskCount>;
  /** What tasks are crossed of, where their source says it. */
  readonly crossings: ReadonlyMap<string, Crossing>;
  /** Runs that cannot be read, of which nobody knows the task. */
  readonly unread: number;
}

export interface ComparisonTerms {
  readonly errors: ErrorPolicy;
  /** Loss that does not matter; null: none is stated. */
  readonly margin: number | null;
  readonly alpha: number;
  readonly protocol: ComparisonReport['protocol'];
  /** Of drawn sign flips. */
  readonly seed: number;
}

const MOST_NAMED = 20;
const MOST_LISTED = 50;
/** k that are compared: each is a test of its own. */
const MOST_K = 8;

/**
 * Compares two sets task by task. Sources: release-gate F-04 (crossed tasks), F-06 to F-09 (McNemar, paired t, sign flip,
 * non-inferiority, flags by Fisher's test with Benjamini–Hochberg), M-07 (errors). Pure, and the same for any order of tasks.
 */
export function compareSets(
  baseline: ComparisonSide,
  candidate: ComparisonSide,
  terms: ComparisonTerms,
): ComparisonReport {
  const { errors, margin, alpha, protocol, seed } = terms;
  const [before, after] = [triedTasks(baseline, errors), triedTasks(candidate, errors)];
  const paired = pairTasks(before, after, candidate.crossings);
  const pairs = areCrossed(paired) ? null : singlePairs(paired);
  const ks = ksOf(paired);
  const passHat = ks.flatMap((k) => {
    const mean = rateDifference(paired, (one) => passHatK(one.trials, one.passed, k) ?? 0, {
      seed,
      pairs: k === 1 ? pairs : null,
    });
    return mean === null ? [] : [{ k, ...mean }];
  });
  const passRate = rateDifference(paired, (one) => one.passed / one.trials, { seed, pairs });
  const facts = { passRate, margin, alpha, lossWithin: lossIn(paired, paired.map(differenceOf)) };
  const found = comparisonVerdict(facts);
  const damaged =
    errors === 'exclude'
      ? null
      : (damagedSide(found, baseline, candidate) ??
        (errors === 'block' ? openErrors(found, [baseline, candidate], terms) : null));
  const verdict = damaged === null ? found : 'undecided';
  const isPriced = paired.every((one) => one.baseline.usd !== null && one.candidate.usd !== null);
  return {
    schema: COMPARISON_SCHEMA,
    passk: VERSION,
    verdict,
    reasons: damaged === null ? comparisonReasons(verdict, facts) : [damaged],
    baseline: setOf(baseline, before),
    candidate: setOf(candidate, after),
    tasks: tasksOf(before, after, paired),
    passRate,
    passHatK: passHat,
    mcNemar: pairs,
    cost: {
      perTrial: isPriced ? meanDifference(paired, (one) => (one.usd ?? 0) / one.trials, seed) : null,
      perSuccess: { baseline: perSuccess(before), candidate: perSuccess(after) },
    },
    variance: varianceOf(paired),
    needs: verdict === 'undecided' && passRate !== null ? neededEvidence(paired, passRate, { margin, alpha }) : null,
    perTask: differingTasks(paired, alpha),
    margin,
    alpha,
    protocol,
    missing: {
      ...(paired.length === 0 && { passRate: 'no_shared_task' }),
      ...(!isPriced && { 'cost.perTrial': 'not_told' }),
    },
  };
}

/** `asPasses`: errors count as passes. */
function triedTasks({ tasks }: ComparisonSide, errors: ErrorPolicy, asPasses = false): ReadonlyMap<string, Tried> {
  const tried = new Map<string, Tried>();
  for (const [task, count] of tasks) {
    const trials = count.passed + count.failed + (errors === 'exclude' ? 0 : count.broken);
    if (trials === 0) continue;
    const passed = count.passed + (asPasses ? count.broken : 0);
    tried.set(task, { trials, passed, usd: count.unpriced === 0 ? count.nanoUsd / 1e9 : null });
  }
  return tried;
}

/** In the order of their names, so that nothing depends on which came first. */
function pairTasks(
  before: ReadonlyMap<string, Tried>,
  after: ReadonlyMap<string, Tried>,
  crossings: ComparisonSide['crossings'],
): readonly PairedTask[] {
  const names = [...before.keys()].filter((task) => after.has(task)).sort();
  return names.flatMap((task) => {
    const [baseline, candidate] = [before.get(task), after.get(task)];
    return baseline === undefined || candidate === undefined
      ? []
      : [{ task, baseline, candidate, crossed: crossings.get(task) ?? null }];
  });
}

function tasksOf(
  before: ReadonlyMap<string, Tried>,
  after: ReadonlyMap<string, Tried>,
  paired: readonly PairedTask[],
): ComparedTasks {
  const only = (of: ReadonlyMap<string, Tried>, other: ReadonlyMap<string, Tried>) => {
    const names = [...of.keys()].filter((task) => !other.has(task)).sort();
    return { count: names.length, names: names.slice(0, MOST_NAMED) };
  };
  return { both: paired.length, onlyBaseline: only(before, after), onlyCandidate: only(after, before) };
}

function setOf({ set, tasks, unread }: ComparisonSide, tried: ReadonlyMap<string, Tried>): ComparedSet {
  const counts = [...tasks.values()];
  return {
    ...set,
    tasks: tried.size,
    trials: unread + counts.reduce((sum, one) => sum + one.passed + one.failed + one.broken, 0),
    passed: counts.reduce((sum, one) => sum + one.passed, 0),
    errors: unread + counts.reduce((sum, one) => sum + one.broken, 0),
  };
}

function differenceOf({ baseline, candidate }: PairedTask): number {
  return candidate.passed / candidate.trials - baseline.passed / baseline.trials;
}

/** Null: some task has more than one trial on a side. */
function singlePairs(paired: readonly PairedTask[]): ComparedPairs | null {
  if (paired.length === 0 || paired.some((one) => one.baseline.trials !== 1 || one.candidate.trials !== 1)) return null;
  const lost = paired.filter((one) => one.baseline.passed > one.candidate.passed).length;
  const gained = paired.filter((one) => one.baseline.passed < one.candidate.passed).length;
  const test = mcNemar(lost, gained, paired.length);
  return test === null ? null : { pairs: paired.length, lost, gained, exact: test.exact, midP: test.midP };
}

function ksOf(paired: readonly PairedTask[]): readonly number[] {
  if (paired.length === 0) return [];
  const least = paired.reduce(
    (fewest, { baseline, candidate }) => Math.min(fewest, baseline.trials, candidate.trials),
    Number.POSITIVE_INFINITY,
  );
  const all = listedKs(least);
  return all.length <= MOST_K ? all : all.filter((k, at) => (k & (k - 1)) === 0 || at === all.length - 1);
}

/** Why damaged files leave a verdict open: the better side may have failures that cannot be read; null: they do not. */
function damagedSide(verdict: ComparisonVerdict, baseline: ComparisonSide, candidate: ComparisonSide): string | null {
  if (verdict === 'undecided') return null;
  const [side, name] = verdict === 'worse' ? [baseline, 'the baseline'] : [candidate, 'the candidate'];
  if (side.unread === 0) return null;
  const what = `${side.unread} of the runs of ${name} cannot be read, and may be those that failed`;
  return `${what}: mend its files, or leave errors out.`;
}

/** Why errors that could have been anything leave a verdict open: read against it, they take it back; null: they do not. */
function openErrors(
  verdict: ComparisonVerdict,
  [baseline, candidate]: readonly [ComparisonSide, ComparisonSide],
  { errors, margin, alpha, seed }: ComparisonTerms,
): string | null {
  if (verdict === 'undecided') return null;
  const [before, after] = [
    triedTasks(baseline, errors, verdict !== 'worse'),
    triedTasks(candidate, errors, verdict === 'worse'),
  ];
  const paired = pairTasks(before, after, candidate.crossings);
  const pairs = areCrossed(paired) ? null : singlePairs(paired);
  const passRate = rateDifference(paired, (one) => one.passed / one.trials, { seed, pairs });
  const against = comparisonVerdict({ passRate, margin, alpha, lossWithin: lossIn(paired, paired.map(differenceOf)) });
  if (against === verdict) return null;
  return `Errors count as anything, and were those of ${
    verdict === 'worse' ? 'the candidate passes' : 'the baseline passes'
  }, the verdict would not be ${verdict.replace('_', ' ')}: run again what was broken, or say what errors count as.`;
}

function perSuccess(tried: ReadonlyMap<string, Tried>): number | null {
  let usd = 0;
  let passed = 0;
  for (const one of tried.values()) {
    if (one.usd === null) return null;
    usd += one.usd;
    passed += one.passed;
  }
  return passed === 0 ? null : usd / passed;
}

/** Those beyond chance first, then by how much they differ. */
function differingTasks(paired: readonly PairedTask[], alpha: number): readonly TaskDifference[] {
  const tests = paired.map(({ baseline, candidate }) => fisherExact(baseline, candidate)?.p ?? 1);
  const corrected = benjaminiHochberg(tests);
  return paired
    .map((one, at): TaskDifference => {
      const { task, baseline, candidate } = one;
      return {
        task,
        baseline: { trials: baseline.trials, passed: baseline.passed },
        candidate: { trials: candidate.trials, passed: candidate.passed },
        difference: differenceOf(one),
        p: tests[at] ?? 1,
        q: corrected[at] ?? 1,
      };
    })
    .filter(({ difference }) => difference !== 0)
    .sort(
      (a, b) =>
        Number(b.q < alpha) - Number(a.q < alpha) ||
        Math.abs(b.difference) - Math.abs(a.difference) ||
        (a.task < b.task ? -1 : 1),
    )
    .slice(0, MOST_LISTED);
}
