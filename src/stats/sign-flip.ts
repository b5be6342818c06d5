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

/**
 * Of the patterns with the first sign fixed: the others mirror them. Each is a pattern of the first half of the sizes and
 * one of the second; with both kinds in order of their sums, those that add up to enough are counted together.
 */
function exactChance([first = 0, ...rest]: readonly number[], bar: number): number {
  const middle = rest.length >>> 1;
  const low = sumsOf(first, rest.slice(0, middle));
  const high = sumsOf(0, rest.slice(middle));
  let hits = 0;
  // As the sums of the first half rise, fewer of the second are too low for it, and more are too high.
  let above = high.length;
  let below = high.length;
  for (const sum of low) {
    while (above > 0 && sum + (high[above - 1] as number) >= bar) above--;
    while (below > 0 && sum + (high[below - 1] as number) > -bar) below--;
    // A sum that is below the negative bar may be above the bar as well where the bar is not above 0.
    hits += high.length - Math.max(0, above - below);
  }
  return hits / 2 ** rest.length;
}

/** `start` and these sizes added up with every pattern of signs, ascending. */
function sumsOf(start: number, sizes: readonly number[]): Float64Array {
  let sums = Float64Array.of(start);
  for (const size of sizes) {
    const next = new Float64Array(2 * sums.length);
    for (const [at, sum] of sums.entries()) {
      next[2 * at] = sum + size;
      next[2 * at + 1] = sum - size;
    }
    sums = next;
  }
  return sums.sort();
}

function sampledChance(sizes: readonly number[], bar: number, draws: number, seed: number): number {
  const random = xoshiro128(seed);
  let hits = 0;
  for (let i = 0; i < draws; i++) {
    let sum = 0;
    let bits = 0;
    for (let at = 0; at < sizes.length; at++) {
      const size = sizes[at] as number;
      bits = at % 32 === 0 ? random.next() : bits >>> 1;
      sum += bits & 1 ? size : -size;
    }
    if (Math.abs(sum) >= bar) hits++;
  }
  return (1 + hits) / (1 + draws);
}
