import { formatRate } from './format-number.ts';

/** A change of a rate with its sign: `+0.12`, `−0.30`, `0.00`. */
export function signed(change: number): string {
  const text = formatRate(Math.abs(change));
  return change === 0 ? text : `${change < 0 ? '−' : '+'}${text}`;
}

/** A relative change with its sign: `+12.5 %`, `−3.0 %`. */
export function signedPercent(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(1)} %`;
}
