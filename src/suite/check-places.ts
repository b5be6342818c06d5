import { nameChecks } from '../checks/name-checks.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { SourceFile } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { CheckPlaces, Place } from '../types/check-places.ts';
import type { Scenario } from '../types/scenario.ts';
import { workflowsOf } from '../types/subjects.ts';

/** The document of a file by its name; null: nobody has it, such as one of a program. */
export type DocumentOf = (file: string) => SourceDocument | null;

/** Finds the places of scenarios in the texts that were loaded; null: the scenario has none. */
export function placesIn(documentOf: DocumentOf): (scenario: Scenario) => CheckPlaces | null {
  return (scenario) => {
    const document = documentOf(scenario.file);
    return document === null ? null : placesOf(scenario, document);
  };
}

/**
 * Parses texts that were loaded once more, because loading keeps no positions: of 10,000 scenarios few fail. The last one stays
 * at hand.
 */
export function documentsOf(sources: ReadonlyMap<string, SourceFile>): DocumentOf {
  let last: { readonly file: string; readonly document: SourceDocument | null } | null = null;
  return (file) => {
    if (last?.file !== file) last = { file, document: documentOf(sources.get(file)) };
    return last.document;
  };
}

function documentOf(source: SourceFile | undefined): SourceDocument | null {
  const parsed = source === undefined ? null : parseToml(source);
  return parsed?.ok === true ? parsed.document : null;
}

function placesOf({ expected, subject, inFile = [] }: Scenario, { data, locate }: SourceDocument): CheckPlaces {
  const placeOf = (pointer: Pointer, part?: 'key'): Place => {
    const { file, line, column } = locate([...inFile, ...pointer], part);
    return { file, line, column };
  };
  const checks = nameChecks(expected, workflowsOf(subject)[0]);
  // Recordings have no table of what is expected of them.
  const ownOf = (key: Pointer): Pointer => (subject.kind === 'recording' ? key.slice(1) : key);
  const tried = ['workflow', 'agent'].find((key) => inFile.length === 0 && Object.hasOwn(data, key));
  return {
    checks: Object.fromEntries(checks.map(({ name, key }) => [name, placeOf(ownOf(key))])),
    subject: tried === undefined ? placeOf(['name']) : placeOf([tried], 'key'),
  };
}
