import type { Pointer } from '../source/place-tree.ts';
import type { Expected } from '../types/scenarios/expected.ts';
import { compileChecks } from './compile-checks.ts';

/** Where files ask for the checks of a scenario that has run, by their names: see `Check.key`. None of them can judge. */
export function checkKeys(
  expected: Expected,
  info: { readonly nodeIds: readonly string[]; readonly answersInTurns?: true },
): ReadonlyMap<string, Pointer> {
  const checks = compileChecks(expected, { ...info, compileSchema: () => () => [] });
  return new Map(checks.map(({ name, key }) => [name, key]));
}
