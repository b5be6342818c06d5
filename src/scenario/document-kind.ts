import type { SourceDocument } from '../source/toml-document.ts';
import type { LoadedScenario, WorkflowSubject } from '../types/scenario.ts';
import { collectIssues } from '../workflow/report.ts';
import { SCENARIO_KEYS } from './scenario-schema.ts';

/** True for a document that is a workflow, bare or wrapped, and so cannot be meant as a scenario. */
export function isWorkflowDocument(document: SourceDocument): boolean {
  return workflowKey(document) !== undefined;
}

function workflowKey({ data }: SourceDocument): string | undefined {
  if (Object.hasOwn(data, 'workflow')) return undefined;
  return ['workflows', 'nodes', 'start_nodes', 'edges'].find((key) => Array.isArray(data[key]));
}

/** What is wrong with a workflow where a scenario is meant; null: it is no workflow. */
export function workflowAlone(document: SourceDocument): LoadedScenario<WorkflowSubject> | null {
  const key = workflowKey(document);
  if (key === undefined) return null;
  return misplaced(document, key, {
    code: 'workflow_alone',
    message: 'The file is a workflow, and no scenario.',
    hint: 'A scenario names it, by path under [workflow], and says what must hold; `passk init` writes one.',
  });
}

/** True for a document that can only be meant as a workflow where one is named: it is one, or has nothing but its name. */
export function mayBeWorkflow(document: SourceDocument): boolean {
  const hasOnlyName = Object.keys(document.data).every((key) => key === 'name' || key === 'description');
  return hasOnlyName || isWorkflowDocument(document);
}

/** True for a document of another program, such as `Cargo.toml`: it has keys, and none of a scenario or of these kinds. */
export function isForeignDocument(
  { data }: SourceDocument,
  kinds: readonly { readonly rootKeys: ReadonlySet<string> }[],
): boolean {
  const keys = Object.keys(data);
  return (
    keys.length > 0 && !keys.some((key) => SCENARIO_KEYS.has(key) || kinds.some(({ rootKeys }) => rootKeys.has(key)))
  );
}

/**
 * What is wrong with a document that has an agent and nothing that it is tried with; null: it is no such document. Other keys
 * of it say nothing of use then.
 */
export function agentAlone(document: SourceDocument): LoadedScenario<WorkflowSubject> | null {
  const { data } = document;
  if (!Object.hasOwn(data, 'agent') || Object.hasOwn(data, 'workflow')) return null;
  return misplaced(document, 'agent', {
    code: 'agent_alone',
    message: 'The file has [agent], and nothing that the agent is tried with.',
    hint: 'What a user wants of it stands under [user], with [expected]; several tasks under [session] (passk init --agent URL), rules under [contract] (passk init --contract).',
  });
}

/**
 * What is wrong with a document that holds settings, as where a shell puts all files in the place of `*.toml`; null: it is no
 * such document. That it lacks the keys of a scenario says nothing of use then. `settingKeys`: those at the top of such files.
 */
export function settingsAlone(
  document: SourceDocument,
  settingKeys: () => ReadonlySet<string>,
): LoadedScenario<WorkflowSubject> | null {
  const { data } = document;
  if (Object.hasOwn(data, 'name') || Object.hasOwn(data, 'workflow')) return null;
  const settings = settingKeys();
  const own = Object.keys(data).find((key) => settings.has(key) && !SCENARIO_KEYS.has(key));
  if (own === undefined) return null;
  return misplaced(document, own, {
    code: 'settings_alone',
    message: 'The file holds settings, and no scenario.',
    hint: 'Leave it out of the paths. passk reads passk.toml by itself; --config names another file of settings.',
  });
}

/** A document that has its problem at one key, and nothing to run. */
function misplaced(
  { locate, source: { name } }: SourceDocument,
  key: string,
  issue: { readonly code: string; readonly message: string; readonly hint: string },
): LoadedScenario<WorkflowSubject> {
  const issues = collectIssues(locate, (report) => report({ ...issue, at: [key] }));
  return { ok: false, file: name, name, capabilities: [], trials: 1, issues };
}
