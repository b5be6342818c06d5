import { resolve } from 'node:path';
import { codeApart } from '../../scenario/objects/code-apart.ts';
import { memoryDocument } from '../../scenario/objects/memory-document.ts';
import { plainData } from '../../scenario/objects/plain-data.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { type ObjectOptions, issuesOfObject } from '../../scenario/objects/scenario-from-object.ts';
import { snakeKeys } from '../../scenario/objects/snake-keys.ts';
import { takeCode } from '../../scenario/objects/take-code.ts';
import { isTable } from '../../source/json-schema.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { LoadedScenario } from '../../types/scenario.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { LoadedDocument } from '../suite-kind.ts';
import { loadSessions } from './load-sessions.ts';
import { agentScenarioSchema } from './session-schema.ts';

/** Loads a scenario with an agent that a program made, with the same checks as a file. Throws nothing. */
export async function sessionsFromObject(
  definition: unknown,
  view: RegistryView,
  { cwd, root = cwd, folder = cwd, file = MEMORY, ...options }: ObjectOptions,
): Promise<LoadedDocument<never>> {
  const { data: bare, codeAt } = takeCode(definition);
  const issues: Issue[] = [];
  const plain = plainData(bare, issues);
  const data = snakeKeys(isTable(plain) ? plain : {}, agentScenarioSchema) as JsonObject;
  const name = textAt(data, 'name');
  const { document, withoutPlaces } = memoryDocument(data, file, {
    codeAt,
    written: { plain, schemas: [agentScenarioSchema] },
  });
  const places = { root: resolve(root), cwd: resolve(cwd), folder: resolve(folder) };
  const { rows } = await loadSessions(document, view, { ...options, ...places });
  const withOwn = rows.map((row, at): LoadedScenario => {
    const own = at === 0 ? issues : [];
    const found = [...own, ...row.issues, ...(row.ok ? codeApart(row.scenario) : [])];
    const all = issuesOfObject(withoutPlaces(found), name, file);
    if (!row.ok || found.length === row.issues.length) return { ...row, issues: all };
    const { name: called, trials } = row.scenario;
    return { ok: false, file, name: called, capabilities: [], trials, issues: all };
  });
  return { rows: withOwn, definitions: [], notRun: [], issues: withOwn.flatMap((row) => row.issues) };
}
