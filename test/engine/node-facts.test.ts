import { expect, test } from 'vitest';
import { builtinNodes } from '../../src/engine/builtin.ts';
import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import { nodeCalls } from '../../src/plugin/node-calls.ts';
import type { NodeType } from '../../src/plugin/node-type.ts';
import { CAPABILITIES } from '../../src/types/capability.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import type { Reply } from '../../src/plugin/request.ts';
import { aStep, converse, says } from './a-step.ts';

/** A config of each type that says enough for its facts. */
const CONFIGS: Readonly<Record<string, JsonObject>> = {
  agent_loop: { maxSteps: 4, tools: ['http_request', 'read_file', 'shell_run'] },
  call: { workflow: 'a.toml' },
  call_mcp_tool: { tool: 'search' },
  http_request: { method: 'get' },
  map: { workflow: 'a.toml', maxItems: 3 },
  parallel: { branches: [{ workflow: 'a.toml' }, { workflow: 'b.toml' }] },
  read_env: { key: 'HOME' },
  shell_run: { command: '/bin/a' },
};

const configOf = ({ type }: NodeType): JsonObject => CONFIGS[type] ?? {};

test.each(builtinNodes.map((nodeType) => [nodeType.type, nodeType] as const))(
  '%s says of itself what the rest of passk asks of its type',
  (type, nodeType) => {
    const config = configOf(nodeType);
    const needs = nodeType.needs(config);
    const labels = nodeType.labels(config);
    const calls = nodeCalls({ id: 'n', type, config }, () => nodeType);
    // Calls of the outside, and nothing else, go to the ports that it needs there.
    const outside = needs.filter((port) => port !== 'model' && port !== 'children');
    expect([...new Set(calls?.map(({ port }) => port))].sort()).toEqual([...outside].sort());
    expect(nodeType.children !== undefined).toBe(needs.includes('children'));
    expect(nodeType.mostRequests !== undefined).toBe(needs.includes('model'));
    if (nodeType.ends === true) expect(labels).toEqual([]);
    if (nodeType.alwaysLabelled === true) expect(labels).not.toEqual([]);
    expect(builtinNodeSchemas.has(type)).toBe(true);
  },
);

test.each<[type: string, config: JsonObject, inputs: Readonly<Record<string, Json>>, replies: readonly Reply[]]>([
  ['condition', { expr: 'a' }, { a: 1 }, []],
  ['switch', { expr: 'a' }, { a: 1 }, []],
  ['json_select', { inputFrom: 'a', path: 'b' }, { a: { b: 1 } }, []],
  ['parse_json', { inputFrom: 'a' }, { a: '{}' }, []],
  ['template_render', { template: 'hi' }, {}, []],
  ['respond', { bodyTemplate: 'hi' }, {}, []],
  ['diff_compute', { leftFrom: 'a', rightFrom: 'b' }, { a: { x: 1, y: 2 }, b: { x: 1, z: 3 } }, []],
  ['llm_infer', { backend: 'default', prompt: 'hi' }, {}, [says('yes')]],
  ['call', { workflow: 'a.toml' }, {}, [{ kind: 'children', results: [{ kind: 'completed', value: 1 }] }]],
  ['call', { workflow: 'a.toml' }, {}, [{ kind: 'children', results: [{ kind: 'failed', reason: 'no' }] }]],
])('%s gives the output keys that it says of itself, and no others', (type, config, inputs, replies) => {
  const { end } = converse(aStep(type, config), inputs, replies);
  const keys = builtinNodes.find((nodeType) => nodeType.type === type)?.outputKeys ?? [];
  const output = end.kind === 'done' ? Object.keys(end.output as JsonObject) : [];
  expect(output).not.toEqual([]);
  expect(output.filter((key) => !keys.includes(key))).toEqual([]);
});

test('every node type that says its output keys is among these', () => {
  const said = builtinNodes.filter(({ outputKeys }) => outputKeys !== undefined).map(({ type }) => type);
  expect(said.sort()).toEqual(
    [
      ...['call', 'condition', 'diff_compute', 'json_select', 'llm_infer', 'parse_json', 'respond', 'switch'],
      'template_render',
    ].sort(),
  );
});

test('capabilities of node types stand in the matrix, each once', () => {
  const ids = builtinNodes.flatMap(({ capability }) => capability ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const matrix: readonly string[] = CAPABILITIES;
  expect(ids.filter((id) => !matrix.includes(id))).toEqual([]);
});

test('a node type of the user is known by the ports that it needs alone', () => {
  const mine = {
    kind: 'node',
    type: 'mine',
    summary: '',
    labels: () => [],
    create: () => ({ reads: [], begin: () => DONE }),
  } as const;
  const DONE = { kind: 'done', output: null } as const;
  const calls = (...needs: readonly ('http' | 'model')[]) =>
    nodeCalls({ id: 'n', type: 'mine', config: {} }, () => ({ ...mine, needs: () => needs }));
  expect([calls(), calls('model'), calls('http')]).toEqual([[], [], null]);
  expect(nodeCalls({ id: 'n', type: 'mine', config: {} }, () => undefined)).toBeNull();
});
