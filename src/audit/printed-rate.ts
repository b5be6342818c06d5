import type { SumBounds } from '../stats/success-histogram.ts';

/** A number as it was printed: digits · 10^exponent, with `%` or without. Nothing of it is rounded. */
export interface PrintedRate {
  readonly digits: bigint;
  /** Of the last printed digit. */
  readonly exponent: number;
  readonly hasPercentSign: boolean;
}

/** Why a text is no rate; completes "`82,5` …". */
export interface NoRate {
  readonly problem: string;
  readonly hint: string;
}

const HINT = 'Write a number such as 0.825, 82.5 or 82.5%, or leave the place empty where there is none.';
const RATE = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?( ?%)?$/;
const MOST_DIGITS = 40;

/** Reads a rate with the digits it was printed with. */
export function parsePrintedRate(text: string): PrintedRate | NoRate {
  if (/^-\s*[\d.]/.test(text)) return { problem: 'is below 0, which no pass^k is', hint: HINT };
  if (/^\d+,\d+( ?%)?$/.test(text)) {
    return { problem: 'has a comma', hint: `Write ${text.replace(',', '.')}: decimals begin with a point.` };
  }
  const [, whole = '', decimals = '', exponent = '0', sign] = RATE.exec(text) ?? [];
  const digits = whole + decimals;
  if (digits === '') return { problem: 'is no number', hint: HINT };
  if (digits.length > MOST_DIGITS) return { problem: `has more than ${MOST_DIGITS} digits`, hint: HINT };
  return {
    digits: BigInt(digits),
    exponent: Number(exponent) - decimals.length,
    hasPercentSign: sign !== undefined,
  };
}

/** The same share always as the same text, however many zeros were printed, and with a percent sign or without. */
export function rateKey({ digits, exponent }: PrintedRate, whole: bigint): string {
  const text = String(digits);
  const short = text.replace(/0+$/, '');
  return short === '' ? '0' : `${short}e${exponent + text.length - short.length - (whole === 1n ? 0 : 2)}`;
}

/** True: the rate is above `whole`. */
export function exceeds({ digits, exponent }: PrintedRate, whole: bigint): boolean {
  return exponent >= 0 ? digits * 10n ** BigInt(exponent) > whole : digits > whole * 10n ** BigInt(-exponent);
}

/** How a rate is to be read. */
export interface RateReading {
  /** What stands for 1: 1, or 100 for percentages. */
  readonly whole: bigint;
  /** It was rounded to at least so many decimals, though zeros at its end were not printed; null: to those it has. */
  readonly decimals: number | null;
  readonly tasks: number;
}

/** A quotient of whole numbers; `of` is above 0. */
interface Quotient {
  readonly count: bigint;
  readonly of: bigint;
}

/**
 * Lowest and highest true value that is printed so, as a fraction of 1: half a unit of the last digit to either side,
 * ends included because writers differ on ties. Digits of doubles written in full are not all true: the mean of `tasks`
 * doubles is off by up to (tasks + 8) · 2^-53 of itself (Higham 2002, Accuracy and Stability, section 4.2).
 */
export function printedInterval(
  { digits, exponent }: PrintedRate,
  { whole, decimals, tasks }: RateReading,
): readonly [low: Quotient, high: Quotient] {
  const unit = decimals === null ? exponent : Math.min(exponent, -decimals);
  // In halves of that unit.
  const middle = 2n * digits * 10n ** BigInt(exponent - unit);
  const slack = 2n ** 53n;
  const error = (middle + 1n) * BigInt(tasks + 8);
  const count = unit > 0 ? 10n ** BigInt(unit) : 1n;
  const of = 2n * slack * whole * (unit < 0 ? 10n ** BigInt(-unit) : 1n);
  return [
    { count: ((middle - 1n) * slack - error) * count, of },
    { count: ((middle + 1n) * slack + error) * count, of },
  ];
}

/** The whole numbers S for which S / draws lies within the interval; empty where low is above high. */
export function sumsWithin([low, high]: readonly [Quotient, Quotient], draws: bigint): SumBounds {
  const inside = (value: bigint): number => Number(value > draws ? draws + 1n : value < 0n ? -1n : value);
  return [
    Math.max(0, inside(-floored(-low.count * draws, low.of))),
    Math.min(Number(draws), inside(floored(high.count * draws, high.of))),
  ];
}

/** The nearest double, for people. */
export function quotientValue({ count, of }: Quotient): number {
  const shift = 60n;
  return Number((count << shift) / of) / 2 ** Number(shift);
}

/** Rounded towards minus infinity. */
function floored(count: bigint, of: bigint): bigint {
  const quotient = count / of;
  return count < 0n && quotient * of !== count ? quotient - 1n : quotient;
}
