import { JudgeCounts } from '../../trial/tally/judge-counts.ts';
import { corrupt, fillNumbers, packNumbers } from './packed-numbers.ts';

/** Counts of judges as a list of plain values; null: none was asked. */
export function packJudges(judges: JudgeCounts | null): readonly unknown[] | null {
  return judges === null ? null : [judges.counts, judges.pairs].map(packNumbers);
}

/** The counts that `packJudges` gave, of judges with so many models each, null: none was asked; throws `INTEGRITY` for anything else. */
export function unpackJudges(value: unknown, models: readonly number[] | null): JudgeCounts | null {
  if (models === null && value === null) return null;
  if (models === null || !Array.isArray(value) || value.length !== 2) throw corrupt('judges is not a list of counts');
  const judges = new JudgeCounts(models);
  const [counts, pairs] = value as readonly unknown[];
  fillNumbers(counts, 'judges', judges.counts);
  fillNumbers(pairs, 'judges', judges.pairs);
  return judges;
}
