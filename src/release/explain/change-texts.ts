import type { EvalScenario } from '../../types/release/eval-body.ts';

/** Names in one sentence. */
const MOST_NAMES = 3;

/** The trials of a scenario that were run. */
export function trialsOf({ passed, failed, errors }: Pick<EvalScenario, 'passed' | 'failed' | 'errors'>): number {
  return passed + failed + errors;
}

/** The first of some names, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
