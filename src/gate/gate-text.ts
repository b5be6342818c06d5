import { formatCount } from '../text/format-number.ts';
import { barTexts } from '../text/format-rate.ts';

/** A bar and values as text that keeps them apart. */
export function valueTexts(isRate: boolean, bar: number, ...values: readonly number[]): readonly string[] {
  if (isRate) return barTexts(bar, ...values);
  return [bar, ...values].map((value) =>
    Number.isInteger(value) ? formatCount(value) : value.toFixed(value < 100 ? 2 : 1),
  );
}

/** Decimals of a percentage: those that tell the failures of a rate to about a hundredth of their number. */
const MOST_DECIMALS = 12;

/** A true pass rate in percent, with no more digits than tell it from its neighbours: `97.5 %`, `99.99999 %`. */
export function ratePercent(rate: number): string {
  const percent = 100 * rate;
  const smaller = Math.min(percent, 100 - percent);
  if (smaller <= 0) return `${percent} %`;
  const decimals = Math.min(MOST_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(smaller))));
  return `${Number(percent.toFixed(decimals))} %`;
}

/** A chance in percent, rounded so that neither 0 nor 100 % is claimed of what can happen. */
export function chancePercent(chance: number): string {
  if (chance === 0 || chance === 1) return `${100 * chance} %`;
  if (chance < 0.001) return 'less than 0.1 %';
  if (chance > 0.999) return 'more than 99.9 %';
  const percent = 100 * chance;
  return `${Number(percent.toFixed(percent < 10 || percent > 90 ? 1 : 0))} %`;
}

/** The same as a bound: `at most 0.1 %` of what is less, and `at most 100 %` of what is nearly certain. */
export function chanceAtMost(chance: number): string {
  if (chance > 0 && chance < 0.001) return 'at most 0.1 %';
  return `at most ${chance > 0.999 ? '100 %' : chancePercent(chance)}`;
}

/** `at least 99.9 %` of what is more, and `at least 0 %` of what is hardly possible. */
export function chanceAtLeast(chance: number): string {
  if (chance > 0.999 && chance < 1) return 'at least 99.9 %';
  return `at least ${chance < 0.001 ? '0 %' : chancePercent(chance)}`;
}
