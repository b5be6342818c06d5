/** Most decimals of a rate: 10 tell every one of at most 2^32 trials from its bar. */
const MOST_DECIMALS = 12;

/** A rate in [0, 1] with two decimals, or more where two would read as 0 or 1 although it is neither. */
export function formatRate(rate: number): string {
  return rateText(rate, 2);
}

/** A bar with all the decimals that somebody wrote, at least two: 0.955 is not shown as 0.95. */
export function formatBar(bar: number): string {
  return barText(bar, 2);
}

/** `[0.31, 0.86]`, with more decimals, up to six, where two would show no width: `[0.497, 0.503]`. */
export function formatInterval([low, high]: readonly [number, number]): string {
  let decimals = 2;
  while (decimals < 6 && low !== high && rateText(low, decimals) === rateText(high, decimals)) decimals++;
  return `[${rateText(low, decimals)}, ${rateText(high, decimals)}]`;
}

/** An upper bound of a rate, never below what it bounds: two decimals, or two digits of a small one. */
export function formatUpper(bound: number): string {
  const decimals = bound > 0 ? Math.min(MOST_DECIMALS, Math.max(2, 1 - Math.floor(Math.log10(bound)))) : 2;
  const scale = 10 ** decimals;
  // What only computing in doubles adds is no reason to go up.
  const text = (Math.ceil(bound * scale - 1e-6) / scale).toFixed(decimals);
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Rates side by side, each as `formatRate` has it, with as many decimals as keep different ones different. */
export function rateTexts(...rates: readonly number[]): readonly string[] {
  const decimals = fewestDecimals((places) => areApart(rates, places));
  return rates.map((rate) => rateText(rate, decimals));
}

/**
 * A bar as `formatBar` has it, then rates as `rateTexts` has them, with as many decimals as keep each on its side of the
 * bar: a rate of 0.875 beside a bar of 0.88 is not shown as 0.88.
 */
export function barTexts(bar: number, ...rates: readonly number[]): readonly string[] {
  const decimals = fewestDecimals(
    (places) =>
      areApart([bar, ...rates], places) &&
      rates.every((rate) => Math.sign(Number(rate.toFixed(places)) - bar) === Math.sign(rate - bar)),
  );
  return [barText(bar, decimals), ...rates.map((rate) => rateText(rate, decimals))];
}

function barText(bar: number, least: number): string {
  return bar.toFixed(fewestDecimals((places) => places >= least && Number(bar.toFixed(places)) === bar));
}

function rateText(rate: number, least: number): string {
  let decimals = least;
  while (decimals < MOST_DECIMALS && rate > 0 && rate < 1 && isRound(rate.toFixed(decimals))) decimals++;
  const text = rate.toFixed(decimals);
  // A row of zeros would say that it never happens.
  return rate > 0 && Number(text) === 0 ? rate.toExponential(0) : text;
}

function areApart(rates: readonly number[], places: number): boolean {
  return new Set(rates.map((rate) => rate.toFixed(places))).size === new Set(rates).size;
}

/** The fewest decimals, at least two, with which this is so. */
function fewestDecimals(isEnough: (places: number) => boolean): number {
  let places = 2;
  while (places < MOST_DECIMALS && !isEnough(places)) places++;
  return places;
}

function isRound(text: string): boolean {
  return /^[01]\.0*$/.test(text);
}
