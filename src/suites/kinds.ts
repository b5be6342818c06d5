import type { SuiteType } from '../plugin/suite-type.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import { contractKind } from './contract/contract-kind.ts';
import { generatedKind } from './generated/generated-kind.ts';
import { sessionKind } from './session/session-kind.ts';
import { recordingKind } from './recording/recording-kind.ts';
import { modelKind } from './model/model-kind.ts';
import { pluginKind } from './plugin/plugin-kind.ts';
import type { SuiteKind } from './suite-kind.ts';

/**
 * All kinds of suite files but scenarios, which are cases by themselves, in the order in which reports have them; a file that generates has
 * keys of other kinds, and comes first. One more is
 * a folder beside `contract/`, its types in `types/suite.ts`, a line here and one in `report/result-kinds.ts`.
 */
export const SUITE_KINDS: readonly SuiteKind[] = [generatedKind, contractKind, modelKind, recordingKind, sessionKind];

/** The same, and what plug-ins bring. */
export function kindsWith(suites: ReadonlyMap<string, SuiteType>): readonly SuiteKind[] {
  return suites.size === 0 ? SUITE_KINDS : [...SUITE_KINDS, pluginKind(suites)];
}

/** The kind of a document; undefined: it is no file of such a kind. */
export function kindOf(document: SourceDocument, kinds: readonly SuiteKind[]): SuiteKind | undefined {
  return kinds.find((kind) => kind.detects(document));
}
