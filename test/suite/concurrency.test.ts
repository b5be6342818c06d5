import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { runSuite, type ScenarioDefinition } from '../../src/index.ts';
import { aLiveScenario } from './scenarios.ts';
import { inFolder } from './contract-runs.ts';
import { judged, sampled } from '../support/sampled.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on the loopback that answers nobody until so many wait at once. */
async function aPatientServer(
  until: number,
): Promise<{ readonly url: string; readonly asked: () => number; readonly peak: () => number }> {
  const waiting = new Set<ServerResponse>();
  let asked = 0;
  let peak = 0;
  const server = createServer((request, response) => {
    asked++;
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
    peak = Math.max(peak, waiting.size);
    if (peak < until) return;
    for (const patient of waiting) patient.end('A');
    waiting.clear();
    request.resume();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2048, resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked, peak: () => peak };
}

const found = (text: string) => ({ output: { found: text }, branch: 'found' });

test('two workers hold 500 requests in flight, and the host goes on meanwhile', async () => {
  const server = await aPatientServer(500);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const report = await runSuite({
    scenarios: [aLiveScenario({ trials: 520 })],
    nodes: { look_up: { reads: ['keyFrom'], run: async () => found(await (await fetch(server.url)).text()) } },
    workers: 2,
    concurrency: 500,
  });
  clearInterval(timer);
  expect(report.scenarios[0]?.trials).toMatchObject({ executed: 520, passed: 520, broken: 0 });
  expect(server.peak()).toBe(500);
  expect(turns).toBeGreaterThan(5);
});

/** Agents of which each waits until so many of them wait: fewer in flight, and none of them ever answers. */
const WAITING: Readonly<Record<string, (url: string) => Readonly<Record<string, string>>>> = {
  'sessions of a module': (url) => ({
    'agent.mjs': `export default () => async () => (await fetch('${url}')).text();\n`,
    'waits.toml': aTask('module = "agent.mjs"'),
  }),
  'sessions over HTTP': (url) => ({
    'waits.toml': aTask(`endpoint = "${url}"\nstateless = true`),
  }),
  contracts: (url) => ({
    'waits.toml': `golden_prompts = [${Array.from({ length: 21 }, (_, at) => `"${at}?"`).join(', ')}]
[agent]
endpoint = "${url}"
stateless = true
concurrency = 100
[contract]
name = "answers"
[[contract.invariants]]
id = "says-a"
type = "regex"
pattern = "A"
severity = "critical"
[[contract.chaos_matrix]]
name = "no-chaos"
`,
  }),
};

function aTask(agent: string): string {
  return `name = "waits"
timeout_ms = 60000
[session]
[[agents]]
name = "agent"
${agent}
[[tasks]]
name = "one"
user = { opening = "Hello?" }
expected = { says = ["A"] }
`;
}

test.each([
  ['sessions of a module', 'thread', 21],
  ['sessions of a module', 'process', 7],
  ['sessions over HTTP', 'thread', 7],
  ['contracts', 'thread', 7],
] as const)('%s: %s workers hold as many in flight as `concurrency` says', async (kind, isolation, concurrency) => {
  const server = await aPatientServer(concurrency);
  const report = await inFolder(WAITING[kind]?.(server.url) ?? {}, (cwd) =>
    runSuite({
      cwd,
      trials: kind === 'contracts' ? 1 : 21,
      workers: isolation === 'process' ? 3 : 2,
      isolation,
      concurrency,
      permissions: { net: ['127.0.0.1'], run: ['agent.mjs'] },
    }),
  );
  expect({ exit: exitCode(report), asked: server.asked(), peak: server.peak() }).toEqual({
    exit: 0,
    asked: 21,
    peak: concurrency,
  });
});

test('no more trials than allowed are in flight, over all workers', async () => {
  let now = 0;
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, ++now);
    await sleep(2);
    now--;
    return found('A');
  };
  const scenarios = [aLiveScenario({ trials: 12 }), aLiveScenario({ name: 'other', trials: 12 })];
  for (const concurrency of [1, 3]) {
    const report = await runSuite({
      scenarios,
      nodes: { look_up: { reads: ['keyFrom'], run: look } },
      workers: 2,
      concurrency,
    });
    expect(report.summary.trials.passed).toBe(24);
    expect(peak).toBeLessThanOrEqual(concurrency);
  }
});

test('a scenario that is stuck does not hold back others', async () => {
  const done: string[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const keyed = (name: string, trials: number): ScenarioDefinition =>
    aLiveScenario({ name, trials, trigger: { payload: { key: name } } });
  const report = await runSuite({
    scenarios: [keyed('stuck', 40), ...['a', 'b', 'c', 'd', 'e'].map((name) => keyed(name, 3))],
    nodes: {
      look_up: {
        reads: ['keyFrom'],
        run: async ([key]) => {
          if (key === 'stuck') await released;
          else if (done.push(String(key)) === 15) release();
          return found('A');
        },
      },
    },
    workers: 1,
    concurrency: 8,
  });
  expect(report.summary.trials.passed).toBe(55);
});

test('a trial whose answer never comes times out, and whoever was asked is told to stop', async () => {
  const told: string[] = [];
  const report = await runSuite({
    scenarios: [aLiveScenario({ trials: 4, timeoutMs: 60, expected: { status: 'timed_out' } })],
    nodes: {
      look_up: {
        reads: ['keyFrom'],
        run: (_inputs, _config, { signal }) =>
          new Promise<never>(() => signal.addEventListener('abort', () => told.push('stop'))),
      },
    },
    workers: 1,
  });
  expect(told).toEqual(['stop', 'stop', 'stop', 'stop']);
  expect(sampled(report.scenarios[0]).statuses).toMatchObject({ timed_out: 4 });
  expect(report.scenarios[0]?.trials).toMatchObject({ passed: 4, broken: 0 });
});

test('what is in flight lands when a run is stopped, and counts', async () => {
  const stop = new AbortController();
  let asked = 0;
  const report = await runSuite({
    scenarios: [aLiveScenario({ trials: 400 })],
    nodes: {
      look_up: {
        reads: ['keyFrom'],
        run: async () => {
          if (++asked === 10) stop.abort();
          await sleep(30);
          return found('A');
        },
      },
    },
    workers: 1,
    concurrency: 10,
    signal: stop.signal,
  });
  expect(report.partial).toBe(true);
  expect(report.scenarios[0]?.trials.passed).toBe(asked);
});

test('a failing trial that cannot be run again comes with everything that happened in it', async () => {
  let asked = 0;
  const report = await runSuite({
    scenarios: [aLiveScenario({ trials: 9 })],
    nodes: { look_up: { reads: ['keyFrom'], run: () => found(asked++ % 2 === 0 ? 'B' : 'A') } },
    workers: 1,
    concurrency: 1,
  });
  const traces = judged(report.scenarios[0]).failures.map(({ trace }) => trace?.events.map(({ kind }) => kind));
  const steps = ['visit', 'request', 'reply', 'output', 'edge', 'visit', 'output', 'end'];
  expect(traces?.map((kinds) => kinds?.filter((kind) => steps.includes(kind)).at(0))).toEqual([
    'visit',
    'visit',
    'visit',
  ]);
  expect(judged(report.scenarios[0]).failures[0]?.trace).toMatchObject({ omitted: 0 });
  expect(JSON.stringify(judged(report.scenarios[0]).failures[0]?.trace)).toContain('"found":"B"');
});
