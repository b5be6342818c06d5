import type { DefinitionBase } from '../types/suite-base.ts';

/** True: a definition has a result of its own; scenarios that are generated stand for themselves. */
export function hasResult({ kind }: Pick<DefinitionBase, 'kind'>): boolean {
  return kind !== 'generated';
}
