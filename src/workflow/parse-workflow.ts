import { camelKeys } from '../source/camel-keys.ts';
import { checkSchema } from '../source/check-schema.ts';
import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Budget, McpServer, StartNode, Workflow, WorkflowBackend } from '../types/workflow.ts';
import { budgetSchema, intelligenceSchema } from './block-schemas.ts';
import type { Draft, DraftEdge, DraftStart } from './draft.ts';
import type { NodeSchema } from './node-schema.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from './raw-data.ts';
import { readNodes } from './read-nodes.ts';
import { readPolicy } from './read-policy.ts';
import type { Locate } from './report.ts';
import type { LabelsOf } from './routing-warnings.ts';
import { validateWorkflow } from './validate-workflow.ts';
import { workflowSchema } from './workflow-schema.ts';

/** A workflow read from a document, with what is wrong with it. */
export interface ParsedWorkflow {
  /** Null exactly when there is an error among the issues. */
  readonly workflow: Workflow | null;
  readonly issues: readonly Issue[];
  /** The place of a part, counted from the workflow's own table. */
  readonly locate: Locate;
  /** The workflow's own table as it was written. */
  readonly table: JsonObject;
}

export interface ParseWorkflowOptions {
  readonly labelsOf: LabelsOf;
}

/** Reads a workflow, bare or as the only entry of `[[workflows]]`: all problems of schema and graph together. */
export function parseWorkflow(
  document: SourceDocument,
  nodeSchemas: ReadonlyMap<string, NodeSchema>,
  options: ParseWorkflowOptions,
): ParsedWorkflow {
  const { base, issues: formIssues } = findWorkflow(document);
  const locate: Locate = (at, part) => document.locate([...(base ?? []), ...at], part);
  if (base === null) return { workflow: null, issues: formIssues, locate, table: {} };
  const found = base.length === 0 ? document.data : tablesAt(document.data, 'workflows')[0]?.table;
  const table = found ?? {};
  const issues = [...formIssues, ...checkSchema(document, base, workflowSchema)];
  const { nodes, issues: nodeIssues } = readNodes(document, base, table, nodeSchemas);
  issues.push(...nodeIssues);
  const draft = readDraft(table, nodes);
  issues.push(...validateWorkflow(draft, locate, options.labelsOf));
  const isBroken = issues.some((issue) => issue.severity === 'error');
  return { workflow: isBroken ? null : toWorkflow(table, draft), issues, locate, table };
}

interface Form {
  /** Where the workflow's table is; null: nowhere. */
  readonly base: Pointer | null;
  readonly issues: readonly Issue[];
}

function findWorkflow(document: SourceDocument): Form {
  const list = valueAt(document.data, 'workflows');
  if (!Array.isArray(list) && !isTable(list)) return { base: [], issues: [] };
  if (!Array.isArray(list) || list.length !== 1) {
    const message = Array.isArray(list)
      ? `The document has ${list.length} workflows; it must have exactly one [[workflows]] entry.`
      : 'The key "workflows" must be a list with exactly one entry.';
    const at = document.locate(['workflows', 1], 'key');
    const hint = 'Keep one workflow in a file; write it as [[workflows]] or without that header.';
    return { base: null, issues: [{ code: 'workflow_count', severity: 'error', message, at, hint }] };
  }
  const others = Object.keys(document.data).filter((key) => key !== 'workflows');
  return {
    base: ['workflows', 0],
    issues: others.map((key) => ({
      code: 'ignored_key',
      severity: 'warning',
      message: `The key "${key}" stands outside of [[workflows]] and is ignored.`,
      at: document.locate([key], 'key'),
      hint: 'Move it into the [[workflows]] entry, or remove it.',
    })),
  };
}

function readDraft(table: JsonObject, nodes: Draft['nodes']): Draft {
  const startNodes = tablesAt(table, 'start_nodes').flatMap(({ index, table: start }): readonly DraftStart[] => {
    const name = textAt(start, 'name');
    const entryNode = textAt(start, 'entry_node');
    return name === undefined ? [] : [{ index, name, ...(entryNode === undefined ? {} : { entryNode }) }];
  });
  const edges = tablesAt(table, 'edges').flatMap(({ index, table: edge }): readonly DraftEdge[] => {
    const from = textAt(edge, 'from');
    const to = textAt(edge, 'to');
    const when = textAt(edge, 'when');
    const maxIterations = numberAt(edge, 'max_iterations');
    if (from === undefined || to === undefined) return [];
    return [
      {
        index,
        from,
        to,
        ...(when === undefined ? {} : { when }),
        ...(maxIterations === undefined ? {} : { maxIterations }),
      },
    ];
  });
  const servers = tablesAt(table, 'mcp_servers').flatMap(({ index, table: server }) => {
    const name = textAt(server, 'name');
    return name === undefined ? [] : [{ index, name, table: server }];
  });
  return {
    name: textAt(table, 'name') ?? '',
    startNodes,
    nodes,
    edges,
    routes: tablesAt(table, 'http_routes').flatMap(({ index, table: route }) => {
      const method = textAt(route, 'method');
      const path = textAt(route, 'path');
      const startNode = textAt(route, 'start_node');
      if (method === undefined || path === undefined || startNode === undefined) return [];
      return [{ index, method, path, startNode }];
    }),
    triggers: tablesAt(table, 'triggers').flatMap(({ index, table: trigger }) => {
      const startNode = textAt(trigger, 'start_node');
      return startNode === undefined ? [] : [{ index, startNode }];
    }),
    mcpServers: [...new Set(servers.map((server) => server.name))],
    mcpServerTables: servers,
    isComplete:
      startNodes.length === lengthOf(table.start_nodes) &&
      nodes.length === lengthOf(table.nodes) &&
      edges.length === lengthOf(table.edges),
  };
}

function lengthOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  return Array.isArray(value) ? value.length : Number.NaN;
}

function toWorkflow(table: JsonObject, draft: Draft): Workflow {
  const description = textAt(table, 'description');
  return {
    name: draft.name,
    ...(description === undefined ? {} : { description }),
    startNodes: tablesAt(table, 'start_nodes').map(({ table: start }, position): StartNode => {
      const source = textAt(start, 'source');
      const { index: _, ...named } = draft.startNodes[position] ?? { index: position, name: '' };
      return { ...named, source: source === 'event' || source === 'http' ? source : 'manual' };
    }),
    nodes: draft.nodes.map(({ id, type, retry, config }) => ({
      id,
      type,
      ...(retry === null ? {} : { retry }),
      config: config ?? {},
    })),
    edges: draft.edges.map(({ index: _, ...edge }) => edge),
    ...(isTable(table.policy) ? { policy: readPolicy(table.policy) } : {}),
    mcpServers: tablesAt(table, 'mcp_servers').map(({ table: server }) => toMcpServer(server)),
    ...(isTable(table.budget) ? { budget: camelKeys(table.budget, budgetSchema) as Budget } : {}),
    backends: tablesAt(tableAt(table, 'intelligence'), 'backends').flatMap(({ table: one }) => toBackends(one)),
    triggers: tablesAt(table, 'triggers').map(({ table: trigger }) => trigger),
    httpRoutes: tablesAt(table, 'http_routes').map(({ table: route }) => route),
  };
}

function toBackends(backend: JsonObject): readonly WorkflowBackend[] {
  if (textAt(backend, 'name') === undefined) return [];
  const { backends } = camelKeys({ backends: [backend] }, intelligenceSchema) as { readonly backends: Json };
  return backends as unknown as readonly WorkflowBackend[];
}

function toMcpServer(server: JsonObject): McpServer {
  const url = textAt(server, 'url');
  return {
    name: textAt(server, 'name') ?? '',
    command: textsAt(server, 'command'),
    ...(url === undefined ? {} : { url, headers: mapAt(server, 'headers') }),
    allowTools: textsAt(server, 'allow_tools'),
    allowResources: textsAt(server, 'allow_resources'),
    env: mapAt(server, 'env'),
  };
}

function mapAt(table: JsonObject, key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tableAt(table, key)).map(([name, value]) => [name, String(value)]));
}
