import { passAtK } from '../stats/pass-at-k.ts';
import { passHatK } from '../stats/pass-hat-k.ts';
import { compareExactly, type Fraction } from '../values/compare-decimal.ts';

/** A number that gates compare. Where counts make it, it is compared exactly. */
export interface GateValue {
  readonly number: number;
  /** The same without rounding, made when the double is too close to the bar to tell; null: there is only the double. */
  readonly fraction: (() => Fraction | null) | null;
  /**
   * Of enumerated answers: how far rounding the weights to parts of 2^32 may have moved it, so that weights of 9 and 1
   * meet the bar 0.9. It never makes a rate 0 or 1 that is not. 0 of everything else.
   */
  readonly slack: number;
}

/** A number that no count stands behind, such as the end of an interval. */
export function plainValue(number: number): GateValue {
  return { number, fraction: null, slack: 0 };
}

/** Larger than any number that is compared. */
export const UNBOUNDED: GateValue = plainValue(Number.POSITIVE_INFINITY);

/** count / of, both whole numbers. */
export function quotientValue(count: number, of: number): GateValue {
  return { number: count / of, fraction: () => ({ count: BigInt(count), of: BigInt(of) }), slack: 0 };
}

/** pass^k of so many trials; null when k exceeds them. */
export function passHatValue(trials: number, passed: number, k: number): GateValue | null {
  const number = passHatK(trials, passed, k);
  if (number === null) return null;
  return { number, fraction: () => passHatFraction(trials, passed, k), slack: 0 };
}

/** pass@k of so many trials; null when k exceeds them. */
export function passAtValue(trials: number, passed: number, k: number): GateValue | null {
  const number = passAtK(trials, passed, k);
  if (number === null) return null;
  const fraction = (): Fraction | null => {
    const none = passHatFraction(trials, trials - passed, k);
    return none === null ? null : { count: none.of - none.count, of: none.of };
  };
  return { number, fraction, slack: 0 };
}

/** A number of an enumerated scenario; `parts`: how many weights at most it grows with. */
export function enumeratedValue(number: number, parts = 1): GateValue {
  return { number, fraction: null, slack: parts * 2 ** -31 };
}

/** The mean of several values, one at least. */
export function meanValue(values: readonly GateValue[]): GateValue {
  const count = values.length;
  const sum = (of: (value: GateValue) => number): number => values.reduce((total, value) => total + of(value), 0);
  return {
    number: sum(({ number }) => number) / count,
    fraction: values.every(({ fraction }) => fraction !== null) ? () => meanFraction(values) : null,
    slack: sum(({ slack }) => slack) / count,
  };
}

/** Below 0, 0 or above 0: how the value compares with a bar as it was written. */
export function compareToBar({ number, fraction, slack }: GateValue, bar: number): number {
  const apart = number - bar;
  if (slack > 0) return Math.abs(apart) <= slackAt(bar, slack) ? 0 : Math.sign(apart);
  return fraction === null ? Math.sign(apart) : compareExactly(number, fraction, bar);
}

/** A millionth of what is left to 0, and of a rate to 1, at most. */
function slackAt(bar: number, slack: number): number {
  const room = bar <= 1 ? Math.min(Math.abs(bar), 1 - bar) * 1e-6 : Number.POSITIVE_INFINITY;
  return Math.min(slack * Math.max(1, Math.abs(bar)), room);
}

/** C(passed, k) / C(trials, k) in as few factors as there are; null when they are too many. */
function passHatFraction(trials: number, passed: number, k: number): Fraction | null {
  const failed = trials - passed;
  const [factors, taken] = [Math.min(k, failed), Math.max(k, failed)];
  if (k > passed) return { count: 0n, of: 1n };
  if (factors > MOST_FACTORS) return null;
  let count = 1n;
  let of = 1n;
  for (let i = 0; i < factors; i++) {
    count *= BigInt(trials - taken - i);
    of *= BigInt(trials - i);
  }
  return { count, of };
}

function meanFraction(values: readonly GateValue[]): Fraction | null {
  if (values.length > MOST_FACTORS) return null;
  // Equal denominators are added up as they are: most scenarios have equally many trials.
  const sums = new Map<bigint, bigint>();
  for (const value of values) {
    const exact = value.fraction?.() ?? null;
    if (exact === null) return null;
    sums.set(exact.of, (sums.get(exact.of) ?? 0n) + exact.count);
  }
  let total = { count: 0n, of: 1n };
  for (const [of, count] of sums) total = { count: total.count * of + count * total.of, of: total.of * of };
  return { count: total.count, of: total.of * BigInt(values.length) };
}

const MOST_FACTORS = 2000;
