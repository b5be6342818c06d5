import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { DiscoveredFile } from '../source/discover.ts';
import { importProblem } from '../source/import-problem.ts';
import { runModule } from '../source/run-module.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { isRecord } from '../values/is-json.ts';
import { loadObjects } from './load-objects.ts';
import type { LoadedFile, LoadFileOptions } from './loaded-file.ts';

const loadedModules = new Set<string>();

/** Whether the module at this absolute path was loaded in this process before: a report alone does not make its files run. */
export function wasLoaded(path: string): boolean {
  return loadedModules.has(path);
}

/**
 * Runs a module that the user named, and loads what it exports by default: a scenario as `defineScenario` or
 * `defineAgentScenario` types it, a contract as `defineContract` does, or a list of them. Files that they name are looked for
 * beside the module. Problems are data.
 */
export async function loadModule(
  { path, name: file }: Pick<DiscoveredFile, 'path' | 'name'>,
  view: RegistryView,
  { root, cwd, kinds, only, agents, onRead, onCode }: LoadFileOptions,
): Promise<LoadedFile> {
  loadedModules.add(path);
  onRead?.(path, readFileSync(path));
  const made = await definitionsIn(path, file);
  if ('code' in made) {
    const row = { ok: false, file, name: file, capabilities: [], trials: 0, issues: [made] } as const;
    return { file, source: null, rows: [row], definitions: [], notRun: [], issues: [made] };
  }
  const folder = dirname(path);
  const loaded = await loadObjects(made, view, {
    kinds,
    only,
    root,
    cwd,
    folder,
    file,
    ...(agents !== undefined && { agents }),
    ...(onRead && { onRead }),
    ...(onCode && { onCode }),
  });
  const isOne = made.length === 1;
  return { file, source: null, ...loaded, rows: isOne ? loaded.rows : loaded.rows.map(asCase) };
}

/** A scenario of several in one module is found by its name, as a case is; a part of something else has one already. */
function asCase(row: LoadedScenario): LoadedScenario {
  if (!row.ok || row.scenario.case !== undefined || row.scenario.part !== undefined) return row;
  return { ...row, scenario: Object.freeze({ ...row.scenario, case: row.scenario.name }) };
}

/** What the module exports, or why it makes no scenario. */
async function definitionsIn(path: string, file: string): Promise<readonly unknown[] | Issue> {
  const issue = (code: string, message: string, hint: string): Issue => {
    return { code, severity: 'error', message, hint, at: { file, line: 1, column: 1 } };
  };
  const { href } = pathToFileURL(path);
  let exported: unknown;
  try {
    ({ default: exported } = await runModule(href));
  } catch (cause) {
    const { reason, hint } = importProblem(cause, href, process.versions.node);
    return issue('module_unloadable', `The module cannot be loaded: ${reason}`, hint);
  }
  const made: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  const odd = made.findIndex((one) => !isRecord(one));
  if (made.length > 0 && odd === -1) {
    // Checked as a file is, by whoever loads it.
    return made;
  }
  return issue(
    'no_scenarios',
    Array.isArray(exported) && odd !== -1
      ? `The list that the module exports by default has no scenario at position ${odd}.`
      : 'The module exports no scenario by default.',
    "Write: import { defineScenario } from 'passk'; export default defineScenario({ … }), or a list of such, or of defineAgentScenario({ … }) and defineContract({ … }).",
  );
}
