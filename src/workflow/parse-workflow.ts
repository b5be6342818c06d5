import { camelKeys } from '../source/camel-keys.ts';
import { checkSchema } from '../source/check-schema.ts';
import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type {
  Budget,
  McpServer,
  SecretSource,
  StartNode,
  Workflow,
  WorkflowBackend,
  WorkflowEdge,
  WorkflowNode,
} from '../types/workflow.ts';
import { budgetSchema, intelligenceSchema } from './block-schemas.ts';
import type { Draft, DraftEdge, DraftNode } from './draft.ts';
import type { NodeSchema } from './node-schema.ts';
import { listAt, numberAt, tableAt, tablesAs, tablesAt, textAt, textsAt, valueAt } from './raw-data.ts';
import { readDraft } from './read-draft.ts';
import { readNodes } from './read-nodes.ts';
import { readPolicy } from './read-policy.ts';
import type { Locate } from './report.ts';
import type { NodeTypeOf } from './node-facts.ts';
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
  readonly nodeTypeOf: NodeTypeOf;
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
  issues.push(...validateWorkflow(draft, locate, { nodeSchemas, ...options }));
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

function toWorkflow(table: JsonObject, draft: Draft): Workflow {
  const description = textAt(table, 'description');
  return {
    name: draft.name,
    ...(description === undefined ? {} : { description }),
    startNodes: tablesAs(table, 'start_nodes', toStartNode),
    nodes: draft.nodes.map(toNode),
    edges: draft.edges.map(toEdge),
    ...(isTable(table.policy) ? { policy: readPolicy(table.policy) } : {}),
    mcpServers: tablesAs(table, 'mcp_servers', toMcpServer),
    ...(isTable(table.budget) ? { budget: camelKeys(table.budget, budgetSchema) as Budget } : {}),
    backends: tablesAs(tableAt(table, 'intelligence'), 'backends', toBackends).flat(),
    triggers: tablesAs(table, 'triggers', (trigger) => trigger),
    httpRoutes: tablesAs(table, 'http_routes', (route) => route),
    ...(listAt(table, 'secrets').length > 0 && { secrets: tablesAs(table, 'secrets', toSecret) }),
  };
}

function toStartNode(start: JsonObject): StartNode {
  const name = textAt(start, 'name') ?? '';
  const entryNode = textAt(start, 'entry_node');
  const word = textAt(start, 'source');
  const source = word === 'event' || word === 'http' ? word : 'manual';
  return entryNode === undefined ? { name, source } : { name, entryNode, source };
}

function toNode({ id, type, retry, config }: DraftNode): WorkflowNode {
  return retry === null ? { id, type, config: config ?? {} } : { id, type, retry, config: config ?? {} };
}

function toEdge({ from, to, when, maxIterations }: DraftEdge): WorkflowEdge {
  if (maxIterations !== undefined) return { from, to, ...(when !== undefined && { when }), maxIterations };
  return when === undefined ? { from, to } : { from, to, when };
}

function toBackends(backend: JsonObject): readonly WorkflowBackend[] {
  if (textAt(backend, 'name') === undefined) return [];
  const { backends } = camelKeys({ backends: [backend] }, intelligenceSchema) as { readonly backends: Json };
  return backends as unknown as readonly WorkflowBackend[];
}

function toMcpServer(server: JsonObject): McpServer {
  const url = textAt(server, 'url');
  const sampling = textAt(server, 'sampling');
  return {
    name: textAt(server, 'name') ?? '',
    command: textsAt(server, 'command'),
    ...(url === undefined ? {} : { url, headers: mapAt(server, 'headers') }),
    allowTools: textsAt(server, 'allow_tools'),
    allowResources: textsAt(server, 'allow_resources'),
    ...(sampling === undefined ? {} : { sampling }),
    env: mapAt(server, 'env'),
  };
}

const TOKEN_SKEW_SECS = 60;

function toSecret(secret: JsonObject): SecretSource {
  const name = textAt(secret, 'name') ?? '';
  const text = (key: string): string => textAt(secret, key) ?? '';
  switch (textAt(secret, 'source')) {
    case 'file':
      return { name, source: 'file', path: text('path'), trim: valueAt(secret, 'trim') !== false };
    case 'command':
      return { name, source: 'command', argv: textsAt(secret, 'argv') };
    case 'oauth2': {
      const authStyle = textAt(secret, 'auth_style');
      return {
        name,
        source: 'oauth2',
        tokenUrl: text('token_url'),
        clientIdEnv: text('client_id_env'),
        clientSecretEnv: text('client_secret_env'),
        scopes: textsAt(secret, 'scopes'),
        extraParams: mapAt(secret, 'extra_params'),
        ...(authStyle !== undefined && { authStyle }),
        skewSecs: numberAt(secret, 'skew_secs') ?? TOKEN_SKEW_SECS,
      };
    }
    default:
      return { name, source: 'env', variable: text('var') };
  }
}

function mapAt(table: JsonObject, key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tableAt(table, key)).map(([name, value]) => [name, String(value)]));
}
