import type { Folded, PartResult, RunFacts, SuiteKind } from '../suites/suite-kind.ts';
import type { DefinitionBase } from '../types/suite.ts';

/** Everything of a run that its definitions are folded from. */
export interface DefinitionsRun {
  readonly kinds: readonly SuiteKind[];
  readonly definitions: readonly DefinitionBase[];
  /** Of the scenarios that are run for them, in plan order. */
  readonly parts: readonly PartResult[];
}

/** The definitions of one kind, with their parts. */
export interface KindRun {
  readonly kind: SuiteKind;
  readonly definitions: readonly DefinitionBase[];
  readonly parts: readonly PartResult[];
}

/** Kind by kind; those of which the run has nothing are left out. */
export function byKind({ kinds, definitions, parts }: DefinitionsRun): readonly KindRun[] {
  return kinds.flatMap((kind) => {
    const own = definitions.filter((one) => one.kind === kind.type);
    if (own.length === 0) return [];
    return [{ kind, definitions: own, parts: parts.filter(({ plan }) => plan.scenario.part?.kind === kind.type) }];
  });
}

/** The results of all definitions, kind by kind, and what is said over all of a kind. */
export function foldKinds(run: DefinitionsRun, facts: RunFacts): Folded {
  const folded = byKind(run).map(({ kind, definitions, parts }) => kind.fold(definitions, parts, facts));
  const overall = folded.find((one) => one.overall !== undefined)?.overall;
  return { results: folded.flatMap(({ results }) => results), ...(overall !== undefined && { overall }) };
}
