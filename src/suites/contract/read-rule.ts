import { invariantSchemas } from '../../checks/invariants/builtin-schemas.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { InvariantRule } from '../../types/invariant.ts';
import type { JsonObject } from '../../types/json.ts';
import { fromRoot, namedFile } from '../../scenario/files/named-file.ts';
import { readPluginCheck } from '../../scenario/files/read-plugin-check.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { readRuleSchema } from './read-rule-schema.ts';
import type { Reading } from './reading.ts';

/** What the rule of an invariant looks at; null when the file does not say so, which is then reported. */
export function readRule(table: JsonObject, at: Pointer, reading: Reading): InvariantRule | null {
  const written = textAt(table, 'type');
  const schema = invariantSchemas.find(({ type }) => type === written);
  if (schema === undefined) return null;
  return schema.read(table, at, {
    report: reading.report,
    readSchema: (value, place) => readRuleSchema(value, place, reading),
    moduleFile: (name, place) => moduleFile(name, place, reading),
    plugin: (type, holder, place) => {
      const { document, report, plugins } = reading;
      return readPluginCheck(holder, type, { at: place, document, report, checks: plugins.checks, judges: 'answers' });
    },
  });
}

/** Beside the contract, where the files that it names stand. */
function moduleFile(name: string, at: Pointer, { places, report }: Reading): string | null {
  const hint = 'Paths start at the folder of this file.';
  const named = { name, at, noun: 'module', code: 'missing_module', hint };
  const found = namedFile(named, { ...places, cwd: places.folder }, report);
  return found === null ? null : fromRoot(found, places);
}
