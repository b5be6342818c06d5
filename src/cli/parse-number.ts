import { InvalidArgumentError } from 'commander';

/** Reads a whole number of at least `least`, e.g. `--trials 1000` or `--trials 1e6`. */
export function parseWhole(text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  }
  return value;
}

/** Reads a sum above 0, e.g. `--max-cost 2.50`. */
export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('Expected a number above 0.');
}

/** Reads a rate, e.g. `--min-pass-rate 0.95`. */
export function parseRate(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  const percent = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text)?.[1];
  const meant = percent === undefined ? Number.NaN : Number(percent) / 100;
  throw new InvalidArgumentError(`Expected a number from 0 to 1${meant <= 1 ? `; for ${text} write ${meant}` : ''}.`);
}

/** Reads a number from 0, e.g. `--price-per-mtok 2.5`. */
export function parseMeasure(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('Expected a number from 0.');
}
