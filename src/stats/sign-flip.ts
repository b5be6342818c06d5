import { xoshiro128 } from '../random/xoshiro128.ts';
import { assertNumbers, assertWhole } from './counts.ts';

/** How signs are flipped. */
export interface SignFlipOptions {
  /** The seed of every random choice. */
  readonly seed: number;
  /** Flips drawn when there are too many to try all; 10,000 when absent. */
  readonly draws?: number;
}

/** A test of paired differences by flipping their signs. */
export interface SignFlip {
  /** Two-sided p-value of "a difference is as likely to be negative as positive". */
  readonly p: number;
  /** `exact`: every way to flip signs was tried. */
  readonly method: 'exact' | 'sampled';
}

/** Differences other than 0 up to which all 2^n sign patterns are tried. */
const MOST_EXACT = 20;

/**
 * Sign-flip permutation test of paired differences, one for each scenario: how often random signs give a sum at least as
 * far from 0. Exact up to 20 differences other than 0, else seeded draws with (1 + hits) / (1 + draws), which never
 * understates p. Null without differences. Source: Fisher 1935, The Design of Experiments, 21; Phipson and Smyth 2010.
 */
export function signFlip(differences: readonly number[], { seed, draws = 10_000 }: SignFlipOptions): SignFlip | null {
  assertNumbers('difference', differences);
  assertWhole('draws', draws, 1, 1_000_000);
  assertWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  if (differences.length === 0) return null;
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums that differ by rounding alone are ties.
  const bar = observed - 1e-12 * sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length === 0) return { p: 1, method: 'exact' };
  if (sizes.length <= MOST_EXACT) return { p: exactChance(sizes, bar), method: 'exact' };
  return { p: sampledChance(sizes, bar, draws, seed), method: 'sampled' };
}

/** Of the patterns with the first sign fixed: the others mirror them. */
function exactChance([first = 0, ...rest]: readonly number[], bar: number): number {
  let hits = 0;
  const flip = (at: number, sum: number): void => {
    const size = rest[at];
    if (size === undefined) {
      if (Math.abs(sum) >= bar) hits++;
      return;
    }
    flip(at + 1, sum + size);
    flip(at + 1, sum - size);
  };
  flip(0, first);
  return hits / 2 ** rest.length;
}

function sampledChance(sizes: readonly number[], bar: number, draws: number, seed: number): number {
  const random = xoshiro128(seed);
  let hits = 0;
  for (let i = 0; i < draws; i++) {
    let sum = 0;
    let bits = 0;
    for (const [at, size] of sizes.entries()) {
      bits = at % 32 === 0 ? random.next() : bits >>> 1;
      sum += bits & 1 ? size : -size;
    }
    if (Math.abs(sum) >= bar) hits++;
  }
  return (1 + hits) / (1 + draws);
}
