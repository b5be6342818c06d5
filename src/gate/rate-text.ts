/** Most decimals a rate of at most 2^32 trials needs to be told from its bar. */
const MAX_DECIMALS = 10;

/**
 * Rates as text with as few decimals, at least two, as keep different rates different, and each with as many more as
 * keep it from reading as a round 0 or 1 that it is not.
 */
export function rateTexts(...rates: readonly number[]): readonly string[] {
  const distinct = new Set(rates).size;
  let decimals = 2;
  while (decimals < MAX_DECIMALS && new Set(rates.map((rate) => rate.toFixed(decimals))).size < distinct) decimals++;
  return rates.map((rate) => {
    let places = decimals;
    while (places < MAX_DECIMALS && rate > 0 && rate < 1 && /^[01]\.0*$/.test(rate.toFixed(places))) places++;
    return rate.toFixed(places);
  });
}
