import type { Folded, PartResult, RunFacts, SuiteKind, SuiteVerbs } from '../suites/suite-kind.ts';
import type { DefinitionBase } from '../types/suite-base.ts';

/** Everything of a run that its definitions are folded from. */
export interface DefinitionsRun {
  readonly kinds: readonly SuiteKind[];
  readonly definitions: readonly DefinitionBase[];
  /** Of the scenarios that are run for them, in plan order. */
  readonly parts: readonly PartResult[];
}

/** The definitions of one kind, with their parts. */
export interface KindRun {
  readonly verbs: SuiteVerbs;
  readonly type: string;
  readonly definitions: readonly DefinitionBase[];
  readonly parts: readonly PartResult[];
}

/** Kind by kind; those of which the run has nothing are left out. */
export async function openKinds({ kinds, definitions, parts }: DefinitionsRun): Promise<readonly KindRun[]> {
  const used = kinds.filter(({ type }) => definitions.some(({ kind }) => kind === type));
  return Promise.all(
    used.map(async ({ type, open }): Promise<KindRun> => {
      const ofKind = definitions.filter(({ kind }) => kind === type);
      return { verbs: await open(), type, definitions: ofKind, parts: partsOf(type, parts) };
    }),
  );
}

/** The results of all definitions, kind by kind, and what is said over all of a kind. */
export function foldKinds(runs: readonly KindRun[], facts: RunFacts): Folded {
  const folded = runs.map(({ verbs, definitions, parts }) => verbs.fold(definitions, parts, facts));
  const overall = folded.find((one) => one.overall !== undefined)?.overall;
  return { results: folded.flatMap(({ results }) => results), ...(overall !== undefined && { overall }) };
}

function partsOf(type: string, parts: readonly PartResult[]): readonly PartResult[] {
  return parts.filter(({ plan }) => plan.scenario.part?.kind === type);
}
