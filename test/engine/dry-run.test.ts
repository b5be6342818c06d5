import { expect, test } from 'vitest';
import { traceTrial } from '../../src/index.ts';
import type { NodeDefinition, ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import type { Json } from '../../src/types/json.ts';

const NODES: readonly NodeDefinition[] = [
  { id: 'env', type: 'read_env', key: 'REGION' },
  { id: 'read', type: 'read_file', pathFrom: 'trigger.path' },
  { id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'Which?', outputSchema: 'inline' },
  { id: 'loop', type: 'agent_loop', backend: 'nobody', maxSteps: 3, instructions: 'Work.', tools: ['read_file'] },
  { id: 'get', type: 'http_request', method: 'post', urlFrom: 'trigger.url', bodyFrom: 'trigger' },
  { id: 'run', type: 'shell_run', command: '/bin/tool', argsFrom: 'trigger.args' },
  { id: 'tool', type: 'call_mcp_tool', tool: 'find', argsFrom: 'trigger' },
  { id: 'resource', type: 'read_mcp_resource', resourceFrom: 'trigger.uri' },
  { id: 'folder', type: 'create_dir', pathFrom: 'trigger.path' },
  { id: 'save', type: 'write_file', pathFrom: 'trigger.path', contentFrom: 'trigger.text' },
  { id: 'text', type: 'template_render', template: '{{text}}', inputFrom: 'trigger' },
];

function aScenario(overrides: Partial<ScenarioDefinition> = {}): ScenarioDefinition {
  return {
    name: 'dry',
    dryRun: true,
    workflow: {
      inline: {
        name: 'dry',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'env' }],
        nodes: NODES,
        edges: NODES.slice(1).map(({ id }, at) => ({ from: NODES[at]?.id ?? '', to: id })),
        mcpServers: [{ name: 'shop', command: ['/bin/shop'] }],
      },
    },
    trigger: { payload: { path: '/a/b', url: 'https://a.test/x', args: ['x'], uri: 'note:1', text: 'ü' } },
    world: { env: { REGION: 'eu' } },
    expected: { lastNode: 'text', maxLlmCalls: 0, http: [{ count: 0 }], files: { absent: ['/a/b'] } },
    ...overrides,
  };
}

test('a dry run does nothing: what was asked stands in place of each answer, and the run goes on', async () => {
  const { result, trace } = await traceTrial({ scenario: aScenario(), trial: 0 });
  const outputs = (trace?.events ?? []).flatMap((event): [string, Json][] =>
    event.kind === 'output' ? [[event.node, event.output]] : [],
  );
  expect(Object.fromEntries(outputs)).toEqual({
    env: { key: 'REGION', value: 'eu' },
    read: { path: '/a/b', dry_run: true },
    ask: { content: '<dry-run>', parsed: null, dry_run: true },
    loop: { result: null, steps: 0, dry_run: true },
    get: { method: 'POST', url: 'https://a.test/x', dry_run: true },
    run: { command: '/bin/tool', args: ['x'], dry_run: true },
    tool: { tool: 'find', server: 'shop', dry_run: true },
    resource: { uri: 'note:1', server: 'shop', dry_run: true },
    folder: { path: '/a/b', dry_run: true },
    save: { path: '/a/b', bytes: 2, dry_run: true },
    text: { rendered: 'ü' },
  });
  expect([result.verdict, result.findings]).toEqual(['passed', []]);
});

test('policy judges a dry run, and an unknown backend stops it', async () => {
  const policy = { fs: { read: ['/elsewhere/**'] }, env: { readKeys: ['*'] } };
  const denied = await traceTrial({ scenario: aScenario({ policy }), trial: 0 });
  expect(denied.result.outcome).toMatchObject({ status: 'errored', stoppedBy: 'denial', lastNode: 'read' });
  const workflow = {
    inline: {
      name: 'w',
      startNodes: [{ name: 'main', source: 'manual' as const, entryNode: 'n' }],
      nodes: [{ id: 'n', type: 'llm_infer' as const, backend: 'nobody', prompt: 'x' }],
    },
  };
  const unknown = await traceTrial({ scenario: aScenario({ workflow, expected: {} }), trial: 0 });
  expect(unknown.result.outcome?.reason).toContain('backend `nobody` is not configured on this runtime');
});

test('traceTrial makes a dry run of any scenario: turns, mocks and grants are not needed and not used', async () => {
  const { dryRun: _, ...scenario } = aScenario();
  await expect(traceTrial({ scenario, trial: 0 })).rejects.toMatchObject({ code: 'INPUT' });
  const { result } = await traceTrial({ scenario, trial: 0, dryRun: true, permissions: { run: true, net: true } });
  expect(result.verdict).toBe('passed');
});
