import { resolve } from 'node:path';
import { builtinProfiles } from '../../faults/chaos/profiles.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { isTable } from '../../source/json-schema.ts';
import { Type } from '../../source/schema-type.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Chaos } from '../../types/chaos.ts';
import type { Issue } from '../../types/issue.ts';
import { tableAt, tablesAt, textAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';
import { chaosKeys } from './chaos-schema.ts';
import { type NamedForm, openNamedDocument } from './open-named-document.ts';
import { readChaos } from './read-chaos.ts';
import type { ContractPlaces } from './reading.ts';

/** Chaos by the name of a profile, and what is wrong with those that gave none. */
export interface LoadedProfiles {
  /** Null: there is no such profile, or its file has errors. */
  readonly profiles: ReadonlyMap<string, Chaos | null>;
  readonly issues: readonly Issue[];
}

/** Loads every profile that a contract document names. */
export async function loadProfiles(document: SourceDocument, places: ContractPlaces): Promise<LoadedProfiles> {
  const profiles = new Map<string, Chaos | null>();
  const issues: Issue[] = [];
  for (const [name, at] of namedProfiles(document)) {
    if (profiles.has(name)) continue;
    const loaded = await loadProfile(name, places);
    profiles.set(name, loaded.chaos);
    // A profile that is not there at all is a problem of the place that names it.
    for (const issue of loaded.issues)
      issues.push(issue.at === undefined ? { ...issue, at: document.locate(at) } : issue);
  }
  return { profiles, issues };
}

/** The chaos of a built-in profile, or of a file with one; null with the reasons. */
export async function loadProfile(
  name: string,
  places: ContractPlaces,
): Promise<{ readonly chaos: Chaos | null; readonly issues: readonly Issue[] }> {
  const builtin = builtinProfiles.find((profile) => profile.name === name);
  if (builtin !== undefined) return { chaos: builtin.chaos, issues: [] };
  if (!/\.(?:toml|ya?ml|json)$/.test(name)) {
    const names = builtinProfiles.map((profile) => profile.name);
    const hint = `${hintFor(name, names, 'profiles')} A file of your own ends with .toml, .yaml or .json.`;
    const message = `There is no chaos profile "${name}".`;
    return { chaos: null, issues: [{ code: 'unknown_profile', severity: 'error', message, hint }] };
  }
  const { document, issues: found } = await openNamedDocument(resolve(places.folder, name), places, PROFILE);
  if (document === null) return { chaos: null, issues: found };
  const issues: Issue[] = [...found];
  const chaos = readChaos(tableAt(document.data, 'chaos'), ['chaos'], (found) =>
    issues.push(toIssue(found, document.locate)),
  );
  return { chaos: issues.some(({ severity }) => severity === 'error') ? null : chaos, issues };
}

const { profile: _, ...ownKeys } = chaosKeys;

const profileSchema = strictTable(
  {
    name: Type.Optional(text('Name of the profile.')),
    description: Type.Optional(text('What goes wrong in it.')),
    chaos: strictTable(ownKeys, 'What goes wrong.'),
  },
  'A chaos profile.',
);

const PROFILE: NamedForm = {
  what: 'a chaos profile',
  fits: ({ data }) => isTable(data['chaos']),
  schema: profileSchema,
};

function namedProfiles({ data }: SourceDocument): readonly (readonly [name: string, at: Pointer])[] {
  const columns = (at: Pointer, holder = data): readonly (readonly [string, Pointer])[] =>
    tablesAt(holder, 'chaos_matrix').flatMap(({ index, table }) => {
      const name = textAt(table, 'profile');
      return name === undefined ? [] : [[name, [...at, 'chaos_matrix', index, 'profile']] as const];
    });
  const global = textAt(tableAt(data, 'chaos'), 'profile');
  return [
    ...(global === undefined ? [] : [[global, ['chaos', 'profile']] as const]),
    ...columns(['contract'], tableAt(data, 'contract')),
    ...columns([]),
  ];
}
