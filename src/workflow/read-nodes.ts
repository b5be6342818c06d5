import { camelKeys } from '../source/camel-keys.ts';
import { checkSchema } from '../source/check-schema.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import type { Retry } from '../types/workflow.ts';
import type { DraftNode } from './draft.ts';
import { nodeDocumentSchema, untypedNodeSchema } from './node-document-schema.ts';
import type { NodeSchema } from './node-schema.ts';
import { numberAt, tableAt, tablesAt, textAt } from './raw-data.ts';
import { LISTED } from './report.ts';

/** The nodes of a workflow table, each checked against the schema of its type. */
export function readNodes(
  document: SourceDocument,
  base: Pointer,
  table: JsonObject,
  nodeSchemas: ReadonlyMap<string, NodeSchema>,
): { readonly nodes: readonly DraftNode[]; readonly issues: readonly Issue[] } {
  const nodes: DraftNode[] = [];
  const issues: Issue[] = [];
  let unchecked = 0;
  for (const { index, table: node } of tablesAt(table, 'nodes')) {
    const id = textAt(node, 'id');
    const type = textAt(node, 'type');
    const nodeSchema = type === undefined ? undefined : nodeSchemas.get(type);
    const isChecked = issues.length < LISTED;
    const problems = isChecked ? checkNode(document, [...base, 'nodes', index], node, nodeSchema, nodeSchemas) : [];
    issues.push(...problems);
    if (!isChecked) unchecked++;
    if (id === undefined || type === undefined) continue;
    const isSound = isChecked && nodeSchema !== undefined && problems.every((issue) => issue.severity === 'warning');
    nodes.push({
      index,
      id,
      type,
      retry: isSound && isTable(node.retry) ? readRetry(node.retry) : null,
      config: isSound ? readConfig(node, nodeSchema) : null,
    });
  }
  if (unchecked > 0) {
    const message = `There are too many problems: ${unchecked} more nodes were not checked.`;
    issues.push({ code: 'too_many', severity: 'error', message, hint: 'Correct those above first.' });
  }
  return { nodes, issues };
}

function checkNode(
  document: SourceDocument,
  at: Pointer,
  node: JsonObject,
  nodeSchema: NodeSchema | undefined,
  nodeSchemas: ReadonlyMap<string, NodeSchema>,
): readonly Issue[] {
  if (nodeSchema !== undefined) {
    return [
      ...checkSchema(document, at, nodeDocumentSchema(nodeSchema)),
      ...ignoredKeys(document, at, node, nodeSchema),
    ];
  }
  const issues = checkSchema(document, at, untypedNodeSchema);
  const type = textAt(node, 'type');
  if (type === undefined) return issues;
  issues.push({
    code: 'unknown_node_type',
    severity: 'error',
    message: `There is no node type "${type}".`,
    at: document.locate([...at, 'type']),
    hint: hintFor(type, [...nodeSchemas.keys()], 'node types'),
  });
  return issues;
}

function ignoredKeys(
  document: SourceDocument,
  at: Pointer,
  node: JsonObject,
  nodeSchema: NodeSchema,
): readonly Issue[] {
  if (nodeSchema.tolerant !== true) return [];
  const declared = declaredKeys(nodeSchema);
  return Object.keys(node)
    .filter((key) => !isEnvelope(key) && !declared.has(key))
    .map((key) => ({
      code: 'unknown_key',
      severity: 'warning',
      message: `A ${nodeSchema.type} node has no key "${key}"; it is ignored.`,
      at: document.locate([...at, key], 'key'),
      hint: 'Remove it.',
    }));
}

/** Keys that nodes of every type have. */
function isEnvelope(key: string): boolean {
  return key === 'id' || key === 'type' || key === 'retry';
}

function readConfig(node: JsonObject, nodeSchema: NodeSchema): JsonObject {
  const declared = nodeSchema.tolerant === true ? declaredKeys(nodeSchema) : null;
  const entries = Object.entries(node).filter(([key]) => !isEnvelope(key) && declared?.has(key) !== false);
  const config = camelKeys(Object.fromEntries(entries), nodeSchema.schema);
  return isTable(config) ? config : {};
}

function declaredKeys(nodeSchema: NodeSchema): ReadonlySet<string> {
  return new Set(Object.keys(tableAt(nodeSchema.schema as JsonObject, 'properties')));
}

function readRetry(table: JsonObject): Retry {
  const jitter = numberAt(table, 'jitter') ?? 0;
  return {
    maxAttempts: Math.max(1, numberAt(table, 'max_attempts') ?? 1),
    backoffMs: numberAt(table, 'backoff_ms') ?? 100,
    on: table.on === 'transient' ? 'transient' : 'any',
    jitter: Math.min(0.5, Math.max(0, jitter)),
  };
}
