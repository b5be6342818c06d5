/** Names in one sentence. */
const MOST_NAMES = 3;

/** The first of some names, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
