import { firstNames } from '../../text/first-names.ts';

/** Names in one sentence. */
const MOST_NAMES = 3;

/** The first of some names, and how many more there are. */
export function named(names: readonly string[]): string {
  return firstNames(names, MOST_NAMES);
}
