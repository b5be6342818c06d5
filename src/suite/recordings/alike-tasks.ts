import type { TaskCount, TaskCounts } from '../../trial/tally/task-counts.ts';
import type { ErrorPolicy, TaskClass } from '../../types/recording.ts';

/** Tasks with the same results, as errors are read. */
export interface AlikeTasks {
  readonly trials: number;
  readonly passed: number;
  readonly tasks: number;
}

/** How many tasks had which results, those with the fewest trials first. */
export function histogramOf(counts: TaskCounts): readonly TaskClass[] {
  const classes = new Map<string, { trials: number; passed: number; errors: number; tasks: number }>();
  for (const [, { passed, failed, broken }] of counts.entries()) {
    const trials = passed + failed + broken;
    const key = `${trials} ${passed} ${broken}`;
    const group = classes.get(key);
    if (group === undefined) classes.set(key, { trials, passed, errors: broken, tasks: 1 });
    else group.tasks++;
  }
  return [...classes.values()].sort((a, b) => a.trials - b.trials || a.passed - b.passed || a.errors - b.errors);
}

/** Trials of a task that count: errors are failures, or are left out. */
export function countingTrials({ passed, failed, broken }: Verdicts, policy: ErrorPolicy): number {
  return passed + failed + (policy === 'exclude' ? 0 : broken);
}

type Verdicts = Pick<TaskCount, 'passed' | 'failed' | 'broken'>;

/**
 * Tasks of which a trial counts, alike ones together: a mean over a million tasks is one over a few classes. In one order, so
 * that sums do not depend on which task came first.
 */
export function alikeTasks(histogram: readonly TaskClass[], policy: ErrorPolicy): readonly AlikeTasks[] {
  const classes = new Map<string, { trials: number; passed: number; tasks: number }>();
  for (const { trials: all, passed, errors: broken, tasks } of histogram) {
    const trials = countingTrials({ passed, failed: all - passed - broken, broken }, policy);
    if (trials === 0) continue;
    const key = `${trials} ${passed}`;
    const group = classes.get(key);
    if (group === undefined) classes.set(key, { trials, passed, tasks });
    else group.tasks += tasks;
  }
  return [...classes.values()].sort((a, b) => a.trials - b.trials || a.passed - b.passed);
}
