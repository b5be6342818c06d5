import type { ComparedMean } from '../types/reports/comparison.ts';
import { signed } from './signed.ts';

/** A mean before and after, and their difference: `0.80 → 0.90, +0.10 [+0.02, +0.18], p = 0.012`. */
export function meanText(
  { baseline, candidate, difference, interval, p }: ComparedMean,
  format: (value: number) => string,
): string {
  const chance = p === null ? '' : `, ${chanceText(p)}`;
  return `${format(baseline)} → ${format(candidate)}, ${signed(difference, format)}${rangeText(interval, format)}${chance}`;
}

/** The interval of a difference, after a blank; empty: there is none. */
export function rangeText(interval: ComparedMean['interval'], format?: (value: number) => string): string {
  return interval === null ? '' : ` [${interval.map((end) => signed(end, format)).join(', ')}]`;
}

/** A p-value in two digits. */
export function chanceText(p: number): string {
  return `p = ${p.toPrecision(2)}`;
}
