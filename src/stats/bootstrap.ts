import { xoshiro128 } from '../random/xoshiro128.ts';
import { assertNumbers, assertWhole, tailOf } from './counts.ts';

/** How is resampled. */
export interface BootstrapOptions {
  /** The same seed gives the same interval on any machine. */
  readonly seed: number;
  /** 10,000 when absent; at most 1,000,000, and 2e8 draws of scenarios in all. */
  readonly resamples?: number;
  /** Share of intervals that hold the truth; default 0.95. */
  readonly confidence?: number;
}

/** An interval from resampling. */
export interface BootstrapInterval {
  /** Lower and upper bound. */
  readonly interval: readonly [number, number];
  /** How often was drawn anew. */
  readonly resamples: number;
  /** Resamples for which the statistic does not exist; they take no part. */
  readonly undefinedResamples: number;
}

/**
 * Percentile interval of a statistic of `size` scenarios drawn again with replacement: scenarios, never trials, are what
 * is independent. Null when there is no scenario or the statistic exists for no resample. `statistic` gets positions and
 * must not keep the array. Source: Efron 1979, Ann. Stat. 7, 1–26; quantiles of type 7 (Hyndman and Fan 1996).
 */
export function bootstrapInterval(
  size: number,
  statistic: (positions: Uint32Array) => number | null,
  { seed, resamples = 10_000, confidence = 0.95 }: BootstrapOptions,
): BootstrapInterval | null {
  const tail = tailOf(confidence);
  assertWhole('size', size, 0, 2 ** 32 - 1);
  assertWhole('resamples', resamples, 1, 1_000_000);
  assertWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  if (size * resamples > MOST_DRAWS) {
    throw new RangeError(`${resamples} resamples of ${size} are too many: give at most ${MOST_DRAWS} draws in all.`);
  }
  if (size === 0) return null;
  const random = xoshiro128(seed);
  const positions = new Uint32Array(size);
  const values = new Float64Array(resamples);
  let filled = 0;
  for (let i = 0; i < resamples; i++) {
    // Uniform but for size / 2^32, far below Monte-Carlo error.
    for (let j = 0; j < size; j++) positions[j] = (random.next() / 0x100000000) * size;
    const value = statistic(positions);
    if (value === null) continue;
    if (!Number.isFinite(value))
      throw new RangeError(`The statistic of a resample is ${value}: give a number, or null.`);
    values[filled] = value;
    filled++;
  }
  if (filled === 0) return null;
  const sorted = values.subarray(0, filled).sort();
  return {
    interval: [quantileSorted(sorted, tail), quantileSorted(sorted, 1 - tail)],
    resamples,
    undefinedResamples: resamples - filled,
  };
}

/** Bootstrap interval of the mean of one value for each scenario. */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions): BootstrapInterval | null {
  assertNumbers('value', values);
  const numbers = Float64Array.from(values);
  const mean = (positions: Uint32Array): number => {
    let sum = 0;
    for (const position of positions) sum += numbers[position] as number;
    return sum / positions.length;
  };
  return bootstrapInterval(numbers.length, mean, options);
}

/** About a second. */
const MOST_DRAWS = 200_000_000;

function quantileSorted(sorted: Float64Array, p: number): number {
  const place = p * (sorted.length - 1);
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (place - Math.floor(place)) * (above - below);
}
