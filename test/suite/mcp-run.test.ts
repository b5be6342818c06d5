import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ScenarioDefinition } from '../../src/scenario/define-scenario.ts';
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
