import type { TrivialSubject } from '../audit/set-audit.ts';
import type { LoadedScenario, Scenario } from '../scenario.ts';
import type { DefinitionBase } from '../suite-base.ts';

/** What one document gave. */
export interface LoadedRows {
  readonly rows: readonly (LoadedScenario & { readonly ok: true })[];
  readonly definitions: readonly DefinitionBase[];
}

/** How subjects fared on one task of a document that can do nothing, and answers that are held to be right. */
export interface TriedScenario {
  readonly scenario: Scenario;
  readonly passedBy: readonly TrivialSubject[];
  /** `unknown`: there are none, or nobody could judge them. */
  readonly gold: 'passed' | 'failed' | 'unknown';
  /** The same for two tasks that are one; null: nothing could tell. */
  readonly content: string | null;
}

/** Tries scenarios out before they are run: the tasks of each document, in the order of documents. */
export type TryOut = (documents: readonly LoadedRows[]) => Promise<readonly (readonly TriedScenario[])[]>;
