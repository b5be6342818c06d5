import type { LoadedScenario, Scenario } from '../types/scenario.ts';
import type { DefinitionBase } from '../types/suite-base.ts';
import { scenarioKey } from '../values/scenario-key.ts';

/** What the files of a suite gave. */
export interface NamedRows<D extends DefinitionBase = DefinitionBase> {
  readonly definitions: readonly D[];
  readonly rows: readonly LoadedScenario[];
}

/**
 * Definitions that have one name in several files get the file behind it, in brackets, and so do the scenarios that they are
 * run as: no two definitions of a run have the same name. What is drawn still follows from the names in the file, so a
 * definition has the results that it has alone.
 */
export function tellApart<D extends DefinitionBase>(suite: NamedRows<D>): NamedRows<D> {
  const names = uniqueNames(suite.definitions);
  if (names.size === 0) return suite;
  return {
    definitions: suite.definitions.map((definition) => {
      const name = names.get(scenarioKey(definition));
      return name === undefined ? definition : Object.freeze({ ...definition, name });
    }),
    rows: suite.rows.map((row) => (row.ok ? withUniqueName(row, names) : row)),
  };
}

/** The new names of those that need one. */
function uniqueNames(definitions: readonly DefinitionBase[]): ReadonlyMap<string, string> {
  const names = new Map(definitions.map((one) => [scenarioKey(one), one.name]));
  const renamed = new Map<string, string>();
  // A new name may be the one that a third was given by its author.
  for (let shared = sharedNames(names); shared.size > 0; shared = sharedNames(names)) {
    for (const one of definitions) {
      const key = scenarioKey(one);
      const name = names.get(key) ?? one.name;
      if (!shared.has(name)) continue;
      names.set(key, `${name} (${one.file})`);
      renamed.set(key, `${name} (${one.file})`);
    }
  }
  return renamed;
}

function sharedNames(names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const name of names.values()) (seen.has(name) ? shared : seen).add(name);
  return shared;
}

function withUniqueName(
  row: LoadedScenario & { readonly ok: true },
  names: ReadonlyMap<string, string>,
): LoadedScenario {
  const { scenario } = row;
  const { part } = scenario;
  const definition = part && names.get(scenarioKey({ file: scenario.file, name: part.of }));
  if (part === undefined || definition === undefined) return row;
  const renamed: Scenario = {
    ...scenario,
    name: definition + scenario.name.slice(part.of.length),
    part: { ...part, of: definition },
    namesInFile: { scenario: scenario.name, definition: part.of },
  };
  return { ...row, scenario: Object.freeze(renamed) };
}
