/** A quotient of whole numbers; `of` is above 0. */
export interface Fraction {
  readonly count: bigint;
  readonly of: bigint;
}

/**
 * Compares count / of with a decimal as it was written: below 0, 0 or above 0. Exact: 19 of 20 are 0.95, though 0.95 is
 * no double, and one failure among 1e9 trials is not 1. Counts are whole numbers below 2^53, `of` is above 0.
 */
export function compareToDecimal(count: number, of: number, decimal: number): number {
  return compareExactly(count / of, () => ({ count: BigInt(count), of: BigInt(of) }), decimal);
}

/** The same of a number whose fraction is made only when the double is too close to tell; null: there is none. */
export function compareExactly(number: number, fraction: () => Fraction | null, decimal: number): number {
  const apart = number - decimal;
  const scale = Math.max(1, Math.abs(decimal));
  // Rounding moves a quotient, or a sum of many, by far less.
  if (!Number.isFinite(number) || Math.abs(apart) > 1e-9 * scale) return Math.sign(apart);
  const written = decimalFraction(decimal);
  // Nobody writes so many digits: 0.1 + 0.2 stands for 0.3, as far as doubles tell.
  if (written === null) return Math.abs(apart) <= 4 * Number.EPSILON * Math.abs(decimal) ? 0 : Math.sign(apart);
  const exact = fraction();
  if (exact === null) return Math.sign(apart);
  const left = exact.count * written.of;
  const right = written.count * exact.of;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The shortest decimal that reads as this double: what a user wrote; null where it was computed instead. */
function decimalFraction(decimal: number): Fraction | null {
  const [mantissa = '', exponent = '0'] = String(decimal).split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = whole + decimals;
  if (digits.replace(/^-?0*/, '').length > MOST_DIGITS) return null;
  const power = Number(exponent) - decimals.length;
  if (power >= 0) return { count: BigInt(digits) * 10n ** BigInt(power), of: 1n };
  return { count: BigInt(digits), of: 10n ** BigInt(-power) };
}

/** Every decimal of so many digits is told from its neighbours by a double. */
const MOST_DIGITS = 15;
