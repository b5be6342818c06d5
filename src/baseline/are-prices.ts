import { isRecord } from '../values/is-json.ts';

/** What is priced. */
export const PRICE_NAMES = ['input', 'output', 'cached', 'batch'] as const;

/** Completes "`prices` must be …". */
export const PRICES_SHAPE =
  'USD per million tokens: a number from 0, or { input, output } and if you like `cached` and `batch`, such as { input: 3, output: 15 }';

/** True for prices, also where a program without types gives them. */
export function arePrices(value: unknown): boolean {
  if (!isRecord(value)) return isPrice(value);
  if (value.input === undefined || value.output === undefined) return false;
  return Object.entries(value).every(
    ([name, price]) => PRICE_NAMES.some((other) => other === name) && (price === undefined || isPrice(price)),
  );
}

/** True for a sum of money that can be asked for a million tokens. */
export function isPrice(price: unknown): boolean {
  return typeof price === 'number' && price >= 0 && price < Number.POSITIVE_INFINITY;
}
