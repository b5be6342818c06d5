import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runRecord, type TraceTrialOptions, traceTrial } from '../../src/index.ts';
import type { NodeDefinition, ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';

async function recordOf(
  nodes: readonly NodeDefinition[],
  parts: Partial<ScenarioDefinition> = {},
  options: Partial<TraceTrialOptions> = {},
) {
  const scenario: ScenarioDefinition = {
    name: 's',
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: nodes[0]?.id ?? '' }],
        nodes,
        edges: nodes.slice(1).map(({ id }, at) => ({ from: nodes[at]?.id ?? '', to: id })),
      },
    },
    trigger: { payload: { text: 'x' } },
    expected: { status: 'completed' },
    ...parts,
  };
  return runRecord(await traceTrial({ scenario, trial: 31, ...options }));
}

test('a completed run is recorded as agentd records it', async () => {
  const nodes: readonly NodeDefinition[] = [
    { id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'x' },
    { id: 'end', type: 'terminate' },
  ];
  const turn = { content: 'yes', promptTokens: 3, completionTokens: 1, fault: { type: 'delay', delayMs: 20 } };
  expect(await recordOf(nodes, { intel: { turns: [turn] } })).toEqual({
    workflow: 'w',
    start_node: 'main',
    execution_id: 'exec-0-0-1f',
    status: 'completed',
    last_node: 'end',
    detail: null,
    wall_ms: 20,
    cost: {
      workflow_starts: 1,
      workflow_completions: 1,
      workflow_failures: 0,
      workflow_timeouts: 0,
      workflow_errored: 0,
      node_executions: 2,
      node_failures: 0,
      policy_denials: 0,
      llm_calls: 1,
      llm_tokens: 4,
    },
    trace: {
      execution_id: 'exec-0-0-1f',
      entries: [
        {
          node_id: 'ask',
          kind: 'llm_infer',
          outcome: 'continue',
          branch: null,
          output: { content: 'yes', parsed: null, usage: { prompt_tokens: 3, completion_tokens: 1 } },
          elapsed_ms: 20,
        },
        { node_id: 'end', kind: 'terminate', outcome: 'terminate', branch: null, output: null, elapsed_ms: 0 },
      ],
    },
  });
});

test.each<[string, readonly NodeDefinition[], object, readonly string[]]>([
  ['failed', [{ id: 'n', type: 'fail', reason: 'why' }], { reason: 'why' }, ['fail']],
  [
    'paused',
    [{ id: 'n', type: 'pause_for_approval', reason: 'look' }],
    { run_id: 'exec-0-0-1f', reason: 'look' },
    ['pause'],
  ],
  [
    'errored',
    [{ id: 'n', type: 'parse_json', inputFrom: 'trigger.text' }],
    { error: expect.stringContaining('invalid JSON') },
    [],
  ],
  [
    'completed',
    [{ id: 'n', type: 'respond', bodyTemplate: '{{text}}', contentType: 'text/plain' }],
    {
      final_value: { status: 200, content_type: 'text/plain', bytes: 1 },
      http_response: { status: 200, content_type: 'text/plain', body: 'x' },
    },
    ['continue'],
  ],
])('a run that is %s says so in its detail', async (status, nodes, detail, outcomes) => {
  const record = await recordOf(nodes);
  expect([record.status, record.detail, record.trace]).toEqual([
    status,
    detail,
    { execution_id: 'exec-0-0-1f', entries: outcomes.map((outcome) => expect.objectContaining({ outcome })) },
  ]);
});

test('passk trace prints the record, or writes it beside the text', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 's.toml'), aGreeting());
  const printed = await runPassk(['trace', 's.toml', '--reporter', 'reference-json'], { cwd });
  expect(JSON.parse(printed.stdout)).toMatchObject({ workflow: 'greeting', status: 'completed', last_node: 'done' });
  const written = await runPassk(['trace', 's.toml', '-r', 'reference-json:run.json'], { cwd });
  expect(written.stdout).toContain('greeting, trial 0: passed');
  expect(readFileSync(path.join(cwd, 'run.json'), 'utf8')).toBe(printed.stdout);
  const wrong = await runPassk(['trace', 's.toml', '-r', 'html'], { cwd });
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('text, json or reference-json')]);
});
