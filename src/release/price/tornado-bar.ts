import { dollars, percent } from '../release-texts.ts';
import type { PriceInput, TornadoBar } from '../../types/release/price-report.ts';

/**
 * A bar of `width` characters on the scale of all bars: from what a success costs as asked to both ends, ▒ where the input is
 * low and █ where it is high, with a line where it is as asked. An end without limit reaches the edge.
 */
export function tornadoBar(bar: TornadoBar, { bars, costUsd, width }: TornadoScale): string {
  const costs = [
    costUsd,
    ...bars.flatMap(({ low, high }) => [low, high].flatMap(({ perSuccessUsd }) => perSuccessUsd ?? [])),
  ];
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const place = (usd: number | null): number =>
    usd === null ? width - 1 : most === least ? 0 : Math.round(((usd - least) / (most - least)) * (width - 1));
  const middle = place(costUsd);
  const cells = Array.from({ length: width }, () => ' ');
  const [low, high] = [place(bar.low.perSuccessUsd), place(bar.high.perSuccessUsd)];
  const fill = (end: number, sign: string): void => {
    for (let at = Math.min(middle, end); at <= Math.max(middle, end); at++) cells[at] = sign;
  };
  // The longer one first, so that the shorter one is seen where both lie on one side.
  const ends = [
    { end: low, sign: '▒' },
    { end: high, sign: '█' },
  ].sort((a, b) => Math.abs(b.end - middle) - Math.abs(a.end - middle));
  for (const { end, sign } of ends) fill(end, sign);
  cells[middle] = '│';
  return cells.join('');
}

/** What a bar is drawn beside. */
export interface TornadoScale {
  readonly bars: readonly TornadoBar[];
  /** Of a success, as asked. */
  readonly costUsd: number;
  /** In characters. */
  readonly width: number;
}

/** Name of an input, at most twelve characters. */
export const INPUT_WORDS: Readonly<Record<PriceInput, string>> = {
  input_price: 'input price',
  output_price: 'output price',
  cached_price: 'cached price',
  cache_share: 'cache share',
  batch_share: 'batch share',
  reserved_share: 'reserved',
  retries: 'retries',
  success_rate: 'success rate',
};

/** From where to where an input goes: `10 % to 50 %`. */
export function rangeText({ input, low, high }: TornadoBar): string {
  const text = (at: number): string => (input === 'retries' ? String(Number(at.toPrecision(3))) : percent(at));
  return `${text(low.at)} to ${text(high.at)}`;
}

/** Dollars in four digits. */
export function amountText(usd: number | null, otherwise = 'no limit'): string {
  return usd === null ? otherwise : dollars(usd);
}
