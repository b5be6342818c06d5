import type { LedgerLine } from '../../types/record.ts';

/** What the calls of models cost, in USD; null: none was seen, or one has no price. */
export function modelsUsd(ledger: readonly LedgerLine[]): number | null {
  const models = ledger.filter(({ kind }) => kind === 'model');
  if (models.length === 0 || models.some(({ nanoUsd }) => nanoUsd === null)) return null;
  return models.reduce((sum, { nanoUsd }) => sum + (nanoUsd ?? 0), 0) / 1e9;
}
