import path from 'node:path';
import type { Places } from '../places.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ModuleCheck } from '../../types/scenarios/module-check.ts';
import { tablesAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { fromRoot, namedFile } from './named-file.ts';

/** The checks of a scenario or task that are modules. Tells modules that are not there, and names that are taken. */
export function readModuleChecks(
  expected: JsonObject,
  { at, places, report }: { readonly at: Pointer; readonly places: Places; readonly report: Report },
): readonly ModuleCheck[] {
  const taken = new Set<string>();
  return tablesAt(expected, 'checks').flatMap(({ table, index }): readonly ModuleCheck[] => {
    const place = [...at, 'checks', index];
    const module = textAt(table, 'module') ?? '';
    const name = textAt(table, 'name') ?? path.basename(module, path.extname(module));
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another check "${name}".`, at: place });
    }
    taken.add(name);
    const named = { name: module, at: [...place, 'module'], noun: 'module', code: 'missing_module' };
    const found = namedFile(named, places, report);
    if (found === null) return [];
    return [{ name, file: fromRoot(found, places), exported: textAt(table, 'export') ?? 'default' }];
  });
}
