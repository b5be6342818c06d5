import { addLines } from '../../trial/record/sum-ledger.ts';
import type { LedgerLine, LedgerSum } from '../../types/record.ts';

/**
 * What trials cost together, by kind, name and attempt, in the order in which these first occur. As within a trial, lines
 * without a price or without usage (null) are kept apart from those that have one, so that nothing unknown counts as 0.
 */
export function foldLedger(trials: Iterable<{ readonly ledger: readonly LedgerLine[] }>): readonly LedgerSum[] {
  const sums = new Map<string, LedgerSum>();
  for (const { ledger } of trials) {
    const seen = new Set<string>();
    for (const line of ledger) {
      const { kind, name, attempt, usage, nanoUsd } = line;
      const key = JSON.stringify([kind, name, attempt, usage === null, nanoUsd === null]);
      const sum = sums.get(key);
      const before = sum?.trials ?? 0;
      sums.set(key, {
        ...(sum === undefined ? line : addLines(sum, line)),
        trials: seen.has(key) ? before : before + 1,
      });
      seen.add(key);
    }
  }
  return [...sums.values()];
}
