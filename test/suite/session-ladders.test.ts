import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { loadSuite, renderReport, type RunSuiteOptions, runSuite, type SuiteReport } from '../../src/index.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-session-ladders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.restoreAllMocks());
const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

const TRIALS = 32;

/** A file of one task, climbed by one agent, or by those of the task. */
function aFile(
  ladder: string,
  agent: string,
  opening = 'Read this: {{case.text}}',
  { trials = TRIALS, expects = 'expected = { says = ["Done."] }', agents = '' } = {},
): RunSuiteOptions {
  const cwd = mkdtempSync(path.join(folder, 'one-'));
  const text = `name = "desk"
trials = ${trials}
seed = 7
[session]
[ladder]
${ladder}
[state]
read = []
[[tools]]
name = "look"
steps = [{ append = ["read"], value = 1 }]
${agent}
[[tasks]]
name = "read"
user = { opening = "${opening}" }
${expects}
${agents}`;
  writeFileSync(path.join(cwd, 'desk.toml'), text);
  return { cwd, paths: ['desk.toml'], workers: 0, permissions: { net: ['127.0.0.1'] } };
}

const anAgent = (url: string): string => `[[agents]]
name = "mine"
endpoint = "${url}"
stateless = true
request_template = '{"messages": {messages}}'
`;

/** A chat whose tokens grow with what it is told. */
const aChat = (tokensOf: (characters: number) => number, content = 'Done.') =>
  anHttpServer((_, response) => {
    const { messages } = JSON.parse(chat.seen.at(-1)?.body ?? '{}') as { messages: { content: string }[] };
    const characters = (messages[0]?.content ?? '').length - 'Read this: '.length;
    const usage = { prompt_tokens: tokensOf(characters), completion_tokens: 0 };
    const message = { role: 'assistant', content };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
  });
let chat: Awaited<ReturnType<typeof anHttpServer>>;

test('the tokens that an agent tells have the slopes that were planted, and their threshold', async () => {
  // Release gate, X-01: cost = 0.5 L + 0.00002 L².
  chat = await aChat((length) => Math.round(0.5 * length + 2e-5 * length ** 2));
  const rungs = 'rungs = [1000, 2000, 4000, 8000, 16000]';
  const options = aFile(`kind = "context"\n${rungs}`, anAgent(`${chat.origin}/v1/chat/completions`));
  const report = await runSuite({ ...options, trials: 2 });
  expect(report.ladders).toMatchObject([
    { ladder: 'desk: read', kind: 'context', measure: 'tokens', threshold: 2000, failsAtFirst: false },
  ]);
  expect(report.ladders?.[0]?.rungs.map(({ value, figure }) => [value, figure?.toFixed(3)])).toEqual([
    [520, undefined],
    [1080, '1.054'],
    [2320, '1.103'],
    [5280, '1.186'],
    [13120, '1.313'],
  ]);
  expect(renderReport(report)).toMatch(/Ladder of desk: read: context · 5 rungs ·\s+tokens grow faster/);
});

test('an agent that is asked more at a time has its plateau where its server takes no more', async () => {
  const rungs = [1, 2, 4, 8, 16];
  const capacity = 4;
  // The server answers when as many wait as the rung says, so many of them a second of a clock that it moves on itself.
  let seconds = 0;
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 1000 * seconds);
  const open: ServerResponse[] = [];
  let answered = 0;
  const server = await anHttpServer((_, response) => {
    open.push(response);
    serve();
  });
  const serve = (): void => {
    const rung = Math.floor(answered / TRIALS) % rungs.length;
    const left = TRIALS - (answered % TRIALS);
    if (open.length < Math.min(rungs[rung] ?? 0, left)) return;
    seconds++;
    for (const response of open.splice(0, capacity)) {
      answered++;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' } }] }));
    }
    if (open.length > 0) serve();
  };
  const ladder = 'kind = "concurrency"\nrungs = [1, 2, 4, 8, 16]';
  const options = aFile(ladder, anAgent(`${server.origin}/v1/chat/completions`), 'Read.');
  const report = await runSuite(options);
  const [timed] = report.timing.ladders ?? [];
  // Each rung had ended before the next one began.
  expect(timed?.rungs.map(({ rung, mostAtOnce, sessions }) => [rung, mostAtOnce, sessions])).toEqual(
    rungs.map((rung) => [rung, rung, TRIALS]),
  );
  expect(timed).toMatchObject({ ladder: 'desk: read', plateau: capacity });
  // The clock stands apart from what is the same in every run.
  expect(report.ladders).toMatchObject([{ measure: 'real_ms', threshold: null }]);
  expect(report.ladders?.[0]?.rungs.every(({ value, figure }) => value === null && figure === null)).toBe(true);
  expect(bytesOf(await runSuite(options))).toBe(bytesOf(report));
  expect(renderReport(report)).toContain('plateau at 4 at a time');
  expect(renderReport(report, { timing: false })).toContain('times are left out');
  expect(renderReport(report, { reporter: 'html' })).toContain('plateau at 4');
});

const CALLER = `[[tasks.agents]]
name = "caller"
turns = [{ calls = [{ tool = "look" }, { tool = "look" }] }, { calls = [{ tool = "look" }], repeat = true }]
`;
const THREE = `[[tasks.agents]]
name = "three"
turns = [{ calls = [{ tool = "look" }, { tool = "look" }, { tool = "look" }] }, { says = "Done." }]
`;

const aBudget = (ladder: string, agents: string): RunSuiteOptions =>
  aFile(ladder, '', 'Read.', { trials: 3, expects: 'gold = { calls = [{ tool = "look" }] }', agents });

test('sessions that are cut at a random call end there, with what they did accounted for, in any executor', async () => {
  const options = aBudget('kind = "budget"\nbelow = 12\ndraws = 6', CALLER + THREE);
  const report = await runSuite(options);
  expect(report.gate.verdict).toBe('pass');
  expect(report.ladders?.map(({ ladder, measure }) => [ladder, measure])).toEqual([
    ['desk: read · caller', 'calls'],
    ['desk: read · three', 'calls'],
  ]);
  const [caller, three] = report.ladders ?? [];
  expect(caller?.rungs.length).toBeGreaterThan(3);
  // One never stops by itself, the other one after three calls.
  for (const { rung, value, figure, passRate, runaways } of caller?.rungs ?? [])
    expect([value, figure, passRate, runaways]).toEqual([rung, 1, 1, 0]);
  for (const { rung, value, passRate } of three?.rungs ?? []) expect([value, passRate]).toEqual([Math.min(3, rung), 1]);
  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...options, workers }))).toBe(bytesOf(report));
  const shards: ShardSource[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ ...options, shard: { index, count: 2 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  expect(bytesOf((await mergeShards(shards)).report)).toBe(bytesOf(report));
});

const SPENDER = `[[tasks.agents]]
name = "spender"
turns = [{ calls = [{ tool = "look" }], prompt_tokens = 20, completion_tokens = 10, repeat = true }]
`;
const THRIFTY = `[[tasks.agents]]
name = "thrifty"
turns = [{ calls = [{ tool = "look" }], completion_tokens = 30 }, { says = "Done.", completion_tokens = 30 }]
`;

test('sessions that are cut at a random token end with the answer that passed it, in any executor', async () => {
  const options = aBudget(
    'kind = "budget"\nmeasure = "tokens"\nbelow = 200\ndraws = 6\none_call = 30',
    SPENDER + THRIFTY,
  );
  const report = await runSuite(options);
  expect(report.gate.verdict).toBe('pass');
  const [spender, thrifty] = report.ladders ?? [];
  expect([spender, thrifty].map((one) => [one?.ladder, one?.measure])).toEqual([
    ['desk: read · spender', 'tokens'],
    ['desk: read · thrifty', 'tokens'],
  ]);
  expect(new Set(spender?.rungs.map(({ rung }) => rung % 30)).size).toBeGreaterThan(2);
  for (const { rung, scenario, value, passRate, runaways } of spender?.rungs ?? []) {
    // Each answer takes 30: the last one is the first above the budget, and its call is not carried out.
    const answers = Math.floor(rung / 30) + 1;
    expect([value, passRate, runaways]).toEqual([30 * answers, 1, 0]);
    const one = report.scenarios.find(({ name }) => name === scenario);
    expect(one).toMatchObject({ cost: { mean: { llmCalls: answers, toolCalls: answers - 1 } } });
  }
  for (const { rung, value } of thrifty?.rungs ?? [])
    expect(value).toBe(Math.min(60, 30 * (Math.floor(rung / 30) + 1)));
  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...options, workers }))).toBe(bytesOf(report));
});

test('one answer that takes more than one_call fails its rung, and an agent that tells no tokens holds none', async () => {
  const dear = SPENDER.replace('= 20', '= 2000');
  const report = await runSuite(aBudget('kind = "budget"\nmeasure = "tokens"\nrungs = [10, 50]\none_call = 30', dear));
  expect(report.ladders?.[0]?.rungs.map(({ passRate }) => passRate)).toEqual([0, 0]);
  expect(report.ladders?.[0]?.failsAtFirst).toBe(true);
  // Over HTTP: nothing of its answers tells tokens.
  const silent = await anHttpServer((_, response) => response.end('{"output": "Done."}'));
  const agent = anAgent(`${silent.origin}/v1`);
  const unknown = await runSuite(
    aFile('kind = "budget"\nmeasure = "tokens"\nrungs = [10, 50]', agent, 'Read.', { trials: 2 }),
  );
  expect(unknown.gate.verdict).toBe('insufficient');
  expect(unknown.ladders?.[0]?.rungs.map(({ value, passRate }) => [value, passRate])).toEqual([
    [null, 0],
    [null, 0],
  ]);
  expect(renderReport(unknown)).toMatch(/the agent does not tell what\s+its answers take/);
});

test('an agent that gives no answer stays within its budget, and the report says that nothing cut it', async () => {
  const mute = '[[tasks.agents]]\nname = "mute"\nturns = [{ calls = [{ tool = "look" }], completion_tokens = 5 }]\n';
  for (const measure of ['tokens', 'calls']) {
    const report = await runSuite(aBudget(`kind = "budget"\nmeasure = "${measure}"\nrungs = [50, 90]`, mute));
    expect(report.ladders?.[0]?.rungs.map(({ runaways }) => runaways)).toEqual([3, 3]);
    expect(renderReport(report)).toContain('6 trials ended by time, an error or the limit of steps alone.');
  }
});

test('an agent outside that tells its tokens is cut at its answers, and is asked nothing more', async () => {
  chat = await aChat(() => 40, 'Why?');
  const agent = anAgent(`${chat.origin}/v1/chat/completions`);
  const ladder = 'kind = "budget"\nmeasure = "tokens"\nrungs = [30, 40, 100]\none_call = 40';
  const report = await runSuite(aFile(ladder, agent, 'Read.', { trials: 1 }));
  expect(report.ladders?.[0]?.rungs.map(({ value, passRate }) => [value, passRate])).toEqual([
    [40, 1],
    [80, 1],
    [120, 1],
  ]);
  expect(chat.seen.length).toBe(1 + 2 + 3);
});

test('an agent that fails at the first rung is named, and one that tells no tokens has no slope', async () => {
  chat = await aChat(() => 1);
  const url = `${chat.origin}/v1/chat/completions`;
  const ladder = 'kind = "context"\nrungs = [10, 20, 40]';
  const failing = aFile(ladder, anAgent(url), '{{case.text}}', { expects: 'expected = { says = ["Never."] }' });
  const report = await runSuite({ ...failing, trials: 1 });
  expect(report.ladders).toMatchObject([{ failsAtFirst: true, threshold: null }]);
  expect(renderReport(report)).toContain('It fails at its first rung: nothing is known of what comes above.');
  const agents = 'agents = [{ name = "x", turns = [{ says = "Done." }] }]';
  const unknown = await runSuite(aFile(ladder, '', '{{case.text}}', { trials: 1, agents }));
  expect(unknown.ladders?.[0]).toMatchObject({ threshold: null, failsAtFirst: false });
  expect(renderReport(unknown)).toContain('0 of 3 rungs measured: nothing can be told');
});

test('an agent that is not there has not failed at the first rung', async () => {
  const { origin } = chat;
  chat.stop();
  for (const ladder of ['kind = "context"\nrungs = [10, 20, 40]', 'kind = "budget"\nrungs = [1, 2, 3]']) {
    const agent = `${anAgent(`${origin}/v1`)}\nretries = 0`;
    const report = await runSuite(aFile(ladder, agent, '{{case.text}}', { trials: 1 }));
    expect(report.ladders).toMatchObject([{ failsAtFirst: false, threshold: null }]);
    expect(renderReport(report)).toContain('0 of 3 rungs measured: nothing can be told');
  }
});

test('what is wrong with a ladder of sessions is told at load, once', async () => {
  const problems = async (options: RunSuiteOptions): Promise<readonly string[]> =>
    (await loadSuite(options)).issues.map(({ message }) => message);
  const agent = anAgent('http://127.0.0.1:9/v1');
  expect(await problems(aFile('kind = "context"\nrungs = [2, 4]', agent, 'Read.'))).toEqual([
    'Nothing of the file grows with the ladder, so all its rungs are alike.',
  ]);
  expect(await problems(aFile('kind = "context"\nrungs = [2, 4]\nmeasure = "steps"', agent))).toEqual([
    'Sessions have no steps.',
  ]);
  expect(await problems(aFile('kind = "budget"\nrungs = [2, 4]\nmeasure = "steps"', agent, 'Read.'))).toEqual([
    'Sessions have no steps.',
  ]);
  expect(await problems(aBudget('kind = "budget"\nrungs = [2, 4]\none_call = 5', THREE))).toEqual([
    '"one_call" has no effect on this ladder.',
  ]);
  expect(await problems(aBudget('kind = "budget"\nrungs = [2, 4]\nmeasure = "tokens"', SPENDER + THREE))).toEqual([
    'Sessions have a limit of tokens, and turn 1 of "three" does not say what it takes.',
  ]);
  const long = Array.from({ length: 40 }, (_, at) => 900_000 + at);
  expect(await problems(aFile(`kind = "context"\nrungs = ${JSON.stringify(long)}`, agent))).toEqual([
    'The texts of the ladder have 36000780 characters together; at most 32000000 are made.',
  ]);
  expect(await problems(aFile('kind = "context"\nrungs = [2, 4]', agent, '{{case.words}}'))).toEqual([
    'The case has no field "words".',
  ]);
  expect(await problems(aFile('kind = "concurrency"\nrungs = [2, 64]\nnode = "x"', agent, 'Read.'))).toEqual([
    '"node" has no effect on this ladder.',
  ]);
  expect(await problems(aFile('kind = "concurrency"\nrungs = [2, 64]', agent, 'Read.'))).toEqual([
    'The agent is given no tools of the world: nothing tells it where they are.',
    'On rung 64: With 32 trials no 64 are asked at a time.',
  ]);
  const keeps = agent.replace('stateless = true\n', '').replace(/request_template.*/, '');
  expect(await problems(aFile('kind = "concurrency"\nrungs = [1, 2]', keeps, 'Read.'))).toContain(
    'The agent of "desk: read" is asked one thing at a time, because it may keep what it is told.',
  );
  expect(await problems(aBudget('kind = "concurrency"\nrungs = [1, 2]', THREE))).toEqual([
    '"desk: read" cannot be asked more and more at a time.',
  ]);
});
