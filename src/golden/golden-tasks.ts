import { pairScenarios } from '../baseline/pair-scenarios.ts';
import type { GoldenRun, GoldenTask } from '../types/golden/golden-set.ts';
import type { TrialRecord } from '../types/record.ts';

/** A task that the candidate and every run of the baseline judged. */
export interface TaskPair {
  readonly name: string;
  /** In the first run of the baseline. */
  readonly before: GoldenTask;
  readonly after: GoldenTask;
  /** In each run of the baseline. */
  readonly runs: readonly GoldenTask[];
}

export interface TaskPairs {
  /** Tasks of the set. */
  readonly all: number;
  readonly paired: readonly TaskPair[];
  /** Names of those that the baseline judged and the candidate did not. */
  readonly unjudged: readonly string[];
}

/** The tasks of a set, as baseline and candidate did them. */
export function taskPairs(runs: readonly GoldenRun[], { tasks }: GoldenRun): TaskPairs {
  const [first = { tasks: [] }] = runs;
  // A task that a run does not have is as good as one without a trial that says something.
  const found = runs.map((run) => {
    const { both } = pairScenarios({ scenarios: run.tasks }, { scenarios: first.tasks });
    return new Map(both.map(({ before, after }) => [after, before]));
  });
  const { both, vanished } = pairScenarios({ scenarios: first.tasks }, { scenarios: tasks });
  const paired: TaskPair[] = [];
  const unjudged = vanished.map(({ name }) => name);
  for (const { before, after } of both) {
    const own = found.flatMap((of) => of.get(before) ?? []);
    if (own.length < runs.length || own.some(({ trials }) => trials === 0)) continue;
    if (after.trials > 0) paired.push({ name: after.name, before, after, runs: own });
    else unjudged.push(after.name);
  }
  return { all: first.tasks.length, paired, unjudged };
}

/** The first trial of a task that was judged, whatever its verdict; null: nobody kept it. */
export function firstRecord({ records }: GoldenTask): TrialRecord | null {
  const { passed = null, failed = null } = records ?? {};
  if (passed === null || failed === null) return passed ?? failed;
  return passed.trial < failed.trial ? passed : failed;
}

/** Whether a task passes: more than half of its trials do. */
export function verdictOf({ passed, trials }: GoldenTask): boolean {
  return 2 * passed > trials;
}

export function didWorse({ before, after }: TaskPair): boolean {
  return after.passed / after.trials < before.passed / before.trials;
}

/** True: the baseline itself does not always pass it. */
export function isMixed({ runs }: TaskPair): boolean {
  return runs.some(({ passed, trials }) => passed < trials);
}

/** Cost of all trials over those that passed; null: none did. */
export function perSuccess(tasks: readonly GoldenTask[], costOf: (task: GoldenTask) => number): number | null {
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  return passed === 0 ? null : tasks.reduce((sum, task) => sum + costOf(task), 0) / passed;
}

/** Of trials with the same number, the share whose calls differ; null: no two are compared. */
export function divergedShare(before: GoldenTask, after: GoldenTask): number | null {
  const pairs = after.calls.flatMap((is, trial) => {
    const was = before.calls[trial] ?? null;
    return is === null || was === null ? [] : [is !== was];
  });
  return pairs.length === 0 ? null : pairs.filter(Boolean).length / pairs.length;
}

/** What never passed cannot be lost. */
export function idleReasons(paired: readonly TaskPair[]): readonly string[] {
  if (paired.length === 0 || paired.some(({ before, after }) => before.passed + after.passed > 0)) return [];
  return ['No trial of the baseline passed, and none of the candidate: nothing could become worse.'];
}
