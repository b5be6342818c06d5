import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ScenarioDefinition, WorkflowDefinition } from '../../src/scenario/objects/define-scenario.ts';
import type { LiveModel, LiveModelRequest } from '../../src/settings/live-functions.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { judged } from '../support/sampled.ts';

const SERVER = fileURLToPath(new URL('../effects/granted/fixtures/mcp-stdio-server.mjs', import.meta.url));

/** A loop whose model calls one tool after the other and ends with their number. */
function aLoop(tools: readonly string[], command: readonly string[]): ScenarioDefinition {
  const calls = tools.map((tool) => ({ action: 'tool', tool: 'call_mcp_tool', args: { tool, args: { n: 1 } } }));
  const turns = [...calls, { action: 'final', result: tools.length }].map((action) => ({
    content: JSON.stringify(action),
  }));
  return {
    name: 'loop',
    trials: 4,
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'n' }],
        nodes: [
          {
            id: 'n',
            type: 'agent_loop',
            backend: 'default',
            maxSteps: 8,
            instructions: 'Use the tools.',
            tools: ['call_mcp_tool'],
          },
        ],
        edges: [],
        mcpServers: [{ name: 'shop', command, allowTools: ['echo', 'fail'] }],
      },
    },
    intel: { turns },
    expected: { status: 'completed', minPolicyDenials: 1, maxPolicyDenials: 1 },
  };
}

test('a loop whose server is not granted breaks its trials, and the flag is named', async () => {
  const report = await runSuite({ scenarios: [aLoop(['echo'], [process.execPath, SERVER])], workers: 0 });
  const [loop] = report.scenarios;
  expect(loop?.trials).toMatchObject({ passed: 0, failed: 0, broken: 4 });
  expect(JSON.stringify(judged(loop).failures)).toContain('--allow-run');
});

test('an agent loop works with the tools of a real server, behind the allowlist of that server', async () => {
  const scenario = aLoop(['echo', 'fail', 'env', 'echo'], [process.execPath, SERVER]);
  const report = await runSuite({ scenarios: [scenario], workers: 0, permissions: { run: [process.execPath] } });
  const [loop] = report.scenarios;
  expect({ effects: judged(loop).effects, trials: loop?.trials, failures: judged(loop).failures }).toEqual({
    effects: ['mcp'],
    trials: { requested: 4, executed: 4, deduplicated: 0, passed: 4, failed: 0, broken: 0 },
    failures: [],
  });
});

const NEW_SERVER = fileURLToPath(new URL('../effects/granted/fixtures/mcp-new-tools.mjs', import.meta.url));

test('a real model is offered the tools of a server as functions, under names that every provider takes, and its calls of them count', async () => {
  const asked: LiveModelRequest[] = [];
  const model: LiveModel = (request) => {
    asked.push(request);
    const results = request.messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool_result'));
    const call = (id: string, name: string) => ({ kind: 'tool_call', id, name, args: { id: 7 } }) as const;
    const names = (request.tools ?? []).map(({ name }) => name);
    if (results.length > 0)
      return { content: JSON.stringify({ action: 'final', result: results.map(({ result }) => result) }) };
    return { parts: [call('a', names[0] ?? ''), call('b', 'shop__gone')] };
  };
  const { intel: _, ...loop } = aLoop([], [process.execPath, NEW_SERVER, 'reject']);
  const inline = (loop.workflow as { readonly inline: WorkflowDefinition }).inline;
  const mcpServers = [{ name: 'shop', command: [process.execPath, NEW_SERVER, 'reject'], allowTools: ['find*'] }];
  const scenario = {
    ...loop,
    trials: 2,
    workflow: { inline: { ...inline, mcpServers } },
    expected: {
      status: 'completed',
      minToolCalls: 1,
      maxToolCalls: 1,
      mcp: [{ tool: 'find order', args: { id: 7 }, count: 1 }],
      values: [
        { node: 'n', path: 'result.0.content', equals: [{ type: 'text', text: 'order 7' }] },
        {
          node: 'n',
          path: 'result.1.error',
          equals: "tool `shop__gone` is not in this loop's allowed set: [call_mcp_tool]",
        },
      ],
    },
  } as const;
  const report = await runSuite({
    scenarios: [scenario],
    workers: 0,
    permissions: { run: [process.execPath] },
    models: { default: model },
    live: true,
  });
  expect({ trials: report.scenarios[0]?.trials, failures: judged(report.scenarios[0]).failures }).toMatchObject({
    trials: { passed: 2 },
    failures: [],
  });
  // All pages, without what the allowlist refuses; what would colour a terminal is shown.
  const parameters = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  expect(asked[0]?.tools).toEqual([
    { name: 'shop__find_order', description: 'Knows \\u{1b}[31mfind order', parameters },
    { name: 'shop__find-order', description: 'Knows \\u{1b}[31mfind-order', parameters },
  ]);
  expect(asked).toHaveLength(4);
});
