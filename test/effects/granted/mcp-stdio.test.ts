import { NOTHING } from './a-disk.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Effect } from '../../../src/effects/effect.ts';
import { mcpAnswer } from '../../../src/effects/granted/mcp-answer.ts';
import { createMcpEffect, type McpEffectOptions } from '../../../src/effects/granted/mcp-effect.ts';
import { McpLinks } from '../../../src/effects/granted/mcp-links.ts';
import { TextTail } from '../../../src/effects/granted/text-tail.ts';
import type { McpRequest } from '../../../src/plugin/mcp-request.ts';
import type { Permissions } from '../../../src/types/permissions.ts';
import type { McpServer } from '../../../src/types/workflow.ts';
import { told } from '../a-world.ts';
import { aCall, aServer, aToolCall, isAlive, MAY_RUN_NODE, notesIn } from './an-mcp-server.ts';

/** A busy machine may take its time. */
const LOADED = { timeout: 30_000 };

const opened: Effect<McpRequest>[] = [];
afterEach(() => Promise.all(opened.splice(0).map((effect) => effect.close())));

function anEffect(
  server: McpServer,
  options: McpEffectOptions = {},
  permissions: Permissions = MAY_RUN_NODE,
): Effect<McpRequest> {
  const limits = { startMs: 5000, backoffMs: 1, ...options.limits };
  const effect = createMcpEffect(permissions, [server], { TOKEN: 'hunter22', OTHER: 'hidden' }, { ...options, limits });
  opened.push(effect);
  return effect;
}

function aLog(): string {
  return path.join(mkdtempSync(path.join(tmpdir(), 'passk-mcp-')), 'log');
}

async function ask(effect: Effect<McpRequest>, request: McpRequest, signal?: AbortSignal): Promise<unknown> {
  return told((await effect.perform(request, aCall(signal))).reply);
}

test('one process serves all requests, also at the same time, and none before the first', async () => {
  const log = aLog();
  const effect = anEffect(aServer('good', { log }));
  expect(notesIn(log, 'start')).toEqual([]);
  await Promise.all([1, 2, 3].map(() => ask(effect, aToolCall('count'))));
  expect(await ask(effect, aToolCall('count'))).toEqual(
    expect.objectContaining({ content: [{ type: 'text', text: '4' }] }),
  );
  expect(notesIn(log, 'start')).toHaveLength(1);
});

test('the server sees the declared environment, its secrets in place, and nothing else', async () => {
  const env = { KEY: 'value', AUTH: 'Bearer {{secret:TOKEN}}' };
  const effect = anEffect(aServer('good', { env }), {}, { ...MAY_RUN_NODE, env: ['TOKEN'] });
  const answer = JSON.stringify(await ask(effect, aToolCall('env')));
  expect(answer).toContain('\\"KEY\\":\\"value\\"');
  expect(answer).toContain('\\"AUTH\\":\\"Bearer [secret TOKEN]\\"');
  expect(answer).not.toMatch(/hunter22|hidden|USER|LOGNAME/);
});

test('a result of more than 1 MiB is an error, and the connection goes on', async () => {
  const log = aLog();
  const effect = anEffect(aServer('good', { log }));
  expect(await ask(effect, aToolCall('huge', { bytes: 1 << 20 }))).toBe(
    'mcp: server `shop` answered tool `huge` with 1048680 bytes; at most 1048576 are accepted',
  );
  expect(await ask(effect, aToolCall('deep'))).toBe(
    'mcp: server `shop` answered tool `deep` with more than 100 levels of nesting',
  );
  expect(await ask(effect, aToolCall('fail'))).toEqual(expect.objectContaining({ is_error: true }));
  expect(notesIn(log, 'start')).toHaveLength(1);
});

test('a message that does not end is a loss', async () => {
  const answer = await ask(anEffect(aServer('endless')), aToolCall('echo'));
  expect(answer).toContain('broken: MCP server shop sent a message of more than 16777216 bytes.');
});

test('lines that are no messages are passed over; a program that writes nothing else is no server', async () => {
  expect(await ask(anEffect(aServer('chatty')), aToolCall('fail'))).toEqual(
    expect.objectContaining({ is_error: true }),
  );
  expect(await ask(anEffect(aServer('garbage')), aToolCall('fail'))).toContain(
    'broken: MCP server shop wrote more than 1000 lines that are not JSON-RPC; it wrote what is not JSON-RPC: not json 0.',
  );
});

test('an answer that is not valid JSON-RPC is an error of its request alone', async () => {
  const effect = anEffect(aServer('good'));
  expect(await ask(effect, aToolCall('malformed'))).toBe(
    'mcp: server `shop` answered error -32600: the answer is not valid JSON-RPC',
  );
  expect(await ask(effect, aToolCall('fail'))).toEqual(expect.objectContaining({ is_error: true }));
});

test('an aborted request is cancelled at the server and is an error at once', async () => {
  const log = aLog();
  const effect = anEffect(aServer('good', { log }));
  await ask(effect, aToolCall('count'));
  const end = new AbortController();
  const answer = ask(effect, aToolCall('hang'), end.signal);
  // What has not reached the server would not be cancelled there.
  await vi.waitFor(() => expect(notesIn(log, 'call')).toContain('hang'), LOADED);
  end.abort();
  expect(await answer).toBe('mcp: server `shop` did not answer in time');
  await vi.waitFor(() => expect(notesIn(log, 'cancelled')).toHaveLength(1), LOADED);
  expect(await ask(effect, aToolCall('count'), AbortSignal.abort())).toBe('mcp: server `shop` did not answer in time');
});

test('a server that never answers `initialize` is broken when its time is up, with its last lines', async () => {
  const log = aLog();
  const effect = anEffect(aServer('silent', { log }), { limits: { startMs: 2000 } });
  const expected =
    'broken: MCP server shop did not answer `initialize` within 2000 ms; its last lines: waiting for nothing.';
  expect(await ask(effect, aToolCall('echo'))).toBe(expected);
  expect(await ask(effect, aToolCall('echo'))).toBe(expected);
  expect(notesIn(log, 'start')).toHaveLength(1);
  expect(notesIn(log, 'start').filter(isAlive)).toEqual([]);
});

test.each([true, false, null, undefined, 'true', 1])('whether a tool failed must be said plainly: %j', (isError) => {
  const { reply } = mcpAnswer(aToolCall('echo'), 'shop', { content: [], isError }, (text) => text);
  const isPlain = typeof isError !== 'string' && typeof isError !== 'number';
  expect(told(reply)).toEqual(
    isPlain
      ? { tool: 'echo', server: 'shop', content: [], is_error: isError === true, structured: null }
      : 'mcp: server `shop` answered tool `echo` with an `isError` that is neither true nor false',
  );
});

test('a trial that waits for a server which has never been up is broken before its own time is up', async () => {
  const effect = anEffect(aServer('silent'), { timeoutMs: 50 });
  expect(await ask(effect, aToolCall('echo'))).toBe(
    'broken: MCP server shop did not answer `initialize` within 45 ms, and a trial has little more.',
  );
});

test('a server that dies is an error once and is started again for the next request', async () => {
  const log = aLog();
  const effect = anEffect(aServer('good', { log }));
  for (let i = 0; i < 5; i++) {
    expect(await ask(effect, aToolCall('die'))).toBe('mcp: server `shop` ended with exit code 3 before it answered');
    expect(await ask(effect, aToolCall('count'))).toEqual(
      expect.objectContaining({ content: [{ type: 'text', text: '1' }] }),
    );
  }
  expect(notesIn(log, 'start')).toHaveLength(6);
});

test('a server that dies again and again without an answer is broken after three restarts', async () => {
  const log = aLog();
  const env = { TOKEN: '{{secret:TOKEN}}' };
  const effect = anEffect(aServer('crash', { log, env }), {}, { ...MAY_RUN_NODE, env: ['TOKEN'] });
  expect(await ask(effect, aToolCall('echo'))).toBe(
    'broken: MCP server shop ended with exit code 7; its last lines: cannot find the database; token [secret TOKEN]. It was tried again 3 times without answering anything.',
  );
  expect(notesIn(log, 'start')).toHaveLength(4);
  await ask(effect, aToolCall('echo'));
  expect(notesIn(log, 'start')).toHaveLength(4);
});

test('one death fails the requests it had, and no others', async () => {
  const effect = anEffect(aServer('good'));
  await ask(effect, aToolCall('count'));
  const answers = await Promise.all(['hang', 'die', 'hang'].map((tool) => ask(effect, aToolCall(tool))));
  expect(new Set(answers)).toEqual(new Set(['mcp: server `shop` ended with exit code 3 before it answered']));
  expect(await ask(effect, aToolCall('fail'))).toEqual(expect.objectContaining({ is_error: true }));
});

test('closing leaves no process, not even of a server that ignores it and has children', async () => {
  const log = aLog();
  const effect = anEffect(aServer('family', { log }));
  await ask(effect, aToolCall('count'));
  const pids = [...notesIn(log, 'start'), ...notesIn(log, 'child')];
  expect(pids.map(isAlive)).toEqual([true, true]);
  const hanging = ask(effect, aToolCall('hang'));
  await effect.close();
  expect(await hanging).toBe('mcp: server `shop` was closed before it answered');
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), LOADED);
  expect(await ask(effect, aToolCall('count'))).toBe('broken: The request came after the run had ended.');
});

test('scenarios that name the same server share one; of idle ones the most recent are kept, and all end with the worker', async () => {
  const links = new McpLinks({ mostIdle: 2 });
  const logs = ['a', 'b', 'c'].map(() => aLog());
  const effects = [0, 0, 1, 2].map((at) => anEffect(aServer('good', { log: logs[at] ?? '' }), { links }));
  const counts: unknown[] = [];
  for (const effect of effects) counts.push(await ask(effect, aToolCall('count')));
  const counted = ['1', '2', '1', '1'].map((text) => expect.objectContaining({ content: [{ type: 'text', text }] }));
  expect(counts).toEqual(counted);
  const started = (): string[] => logs.flatMap((log) => notesIn(log, 'start'));
  expect(started()).toHaveLength(3);
  await vi.waitFor(() => expect(started().map(isAlive)).toEqual([false, true, true]), LOADED);
  // One that was ended is started again.
  await ask(effects[0] ?? anEffect(aServer('good')), aToolCall('count'));
  expect(started()).toHaveLength(4);
  for (const effect of effects) await effect.close();
  expect(started().filter(isAlive).length).toBeGreaterThan(0);
  await links.close();
  expect(started().filter(isAlive)).toEqual([]);
});

test('closing while a server starts leaves no process', async () => {
  const log = aLog();
  const effect = anEffect(aServer('silent', { log }));
  const asked = ask(effect, aToolCall('echo'));
  await vi.waitFor(() => expect(notesIn(log, 'start')).toHaveLength(1), LOADED);
  await effect.close();
  expect(await asked).toMatch(/^broken: MCP server shop was closed/);
  await vi.waitFor(() => expect(notesIn(log, 'start').filter(isAlive)).toEqual([]), LOADED);
});

test('nothing is started without the grant, and the flag is named', async () => {
  const log = aLog();
  const env = { TOKEN: '{{secret:TOKEN}}' };
  const server = aServer('good', { log, env, command: ['node', 'x.mjs'] });
  const refused = anEffect(server, {}, NOTHING);
  expect(refused.refusal(aToolCall('echo'))).toContain('--allow-run=node');
  expect(await ask(refused, aToolCall('echo'))).toMatch(/^broken: .*--allow-run=node/);
  const half = anEffect(server, {}, { ...NOTHING, run: ['node'] });
  expect(half.refusal(aToolCall('echo'))).toBe('The secret TOKEN needs --allow-env=TOKEN.');
  const whole = anEffect(server, {}, { ...NOTHING, run: ['node'], env: ['TOKEN'] });
  expect(whole.refusal(aToolCall('echo'))).toBeNull();
  expect(notesIn(log, 'start')).toEqual([]);
});

test('a program that is not there, and a package that is not installed, are said in one line', async () => {
  const server = aServer('good', { command: ['/nowhere/server'] });
  const run = ['/nowhere/server', ...MAY_RUN_NODE.run];
  expect(await ask(anEffect(server, {}, { ...NOTHING, run }), aToolCall('echo'))).toMatch(
    /^broken: MCP server shop: resolve \/nowhere\/server: No such file or directory/,
  );
  expect(await ask(anEffect(aServer('good'), { loadSdk: async () => null }), aToolCall('echo'))).toContain(
    'npm install @modelcontextprotocol/client@2',
  );
});

test('the folder of the scenario stands for its name in a command', async () => {
  const scenarioDir = path.join(import.meta.dirname, 'fixtures');
  const command = [process.execPath, '${SCENARIO_DIR}/mcp-stdio-server.mjs'];
  const effect = anEffect(aServer('good', { command }), { scenarioDir });
  expect(await ask(effect, aToolCall('fail'))).toEqual(expect.objectContaining({ is_error: true }));
});

test('the last lines of a server are those that say what went wrong, without the frames of a stack', () => {
  const tail = new TextTail();
  const frames = Array.from({ length: 12 }, (_, at) => `    at step${at} (node:internal:${at})`);
  tail.add(Buffer.from(["Error: Cannot find module 'servr.mjs'", ...frames, 'Node.js v20'].join('\n')));
  expect(tail.text((text) => text)).toBe("Error: Cannot find module 'servr.mjs' | Node.js v20");
});

test('the line of the error is among them, however much follows it', () => {
  const tail = new TextTail();
  const required = Array.from({ length: 12 }, (_, at) => `- /project/lib/step${at}.js`);
  tail.add(Buffer.from(['started', "Error: Cannot find module 'servr'", 'Require stack:', ...required].join('\n')));
  expect(tail.text((text) => text).split(' | ')).toEqual(["Error: Cannot find module 'servr'", ...required.slice(-7)]);
});
