import { assertCounts, assertK } from './counts.ts';
import { sumLog1p } from './sum-log1p.ts';

/**
 * pass@k: the chance that at least one of k trials drawn without replacement passes, 1 − C(failed, k) / C(trials, k);
 * unbiased for 1 − (1 − p)^k. Null when k exceeds `trials`. Summed as logarithms, so that small chances keep their
 * digits. Source: Chen et al. 2021 (Codex, arXiv 2107.03374).
 */
export function passAtK(trials: number, passed: number, k: number): number | null {
  assertCounts(trials, passed);
  assertK(k);
  if (k > trials) return null;
  if (k > trials - passed) return 1;
  if (passed === 0) return 0;
  // C(f, k) / C(n, k) = C(n − k, c) / C(n, c): whichever has fewer factors.
  return -Math.expm1(sumLog1p(trials, Math.max(k, passed), Math.min(k, passed), CERTAIN));
}

/** 1 − exp of anything lower is 1 in a double. */
const CERTAIN = -38;
