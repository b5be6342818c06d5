import type { TokenUsage } from '../../types/message.ts';
import type { LedgerLine } from '../../types/record.ts';

/**
 * The lines with those of one kind, name and attempt added up, in the order in which these first occur. A sum is not priced
 * or has no usage (null) where one of its lines has none, so that nothing unknown counts as 0; lines with a price or usage
 * are kept apart from those without.
 */
export function sumLedger(ledger: readonly LedgerLine[]): readonly LedgerLine[] {
  if (ledger.length < 2) return ledger;
  const sums = new Map<string, LedgerLine>();
  for (const line of ledger) {
    const { kind, name, attempt, usage, nanoUsd } = line;
    const key = JSON.stringify([kind, name, attempt, usage === null, nanoUsd === null]);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? line : addLines(sum, line));
  }
  return [...sums.values()];
}

/** Two lines of one kind, name and attempt as one; what one of them does not say is null. */
export function addLines(a: LedgerLine, b: LedgerLine): LedgerLine {
  return {
    ...a,
    units: a.units + b.units,
    usage: a.usage === null || b.usage === null ? null : addedUsage(a.usage, b.usage),
    nanoUsd: a.nanoUsd === null || b.nanoUsd === null ? null : a.nanoUsd + b.nanoUsd,
  };
}

function addedUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
