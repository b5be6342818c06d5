import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { mergeShards, runShard } from '../../src/index.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { notesIn } from '../effects/granted/an-mcp-server.ts';
import { allGone } from '../support/processes.ts';

const SERVER = fileURLToPath(new URL('../effects/granted/fixtures/mcp-stdio-server.mjs', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'passk-mcp-ends-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Call {
  readonly tool: string;
  readonly trials: number;
  /** Where the server notes its start. */
  readonly log: string;
  readonly payload?: Readonly<Record<string, string>>;
}

/** A workflow that makes one call of its own server. */
function aScenario(name: string, { tool, trials, log, payload = {} }: Call): ScenarioDefinition {
  return {
    name,
    trials,
    timeoutMs: 60_000,
    minPassRate: 0.2,
    trigger: { payload },
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
        nodes: [{ id: 'ask', type: 'call_mcp_tool', tool, argsFrom: 'trigger' }],
        edges: [],
        mcpServers: [{ name: 'shop', command: [process.execPath, SERVER, 'good', log] }],
      },
    },
    expected: { status: 'completed' },
  };
}

// The last one passes only when the server of the others has ended while it still runs.
test.each<[string, number, Parameters<typeof runSuite>[0]]>([
  ['two workers', 2, { workers: 2 }],
  ['worker processes', 2, { workers: 2, isolation: 'process' }],
  ['one trial at a time', 1, { workers: 1, concurrency: 1, bail: 1 }],
  ['scenarios that end early', 1, { workers: 0, stopEarly: true, concurrency: 4 }],
])('a server ends with the last trial that may ask it, and once: %s', async (name, mostStarts, options) => {
  const [log, other] = ['shop', 'other'].map((one) => path.join(folder, `${name} ${one}`)) as [string, string];
  const endsEarly = options?.stopEarly === true;
  const trials = endsEarly ? 100 : 20;
  const scenarios = [
    aScenario('first', { tool: 'echo', trials, log }),
    aScenario('second', { tool: 'count', trials, log }),
    aScenario('last', { tool: 'until_ended', trials: 1, log: other, payload: { log } }),
  ];
  const { summary } = await runSuite({ scenarios, permissions: { run: [process.execPath] }, ...options });
  expect(summary.trials).toMatchObject({ failed: 0, broken: 0 });
  expect(summary.trials.executed < summary.trials.requested).toBe(endsEarly);
  expect(notesIn(log, 'start').length).toBeLessThanOrEqual(mostStarts);
});

test('each shard starts the server once, and it is gone when the shard is', async () => {
  const log = path.join(folder, 'shards');
  const scenarios = [aScenario('first', { tool: 'echo', trials: 30, log })];
  const permissions = { run: [process.execPath] };
  const files: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ scenarios, permissions, workers: 1, shard: { index, count: 2 } });
    files.push({ name: `shard ${index}`, bytes });
    const starts = notesIn(log, 'start');
    expect(starts).toHaveLength(index);
    expect(await allGone(starts.map(Number))).toBe(true);
  }
  const { report } = await mergeShards(files);
  expect(report.summary.trials).toMatchObject({ executed: 30, passed: 30 });
});
