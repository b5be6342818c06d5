import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { LoadedDocument } from './suite-kind.ts';

/** Why nothing stands behind a document of several scenarios. */
export interface Unloaded {
  /** What it is called where its author says so, else its file. */
  readonly name: string;
  /** Trials that it asks for, where that is known. */
  readonly trials?: number;
  readonly issues: readonly Issue[];
}

/** What a document gives that did not load: one row, which has all of its problems. */
export function unloadedDocument(file: string, parts: Unloaded): LoadedDocument<never> {
  return { rows: [unloadedRow(file, parts)], definitions: [], notRun: [], issues: parts.issues };
}

/** That row. */
export function unloadedRow(
  file: string,
  { name, trials = 0, issues }: Unloaded,
): LoadedScenario & { readonly ok: false } {
  return { ok: false, file, name, isOfSeveral: true, capabilities: [], trials, issues };
}
