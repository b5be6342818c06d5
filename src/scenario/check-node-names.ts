import { hintFor } from '../text/did-you-mean.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { JsonObject } from '../types/json.ts';
import { asksModel, type FindNodeType } from '../plugin/node-calls.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { tableAt, tablesAt, textAt, textsAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import type { RegistryView } from './registry-view.ts';
import { groupBy } from '../values/group-by.ts';

/** A scenario's workflow and those that it runs. */
export interface CheckedWorkflows {
  readonly workflow: Workflow;
  readonly children: readonly Workflow[];
  readonly registry: RegistryView;
}

/** Every node that a scenario names must be one: in the workflow, or where children count, in a child. */
export function checkNodeNames(
  data: JsonObject,
  { workflow, children, registry }: CheckedWorkflows,
  report: Report,
): void {
  const workflowIds = new Set(workflow.nodes.map(({ id }) => id));
  const all = groupBy(
    [workflow, ...children].flatMap(({ nodes }) => nodes),
    ({ id }) => id,
  );
  const nodeTypeOf: FindNodeType = (type) => registry.nodeTypeOf(type);
  for (const { id, at, part, scope } of namedNodes(data)) {
    const candidates = scope === 'workflow' ? workflowIds : all;
    if (candidates.has(id)) continue;
    report({
      code: 'unknown_node',
      message: `There is no node "${id}" in workflow "${workflow.name}"${scope === 'all' && children.length > 0 ? ' or in those it runs' : ''}.`,
      at,
      part,
      hint: () => hintFor(id, [...candidates.keys()], 'nodes'),
    });
  }
  // A server that a node calls may ask for a model on its own.
  const samples = workflow.mcpServers.some(({ sampling }) => sampling !== undefined);
  const mayBeAsked = ({ type, config }: WorkflowNode): boolean =>
    samples && nodeTypeOf(type)?.needs(config).includes('mcp') === true;
  const typesOf = (nodes: readonly WorkflowNode[]): string => [...new Set(nodes.map(({ type }) => type))].join(', ');
  for (const { index, table } of tablesAt(tableAt(data, 'intel'), 'turns')) {
    const id = textAt(table, 'node');
    const nodes = id === undefined ? undefined : all.get(id);
    if (nodes === undefined || nodes.some((node) => asksModel(node, nodeTypeOf) || mayBeAsked(node))) continue;
    report({
      code: 'turn_for_other_node',
      message: `Node "${id}" (${typesOf(nodes)}) asks no model, so this turn can never be used.`,
      at: ['intel', 'turns', index, 'node'],
      hint: 'Address an llm_infer or agent_loop node, or leave node out.',
    });
  }
  const pauses = tableAt(tableAt(data, 'world'), 'approvals');
  for (const id of Object.keys(pauses)) {
    const nodes = all.get(id);
    if (nodes === undefined || nodes.some(({ type }) => nodeTypeOf(type)?.pauses === true)) continue;
    report({
      code: 'approval_for_other_node',
      message: `Node "${id}" (${typesOf(nodes)}) never waits for an approval.`,
      at: ['world', 'approvals', id],
      part: 'key',
      hint: 'Name a pause_for_approval node.',
    });
  }
}

interface NamedNode {
  readonly id: string;
  readonly at: Pointer;
  readonly part: 'key' | 'value';
  /** `all`: nodes of children count too. */
  readonly scope: 'workflow' | 'all';
}

function namedNodes(data: JsonObject): readonly NamedNode[] {
  const found: NamedNode[] = [];
  const add = (
    id: string | undefined,
    at: Pointer,
    scope: NamedNode['scope'] = 'workflow',
    part: NamedNode['part'] = 'value',
  ) => {
    if (id !== undefined) found.push({ id, at, part, scope });
  };
  for (const { index, table } of tablesAt(tableAt(data, 'intel'), 'turns')) {
    add(textAt(table, 'node'), ['intel', 'turns', index, 'node'], 'all');
  }
  for (const id of Object.keys(tableAt(tableAt(data, 'world'), 'approvals'))) {
    add(id, ['world', 'approvals', id], 'all', 'key');
  }
  const expected = tableAt(data, 'expected');
  for (const key of ['last_node', 'errored_node']) add(textAt(expected, key), ['expected', key]);
  for (const key of ['path', 'forbidden_nodes']) {
    for (const [position, id] of textsAt(expected, key).entries()) add(id, ['expected', key, position]);
  }
  for (const id of Object.keys(tableAt(expected, 'branches'))) add(id, ['expected', 'branches', id], 'workflow', 'key');
  for (const { index, table } of tablesAt(expected, 'values')) {
    add(textAt(table, 'node'), ['expected', 'values', index, 'node']);
  }
  for (const [position, id] of textsAt(tableAt(expected, 'faithful'), 'nodes').entries()) {
    add(id, ['expected', 'faithful', 'nodes', position]);
  }
  for (const { index, table } of tablesAt(expected, 'prompts')) {
    add(textAt(table, 'node'), ['expected', 'prompts', index, 'node'], 'all');
  }
  for (const list of ['http', 'processes', 'mcp', 'denials']) {
    for (const { index, table } of tablesAt(expected, list)) {
      add(textAt(table, 'node'), ['expected', list, index, 'node'], 'all');
    }
  }
  for (const { index, table } of tablesAt(expected, 'sequence')) {
    for (const key of ['http', 'process', 'mcp']) {
      add(textAt(tableAt(table, key), 'node'), ['expected', 'sequence', index, key, 'node'], 'all');
    }
  }
  return found;
}
