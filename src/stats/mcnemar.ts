import { binomialAtMost, logBinomialChance } from './binomial.ts';
import { assertPairs } from './counts.ts';

/** Evidence that two paired runs differ. */
export interface McNemar {
  /** (gained − lost) / pairs. */
  readonly difference: number;
  /** Wald error of the difference. */
  readonly error: number;
  /** Exact two-sided p-value: conditional on which pairs disagree. */
  readonly exact: number;
  /** The mid-p value: less cautious, seldom above its level. */
  readonly midP: number;
}

/**
 * McNemar's test for `pairs` of trials (same scenario, same trial index): `lost` passed before and fail now, `gained` the
 * reverse. No χ² form: the exact one holds at every size, up to 1e9 pairs. Null without pairs.
 * Source: McNemar 1947, Psychometrika 12, 153–157; mid-p: Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91.
 */
export function mcNemar(lost: number, gained: number, pairs: number): McNemar | null {
  assertPairs(pairs, lost, gained);
  if (pairs === 0) return null;
  const apart = lost + gained;
  const rarer = Math.min(lost, gained);
  const below = 2 * binomialAtMost(apart, 0.5, rarer);
  return {
    difference: (gained - lost) / pairs,
    error: Math.sqrt(apart - (gained - lost) ** 2 / pairs) / pairs,
    exact: Math.min(1, below),
    midP: Math.min(1, below - Math.exp(logBinomialChance(apart, 0.5, rarer))),
  };
}
