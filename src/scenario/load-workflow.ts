import { dirname } from 'node:path';
import { hiddenProblem } from '../source/hidden-problem.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow } from '../types/workflow.ts';
import { parseWorkflow } from '../workflow/parse-workflow.ts';
import type { Locate } from '../workflow/report.ts';
import { mayBeWorkflow } from './document-kind.ts';
import type { Places } from './places.ts';
import type { RegistryView } from './registry-view.ts';

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
export type KnownWorkflows = Map<string, WorkflowResult>;

/** Their documents are kept with them, to point into. */
const MOST_KNOWN = 64;

/** Reads and validates a workflow file; many scenarios may name the same one. */
export function loadWorkflowFile(path: string, places: Places, registry: RegistryView): WorkflowResult {
  const { workflows } = places;
  const earlier = workflows?.get(path);
  if (earlier !== undefined) return earlier;
  const result = readWorkflowFile(path, places, registry);
  if (workflows !== undefined && workflows.size >= MOST_KNOWN) workflows.clear();
  workflows?.set(path, result);
  return result;
}

function readWorkflowFile(path: string, places: Places, registry: RegistryView): WorkflowResult {
  const read = readSource(path, places);
  if (!read.ok) return { loaded: null, issues: read.issues };
  const parsed = parseToml(read.source);
  if (!parsed.ok) return { loaded: null, issues: [hiddenProblem(read.source, 'valid TOML', parsed.issues)] };
  if (!mayBeWorkflow(parsed.document)) return { loaded: null, issues: [hiddenProblem(read.source, 'a workflow')] };
  return readWorkflow(parsed.document, registry, dirname(path));
}

/** The workflow of a document from a folder; null: it is in no file of its own. */
export function readWorkflow(document: SourceDocument, registry: RegistryView, folder: string | null): WorkflowResult {
  const { workflow, issues, locate, table } = parseWorkflow(document, registry.nodeSchemas, {
    nodeTypeOf: (type) => registry.nodeTypeOf(type),
  });
  return { loaded: workflow === null ? null : { workflow, locate, table, folder }, issues };
}
