import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { traceContext, traceHeaders } from '../../src/values/trace-context.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { answer, startModelServer } from '../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-trace-context-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Telling extends RunSuiteOptions {
  readonly isTold?: boolean;
}

function run(name: string, text: string, { isTold = true, ...options }: Telling = {}): Promise<SuiteReport> {
  writeFileSync(path.join(cwd, `${name}.toml`), text);
  const permissions = { net: ['127.0.0.1'], run: [process.execPath] };
  return runSuite({
    cwd,
    paths: [`${name}.toml`],
    workers: 0,
    permissions,
    ...(isTold && { traceContext: 'nightly' }),
    ...options,
  });
}

/** What a server heard of the trials that asked it, sorted. */
function heard(seen: readonly { readonly headers: Readonly<Record<string, unknown>> }[]): readonly unknown[] {
  return seen
    .map(({ headers: { traceparent, baggage } }) => ({ traceparent, baggage }))
    .sort((a, b) => String(a.baggage).localeCompare(String(b.baggage)));
}

const toldIn = (scenario: string, trials = 2): readonly object[] =>
  Array.from({ length: trials }, (_, trial) => traceHeaders('nightly', scenario, trial));

/** A contract of one prompt, in a world without chaos. */
const CONTRACT = (name: string, agent: string): string => `
golden_prompts = ["So?"]
[agent]
${agent}
[contract]
name = "${name}"
trials = 2
[[contract.invariants]]
id = "agrees"
type = "contains"
value = "yes"
[[contract.chaos_matrix]]
name = "calm"
`;

/** A file of one task, which an agent passes that says yes. */
const SESSION = (name: string, agent: string): string => `
name = "${name}"
trials = 2
[session]
[[agents]]
name = "mine"
${agent}
[[tasks]]
name = "greet"
[tasks.expected]
says = ["yes"]
[tasks.user]
opening = "So?"
`;

const WORKFLOW = (nodes: string): string => `
trials = 2
[workflow]
inline = '''
name = "w"
[[start_nodes]]
name = "main"
source = "manual"
${nodes}
'''
`;

test('the headers are those of W3C Trace Context and Baggage, and follow from run, scenario and trial', () => {
  const { trace, span } = traceContext('nightly', 'pay, "now" = 5 €', 3);
  expect([trace, span]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(traceHeaders('nightly', 'pay, "now" = 5 €', 3)).toEqual({
    traceparent: `00-${trace}-${span}-01`,
    baggage: 'passk.run=nightly,passk.scenario=pay%2C%20%22now%22%20%3D%205%20%E2%82%AC,passk.trial=3',
  });
  const others = [traceContext('weekly', 'a', 3), traceContext('nightly', 'b', 3), traceContext('nightly', 'a', 4)];
  expect(new Set(others.map((one) => one.trace)).size).toBe(3);
});

test('HTTP servers of a workflow hear of the trial, wherever it runs, but for headers that the workflow sends itself', async () => {
  const server = await anHttpServer((_, response) => response.end('{}'));
  const node = (headers: string): string =>
    `[[nodes]]\nid = "get"\ntype = "http_request"\nmethod = "GET"\nurl_from = "trigger.url"\n${headers}`;
  const trigger = `[trigger]\npayload = { url = "${server.origin}" }\n`;
  await run('http', `name = "http"\n${WORKFLOW(node(''))}${trigger}[expected]\nstatus = "completed"\n`, { workers: 1 });
  expect(heard(server.seen)).toEqual(toldIn('http'));
  const own = node('headers = { Traceparent = "mine" }');
  await run('own', `name = "own"\n${WORKFLOW(own)}${trigger}[expected]\nstatus = "completed"\n`);
  expect(server.seen.slice(2).map(({ headers }) => headers['traceparent'])).toEqual(['mine', 'mine']);
});

test('models, agents and agents in sessions hear of the trial, and of nothing where no run says so', async () => {
  const models = await startModelServer(() => answer('yes'));
  const server = await anHttpServer((_, response) => response.end('{"output":"yes"}'));
  const live = {
    live: true,
    models: { default: { provider: 'openai-compatible' as const, model: 'small', baseUrl: models.openaiUrl } },
  };
  const files = {
    model: `name = "model"\n${WORKFLOW('[[nodes]]\nid = "ask"\ntype = "llm_infer"\nbackend = "default"\nprompt = "So?"')}[expected]\nstatus = "completed"\n`,
    agent: CONTRACT('agent', `endpoint = "${server.origin}"`),
    session: SESSION('talk', `endpoint = "${server.origin}"\nresponse_path = "output"`),
  };
  try {
    await run('model', files.model, live);
    expect(heard(models.asked)).toEqual(toldIn('model'));
    await run('agent', files.agent);
    expect(heard(server.seen)).toEqual(toldIn('agent: calm'));
    const { scenarios } = await run('session', files.session);
    expect(heard(server.seen.slice(2))).toEqual(toldIn(scenarios[0]?.name ?? ''));
    const before = [models.asked.length, server.seen.length] as const;
    for (const [name, text] of Object.entries(files)) await run(name, text, { ...live, isTold: false });
    const later = [...models.asked.slice(before[0]), ...server.seen.slice(before[1])];
    expect(later.length).toBe(6);
    for (const { headers } of later)
      expect([headers['traceparent'], headers['baggage']]).toEqual([undefined, undefined]);
  } finally {
    await models.close();
  }
});

test('a program that is started for a trial finds it in its environment, and the report names the trace', async () => {
  const program = `console.log(process.env.TRACEPARENT + ' ' + process.env.BAGGAGE)`;
  const command = `command = [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(program)}]`;
  const talk = await run('program', SESSION('program', command));
  const [scenario] = talk.scenarios;
  const failures = scenario !== undefined && 'failures' in scenario ? scenario.failures : [];
  const name = scenario?.name ?? '';
  expect(failures.map(({ trial, traceContext: told }) => [trial, told])).toEqual(
    [0, 1].map((trial) => [trial, traceContext('nightly', name, trial)]),
  );
  expect(failures.map(({ record }) => JSON.stringify(record?.turns))).toEqual(
    toldIn(name).map((told) => expect.stringContaining(Object.values(told).join(' ')) as string),
  );
  const { trace, span } = traceContext('nightly', name, 0);
  expect(renderReport(talk)).toContain(`trace   ${trace}`);
  // What others wrote of the trial and what passk exports of it are one trace.
  expect(renderReport(talk, { reporter: 'otlp' })).toContain(`"traceId":"${trace}","spanId":"${span}"`);
  const contract = await run('cells', CONTRACT('cells', command));
  expect(renderReport(contract)).toContain(traceContext('nightly', 'cells: calm', 0).trace);
});

test('a run without a name of its own gets one that no other has', async () => {
  const server = await anHttpServer((_, response) => response.end('{"output":"yes"}'));
  const text = CONTRACT('auto', `endpoint = "${server.origin}"`);
  await run('auto', text, { traceContext: 'auto' });
  await run('auto', text, { traceContext: 'auto' });
  const runs = server.seen.map(({ headers }) => /passk\.run=([0-9a-f-]{36}),/.exec(String(headers['baggage']))?.[1]);
  expect(new Set(runs).size).toBe(2);
  expect(runs).not.toContain(undefined);
});
