import path from 'node:path';
import type { Places } from '../places.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { JsonObject } from '../../types/json.ts';
import type { CodeCheck, JudgingCode } from '../../types/scenarios/code-check.ts';
import { tablesAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import type { RegistryView } from '../registry-view.ts';
import { fromRoot, namedFile } from './named-file.ts';
import { namedCode } from '../objects/named-code.ts';
import { readPluginCheck } from './read-plugin-check.ts';

interface CodeChecksPlace {
  readonly at: Pointer;
  readonly document: SourceDocument;
  readonly places: Places;
  /** Plug-ins that may be named. */
  readonly checks: RegistryView['checks'];
  readonly report: Report;
}

/** The checks of a scenario or task that are code. Tells modules and plug-ins that are not there, and names that are taken. */
export function readCodeChecks(expected: JsonObject, place: CodeChecksPlace): readonly CodeCheck[] {
  const { report } = place;
  const taken = new Set<string>();
  return tablesAt(expected, 'checks').flatMap(({ table, index }): readonly CodeCheck[] => {
    const at = [...place.at, 'checks', index];
    const module = textAt(table, 'module');
    const plugin = textAt(table, 'plugin');
    const { document, checks, places } = place;
    const own = namedCode(document, at, places);
    if (own === null && (module === undefined) === (plugin === undefined)) {
      const message =
        module === undefined ? 'This check names no code.' : 'This check names both a module and a plug-in.';
      report({ code: 'one_of', message, at, hint: 'Write one of `module` and `plugin`.' });
      return [];
    }
    const name = textAt(table, 'name') ?? plugin ?? path.basename(module ?? '', path.extname(module ?? ''));
    if (name === '') {
      const hint = "Write { name: 'no-refund', check: (record) => … }, or give the function a name.";
      report({ code: 'missing_key', message: 'A check that is a function without a name needs `name`.', at, hint });
    }
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another check "${name}".`, at });
    }
    taken.add(name);
    if (own !== null) return [{ name, code: own }];
    const code =
      plugin === undefined
        ? readModule(table, module ?? '', { ...place, at })
        : readPluginCheck(table, plugin, { at, document, report, checks, judges: 'trials' });
    return code === null ? [] : [{ name, ...code }];
  });
}

function readModule(table: JsonObject, module: string, { at, places, report }: CodeChecksPlace): JudgingCode | null {
  const named = { name: module, at: [...at, 'module'], noun: 'module', code: 'missing_module' };
  const found = namedFile(named, places, report);
  return found === null ? null : { file: fromRoot(found, places), exported: textAt(table, 'export') ?? 'default' };
}
