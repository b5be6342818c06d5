import path from 'node:path';
import type { Places } from '../../scenario/places.ts';
import { readSource } from '../../source/source-file.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { tableAt, tablesAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { namedFile } from './named-file.ts';
import type { NamedAgent } from './read-agents.ts';

/** The agents of a file that are tried on every task. Tells modules that are not there, and names that are taken. */
export function readModuleAgents(
  data: JsonObject,
  { places, system, report }: { readonly places: Places; readonly system: string | null; readonly report: Report },
): readonly NamedAgent[] {
  const taken = new Set<string>();
  return tablesAt(data, 'agents').flatMap(({ table, index }): readonly NamedAgent[] => {
    const at = ['agents', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another agent "${name}".`, at: [...at, 'name'] });
    }
    taken.add(name);
    const module = textAt(table, 'module') ?? '';
    const found = namedFile(
      { name: module, at: [...at, 'module'], noun: 'module', code: 'missing_module' },
      places,
      report,
    );
    if (found === null) return [];
    const file = path.relative(places.root, found).split(path.sep).join('/');
    const exported = textAt(table, 'export') ?? 'default';
    return [{ name, agent: { kind: 'module', file, exported, system }, fails: null, at }];
  });
}

/** What agents are told before anything else; null: nothing. */
export function readSystem(
  data: JsonObject,
  { places, report, add }: { readonly places: Places; readonly report: Report; readonly add: (issue: Issue) => void },
): string | null {
  const session = tableAt(data, 'session');
  const [text, named] = [textAt(session, 'system'), textAt(session, 'system_file')];
  const at = ['session', 'system_file'];
  if (text !== undefined && named !== undefined) {
    report({ code: 'unused_key', message: 'There is "system" already.', at, part: 'key', hint: 'Keep one of them.' });
  }
  if (text !== undefined || named === undefined) return text ?? null;
  const found = namedFile({ name: named, at, noun: 'file', code: 'file_missing' }, places, report);
  if (found === null) return null;
  const read = readSource(found, places);
  if (read.ok) return read.source.text;
  for (const issue of read.issues) add(issue);
  return null;
}
