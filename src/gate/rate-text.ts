/** Most decimals a rate of at most 2^32 trials needs to be told from its bar. */
const MAX_DECIMALS = 10;

/**
 * Rates as text with as few decimals, at least two, as keep different rates different, and each with as many more as
 * keep it from reading as a round 0 or 1 that it is not.
 */
export function rateTexts(...rates: readonly number[]): readonly string[] {
  const decimals = fewest((places) => areApart(rates, places));
  return rates.map((rate) => notRound(rate, decimals));
}

/**
 * A bar with all the decimals that somebody wrote, then rates as `rateTexts` has them, with as many decimals as keep each
 * on its side of the bar: neither is a bar of 0.955 shown as 0.95, nor a rate of 0.875 beside it as 0.88.
 */
export function barTexts(bar: number, ...rates: readonly number[]): readonly string[] {
  const written = fewest((places) => Number(bar.toFixed(places)) === bar);
  const decimals = fewest(
    (places) =>
      areApart([bar, ...rates], places) &&
      rates.every((rate) => Math.sign(Number(rate.toFixed(places)) - bar) === Math.sign(rate - bar)),
  );
  return [notRound(bar, Math.max(written, decimals)), ...rates.map((rate) => notRound(rate, decimals))];
}

function areApart(rates: readonly number[], places: number): boolean {
  return new Set(rates.map((rate) => rate.toFixed(places))).size === new Set(rates).size;
}

/** The fewest decimals, at least two, with which this is so. */
function fewest(isEnough: (places: number) => boolean): number {
  let places = 2;
  while (places < MAX_DECIMALS && !isEnough(places)) places++;
  return places;
}

function notRound(rate: number, decimals: number): string {
  let places = decimals;
  while (places < MAX_DECIMALS && rate > 0 && rate < 1 && /^[01]\.0*$/.test(rate.toFixed(places))) places++;
  return rate.toFixed(places);
}
