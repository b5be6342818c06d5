/**
 * Numbers of the form count / 2^bits, from 0, kept exactly: the chances of a sampler whose thresholds are whole numbers,
 * their products and their sums.
 */
export interface Dyadic {
  readonly count: bigint;
  readonly bits: number;
}

export const NOTHING: Dyadic = { count: 0n, bits: 0 };
export const CERTAIN: Dyadic = { count: 1n, bits: 0 };

/** `width` parts of 2^32, in lowest terms. */
export function shareOf(width: number): Dyadic {
  return reduced(BigInt(width), 32);
}

/** The product, without rounding; of numbers in lowest terms it is in lowest terms. */
export function times(a: Dyadic, b: Dyadic): Dyadic {
  if (a.count === 0n || b.count === 0n) return NOTHING;
  return { count: a.count * b.count, bits: a.bits + b.bits };
}

/** A sum that never rounds. */
export class DyadicSum {
  private count = 0n;
  private bits = 0;

  /** Adds the number so many times. */
  add({ count, bits }: Dyadic, amount = 1): void {
    if (amount === 0) return;
    const added = amount === 1 ? count : count * BigInt(amount);
    if (bits > this.bits) {
      this.count <<= BigInt(bits - this.bits);
      this.bits = bits;
    }
    this.count += bits === this.bits ? added : added << BigInt(this.bits - bits);
  }

  get value(): Dyadic {
    return reduced(this.count, this.bits);
  }
}

/** Below 0 when a < b, above 0 when a > b. */
export function compareDyadic(a: Dyadic, b: Dyadic): number {
  const left = a.count << BigInt(Math.max(0, b.bits - a.bits));
  const right = b.count << BigInt(Math.max(0, a.bits - b.bits));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The nearest double. */
export function toNumber({ count, bits }: Dyadic): number {
  const extra = lengthOf(count) - KEPT_BITS;
  if (extra <= 0) return scaled(Number(count), -bits);
  return scaled(Number(cut(count, extra)), extra - bits);
}

/** a / b as the nearest double; NaN where b is 0. */
export function ratio(a: Dyadic, b: Dyadic): number {
  if (b.count === 0n) return Number.NaN;
  const shift = Math.max(0, KEPT_BITS + lengthOf(b.count) - lengthOf(a.count));
  const divided = a.count << BigInt(shift);
  const quotient = divided / b.count;
  const isExact = quotient * b.count === divided;
  // A last bit that stands for the remainder: ties are told from what only looks like one.
  return toNumber({ count: (quotient << 1n) | (isExact ? 0n : 1n), bits: a.bits - b.bits + shift + 1 });
}

/** base^k; beyond 256 bits each product is cut, so the relative error stays below k · 2^-250. */
export function power(base: Dyadic, k: number): Dyadic {
  let result = CERTAIN;
  let square = base;
  for (let rest = k; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = shortened(times(result, square));
    square = shortened(times(square, square));
  }
  return result;
}

/** `7/8`, or `0` and `1`. */
export function fractionText(value: Dyadic): string {
  const { count, bits } = reduced(value.count, value.bits);
  return bits === 0 ? String(count) : `${count}/${2n ** BigInt(bits)}`;
}

/** Enough for a correctly rounded double, whose 53 bits they exceed by far. */
const KEPT_BITS = 256;

function shortened({ count, bits }: Dyadic): Dyadic {
  const extra = lengthOf(count) - KEPT_BITS;
  return extra <= 0 ? { count, bits } : { count: cut(count, extra), bits: bits - extra };
}

/** Without its last bits; the new last one is set when any of them was. */
function cut(count: bigint, extra: number): bigint {
  const high = count >> BigInt(extra);
  return high << BigInt(extra) === count ? high : high | 1n;
}

/** Two steps: 2^-1100 alone is 0, though a large number times it is not. */
function scaled(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

function lengthOf(count: bigint): number {
  return count === 0n ? 0 : count.toString(16).length * 4;
}

function reduced(count: bigint, bits: number): Dyadic {
  if (count === 0n) return NOTHING;
  let zeros = 0;
  // By words first: shares such as 2^30 of 2^32 end in many zeros.
  while (zeros + 16 <= bits && ((count >> BigInt(zeros)) & 0xffffn) === 0n) zeros += 16;
  while (zeros < bits && ((count >> BigInt(zeros)) & 1n) === 0n) zeros++;
  return { count: count >> BigInt(zeros), bits: bits - zeros };
}
