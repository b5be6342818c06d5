import { dirname } from 'node:path';
import { embeddedSource } from '../source/embedded.ts';
import { isTable } from '../source/json-schema.ts';
import { hiddenProblem } from '../source/hidden-problem.ts';
import { displayName, readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow } from '../types/workflow.ts';
import { parseWorkflow } from '../workflow/parse-workflow.ts';
import { listAt, tableAt, textAt } from '../workflow/raw-data.ts';
import { type Locate, toIssue } from '../workflow/report.ts';
import { mayBeWorkflow } from './document-kind.ts';
import { readMcpConfig } from './mcp-config.ts';
import { findFile, type FoundFile, type Places } from './places.ts';
import type { RegistryView } from './registry-view.ts';
import { withWorldSampling } from './world-sampling.ts';

/** A workflow with the means to point into it. */
export interface LoadedWorkflow {
  readonly workflow: Workflow;
  readonly locate: Locate;
  /** Its own table as it was written. */
  readonly table: JsonObject;
  /** Folder of the file it stands in; null: in memory. */
  readonly folder: string | null;
}

/** A workflow, or null with the reasons among the issues. */
export interface WorkflowResult {
  readonly loaded: LoadedWorkflow | null;
  readonly issues: readonly Issue[];
}

/** Workflow files that have been loaded, by their paths; whoever loads many scenarios keeps one for as long as that takes. */
export type WorkflowCache = Map<string, WorkflowResult>;

/** Each holds its document, to point into. */
const MOST_CACHED = 64;

/** Where workflow files are looked for. */
export interface WorkflowPlaces extends Places {
  /** Workflow files that others named, read under the same options. */
  readonly workflows?: WorkflowCache;
  /** Puts values into the document of the workflow; absent: it stays as it was written. */
  readonly fill?: (document: SourceDocument) => {
    readonly document: SourceDocument;
    readonly issues: readonly Issue[];
  };
}

/** The workflow that a scenario names or holds. `override`: a document that takes its place. */
export function loadWorkflow(
  scenario: SourceDocument,
  places: WorkflowPlaces,
  registry: RegistryView,
  override: SourceDocument | undefined,
): WorkflowResult {
  const { servers, issues } = readMcpConfig(scenario, places);
  if (issues.some(({ severity }) => severity === 'error')) return { loaded: null, issues };
  const filled = servers.length === 0 ? places : { ...places, fill: withServers(servers, places.fill) };
  const own = loadOwn(scenario, filled, registry, override);
  const result = issues.length === 0 ? own : { ...own, issues: [...issues, ...own.issues] };
  if (result.loaded === null) return result;
  const sampled = withWorldSampling(scenario, result.loaded.workflow);
  if (sampled.issues.length > 0) return { loaded: null, issues: [...result.issues, ...sampled.issues] };
  return { ...result, loaded: { ...result.loaded, workflow: sampled.workflow } };
}

/** Adds servers to the document of a workflow; where it declares one of that name itself, its own stays. */
function withServers(
  servers: readonly JsonObject[],
  fill: WorkflowPlaces['fill'],
): NonNullable<WorkflowPlaces['fill']> {
  return (written) => {
    const { document, issues } = fill?.(written) ?? { document: written, issues: [] };
    const declared = listAt(document.data, 'mcp_servers');
    const names = new Set(declared.map((server) => (isTable(server) ? textAt(server, 'name') : undefined)));
    const added = servers.filter((server) => !names.has(textAt(server, 'name')));
    return { document: { ...document, data: { ...document.data, mcp_servers: [...declared, ...added] } }, issues };
  };
}

function loadOwn(
  scenario: SourceDocument,
  places: WorkflowPlaces,
  registry: RegistryView,
  override: SourceDocument | undefined,
): WorkflowResult {
  const table = tableAt(scenario.data, 'workflow');
  const path = textAt(table, 'path');
  if (override !== undefined) return readWorkflow(override, registry, null);
  if (textAt(table, 'inline') !== undefined) {
    const parsed = parseToml(embeddedSource(scenario, ['workflow', 'inline']));
    if (!parsed.ok) return { loaded: null, issues: parsed.issues };
    return readFilled(parsed.document, registry, { ...places, own: null });
  }
  if (path === undefined) return { loaded: null, issues: [] };
  const problem = (code: string, message: string, hint: string) =>
    toIssue({ code, message, at: ['workflow', 'path'], hint }, scenario.locate);
  const file = workflowFile(table, places);
  if (file === null || file.climbsTooFar) {
    const hint = 'Paths start at the folder of the scenario file; the working directory is tried last.';
    return { loaded: null, issues: [problem('missing_workflow', `There is no workflow file "${path}".`, hint)] };
  }
  const result = loadWorkflowFile(file.path, places, registry);
  if (result.loaded !== null) return result;
  const name = displayName(file.path, places.root);
  const hint = 'Correct the errors shown for that file.';
  return {
    loaded: null,
    issues: [...result.issues, problem('invalid_workflow', `Workflow "${name}" has errors.`, hint)],
  };
}

/** The file that a scenario's table `workflow` names; null: there is none, or the workflow stands in the table itself. */
export function workflowFile(table: JsonObject, places: Places): FoundFile | null {
  const path = textAt(table, 'path');
  return path === undefined || textAt(table, 'inline') !== undefined ? null : findFile(path, places, null);
}

/** Reads and validates a workflow file; many scenarios may name the same one. */
export function loadWorkflowFile(path: string, places: WorkflowPlaces, registry: RegistryView): WorkflowResult {
  // What is filled in differs from scenario to scenario.
  const workflows = places.fill === undefined ? places.workflows : undefined;
  const earlier = workflows?.get(path);
  if (earlier !== undefined) return earlier;
  const result = readWorkflowFile(path, places, registry);
  if (workflows !== undefined && workflows.size >= MOST_CACHED) workflows.clear();
  workflows?.set(path, result);
  return result;
}

function readWorkflowFile(path: string, places: WorkflowPlaces, registry: RegistryView): WorkflowResult {
  const read = readSource(path, places);
  if (!read.ok) return { loaded: null, issues: read.issues };
  const parsed = parseToml(read.source);
  if (!parsed.ok) return { loaded: null, issues: [hiddenProblem(read.source, 'valid TOML', parsed.issues)] };
  if (!mayBeWorkflow(parsed.document)) return { loaded: null, issues: [hiddenProblem(read.source, 'a workflow')] };
  return readFilled(parsed.document, registry, { ...places, own: dirname(path) });
}

/** `own`: as in `readWorkflow`. */
function readFilled(
  document: SourceDocument,
  registry: RegistryView,
  { fill, own }: Pick<WorkflowPlaces, 'fill'> & { readonly own: string | null },
): WorkflowResult {
  if (fill === undefined) return readWorkflow(document, registry, own);
  const filled = fill(document);
  if (filled.issues.length > 0) return { loaded: null, issues: filled.issues };
  return readWorkflow(filled.document, registry, own);
}

/** The workflow of a document from a folder; null: it is in no file of its own. */
function readWorkflow(document: SourceDocument, registry: RegistryView, folder: string | null): WorkflowResult {
  const { workflow, issues, locate, table } = parseWorkflow(document, registry.nodeSchemas, {
    nodeTypeOf: (type) => registry.nodeTypeOf(type),
  });
  return { loaded: workflow === null ? null : { workflow, locate, table, folder }, issues };
}
