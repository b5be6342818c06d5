import { ratioInterval } from '../../stats/ratio-interval.ts';
import type { TaskCounts } from '../../trial/tally/task-counts.ts';
import type { RecordedCost } from '../../types/recording.ts';

/** What recorded trials cost. Every error counts, whatever the reading: it was paid for too. `unread`: trials of no task. */
export function recordedCost(tasks: TaskCounts, unread: number): RecordedCost {
  const sums = { unpriced: unread, uncounted: unread, passed: 0, nanoUsd: 0, tokens: 0 };
  for (const [, count] of tasks.entries()) {
    sums.unpriced += count.unpriced;
    sums.uncounted += count.uncounted;
    sums.passed += count.passed;
    sums.nanoUsd += count.nanoUsd;
    sums.tokens += count.tokens;
  }
  const { unpriced, uncounted, passed } = sums;
  const tokens = uncounted === 0 ? sums.tokens : null;
  const ratio = unpriced > 0 || tasks.size === 0 ? null : ratioInterval(spendings(tasks));
  return {
    nanoUsd: unpriced === 0 ? sums.nanoUsd : null,
    unpriced,
    nanoUsdPerSuccess: ratio?.ratio ?? null,
    nanoUsdPerSuccessInterval: ratio?.interval ?? null,
    tokens,
    uncounted,
    tokensPerSuccess: tokens === null || passed === 0 ? null : tokens / passed,
  };
}

/** In the order of their first trials: sums of rounded numbers depend on it in their last digit. */
function spendings(tasks: TaskCounts): readonly { readonly cost: number; readonly passed: number }[] {
  return [...tasks.entries()]
    .map(([, { nanoUsd, passed, lowestTrial }]) => ({ cost: nanoUsd, passed, lowestTrial }))
    .sort((a, b) => a.lowestTrial - b.lowestTrial);
}
