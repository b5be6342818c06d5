import type { Issue } from '../types/issue.ts';

/** A problem with a number that must be whole and within bounds, both included. */
export function wholeNumber(name: string, value: number | undefined, min: number, max: number): readonly Issue[] {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return [];
  return [usage(`\`${name}\` must be a whole number from ${min} to ${max}, got ${String(value)}.`)];
}

/** A problem with what must be a share. */
export function rate(name: string, value: number | undefined): readonly Issue[] {
  if (value === undefined || (value >= 0 && value <= 1)) return [];
  return [usage(`\`${name}\` must be a number from 0 to 1, got ${String(value)}.`)];
}

/** A problem with a sum in USD. */
export function sumOfMoney(name: string, value: number | undefined): readonly Issue[] {
  if (value === undefined || (value > 0 && value <= 1e6)) return [];
  return [usage(`\`${name}\` must be a number above 0 and at most 1,000,000 (USD), got ${String(value)}.`)];
}

/** A problem with a word that must be one of a few. */
export function oneOf(name: string, value: string | undefined, known: readonly string[]): readonly Issue[] {
  if (value === undefined || known.includes(value)) return [];
  return [usage(`\`${name}\` must be one of ${known.join(', ')}, got ${JSON.stringify(value)}.`)];
}

function usage(message: string): Issue {
  return { code: 'bad_option', severity: 'error', message };
}
