import { resolve } from 'node:path';
import { memoryDocument } from '../../scenario/objects/memory-document.ts';
import { plainData } from '../../scenario/objects/plain-data.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { type ObjectOptions, issuesOfObject } from '../../scenario/objects/scenario-from-object.ts';
import { snakeKeys } from '../../scenario/objects/snake-keys.ts';
import { takeCode } from '../../scenario/objects/take-code.ts';
import { isTable } from '../../source/json-schema.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import { isJudgedByCode, isJudgedHere } from '../../types/scenarios/judging-code.ts';
import { hasWorldObject, usesProcessCode, worldModuleOf } from '../../types/subjects.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { loadSessions } from './load-sessions.ts';
import { agentScenarioSchema } from './session-schema.ts';

/** Loads a scenario with an agent that a program made, with the same checks as a file. Throws nothing. */
export async function sessionsFromObject(
  definition: unknown,
  view: RegistryView,
  { cwd, root = cwd, folder = cwd, file = MEMORY, ...options }: ObjectOptions,
): Promise<readonly LoadedScenario[]> {
  const { data: bare, codeAt } = takeCode(definition);
  const issues: Issue[] = [];
  const plain = plainData(bare, issues);
  const data = snakeKeys(isTable(plain) ? plain : {}, agentScenarioSchema) as JsonObject;
  const name = textAt(data, 'name');
  const { document, withoutPlaces } = memoryDocument(data, file, codeAt);
  const places = { root: resolve(root), cwd: resolve(cwd), folder: resolve(folder) };
  const { rows } = await loadSessions(document, view, { ...options, ...places });
  return rows.map((row, at) => {
    const own = at === 0 ? issues : [];
    const found = [...own, ...row.issues, ...(row.ok ? placeIssues(row.scenario) : [])];
    const all = issuesOfObject(withoutPlaces(found), name, file);
    if (!row.ok || found.length === row.issues.length) return { ...row, issues: all };
    const { name: called, trials } = row.scenario;
    return { ok: false, file, name: called, capabilities: [], trials, issues: all };
  });
}

/** Code of a program is on the calling thread, and modules of the user run elsewhere. Who is judged may be somewhere else. */
function placeIssues(scenario: Scenario): readonly Issue[] {
  const { subject, expected } = scenario;
  if (subject.kind !== 'session' || !usesProcessCode(scenario)) return [];
  const others = [
    ...(subject.agent.kind === 'module' ? ['its agent is a module'] : []),
    ...(worldModuleOf(subject) === null ? [] : ['its world is a module']),
    ...(isJudgedByCode(expected) && (hasWorldObject(subject) || isJudgedHere(expected))
      ? ['modules or plug-ins judge it']
      : []),
  ];
  return others.map(
    (other): Issue => ({
      code: 'code_apart',
      severity: 'error',
      message: `Code of this program takes part, and ${other}: these run in workers.`,
      hint: 'Import the module, and give what it exports in its place.',
    }),
  );
}
