import { percent } from '../text/percent.ts';
import { formatRate } from '../text/format-rate.ts';

/** What sums of rates differ by where they are equal. */
const RESIDUE = 1e-12;

/** A change of a rate, or of what `format` writes, with its sign: `+0.12`, `−0.30`, `0.00`. */
export function signed(change: number, format: (value: number) => string = formatRate): string {
  if (Math.abs(change) < RESIDUE) return format(0);
  return `${change < 0 ? '−' : '+'}${format(Math.abs(change))}`;
}

/** A relative change with its sign: `+12.5 %`, `−3.0 %`. */
export function signedPercent(change: number): string {
  return `${change < 0 ? '−' : '+'}${percent(Math.abs(change))}`;
}
