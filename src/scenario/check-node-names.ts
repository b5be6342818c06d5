import { hintFor } from '../source/did-you-mean.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow } from '../types/workflow.ts';
import { tableAt, tablesAt, textAt, textsAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';

/** Every node that a scenario names must be one: in the workflow, or where children count, in a child. */
export function checkNodeNames(
  data: JsonObject,
  workflow: Workflow,
  children: readonly Workflow[],
  report: Report,
): void {
  const own = new Map(workflow.nodes.map((node) => [node.id, node.type]));
  const all = new Map(
    [...children.flatMap(({ nodes }) => nodes), ...workflow.nodes].map((node) => [node.id, node.type]),
  );
  for (const { id, at, part, scope } of namedNodes(data)) {
    const known = scope === 'workflow' ? own : all;
    if (known.has(id)) continue;
    report({
      code: 'unknown_node',
      message: `There is no node "${id}" in workflow "${workflow.name}"${scope === 'all' && children.length > 0 ? ' or in those it runs' : ''}.`,
      at,
      part,
      hint: () => hintFor(id, [...known.keys()], 'nodes'),
    });
  }
  const typesOf = (id: string) =>
    new Set(
      [workflow, ...children].flatMap(({ nodes }) => nodes.filter((node) => node.id === id).map(({ type }) => type)),
    );
  for (const { index, table } of tablesAt(tableAt(data, 'intel'), 'turns')) {
    const id = textAt(table, 'node');
    if (id === undefined || !all.has(id)) continue;
    const types = [...typesOf(id)];
    if (types.some((type) => isModelType(type))) continue;
    report({
      code: 'turn_for_other_node',
      message: `Node "${id}" (${types.join(', ')}) asks no model, so this turn can never be used.`,
      at: ['intel', 'turns', index, 'node'],
      hint: 'Address an llm_infer or agent_loop node, or leave node out.',
    });
  }
  const pauses = tableAt(tableAt(data, 'world'), 'approvals');
  for (const id of Object.keys(pauses)) {
    if (!all.has(id) || typesOf(id).has('pause_for_approval')) continue;
    report({
      code: 'approval_for_other_node',
      message: `Node "${id}" (${[...typesOf(id)].join(', ')}) never waits for an approval.`,
      at: ['world', 'approvals', id],
      part: 'key',
      hint: 'Name a pause_for_approval node.',
    });
  }
}

/** True for the node types that ask a model. */
export function isModelType(type: string): boolean {
  return type === 'llm_infer' || type === 'agent_loop';
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
