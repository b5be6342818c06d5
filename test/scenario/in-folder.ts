import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadScenario } from './load-scenario.ts';
import type { Issue } from '../../src/types/issue.ts';
import type { LoadedScenario, WorkflowScenario, WorkflowSubject } from '../../src/types/scenario.ts';
import { aRegistry } from './a-registry.ts';

/** Loads one file of a folder that holds exactly these files; the folder is gone afterwards. */
export function loadIn(
  files: Readonly<Record<string, string>>,
  file = 'scenario.toml',
  registry = aRegistry,
): LoadedScenario<WorkflowSubject> | null {
  const root = mkdtempSync(path.join(tmpdir(), 'passk-scenario-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const target = path.join(root, name);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    return loadScenario(path.join(root, file), registry, { root, cwd: root });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A scenario that must load; its issues are warnings. */
export function loadText(text: string): { readonly scenario: WorkflowScenario; readonly issues: readonly Issue[] } {
  const loaded = loadIn({ 'scenario.toml': text });
  if (loaded?.ok !== true) throw new Error(loaded?.issues.map((issue) => issue.message).join('\n') ?? 'no scenario');
  return loaded;
}

/** What is wrong with a scenario, or what its warnings are. */
export function issuesOf(text: string): readonly Issue[] {
  return loadIn({ 'scenario.toml': text })?.issues ?? [];
}

/** The text of a scenario with a two-node workflow; keys of the top level, then tables. */
export function aScenario(keys: string, tables = '[expected]\nstatus = "completed"\n', workflow = TWO_NODES): string {
  return `name = "s"\n${keys}\n[workflow]\ninline = '''\n${workflow}'''\n${tables}`;
}

export const START = '[[start_nodes]]\nname = "main"\nsource = "manual"\n';

/** `ask` asks a model, `done` ends the run. */
export const TWO_NODES = `name = "w"
${START}[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "p"
[[nodes]]
id = "done"
type = "terminate"
[[edges]]
from = "ask"
to = "done"
`;

export const ONE_NODE = `name = "w"\n${START}[[nodes]]\nid = "done"\ntype = "terminate"\n`;
export const TURN = '[[intel.turns]]\ncontent = "hi"\n';
