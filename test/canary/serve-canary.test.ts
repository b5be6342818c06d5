import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CanaryServer, serveCanary } from '../../src/canary/serve-canary.ts';
import type { ServeCanaryOptions } from '../../src/canary/canary-options.ts';
import { canaryStatus } from '../../src/canary/step-canary.ts';
import { nodeFiles } from '../../src/records/file-layer.ts';
import { runPassk } from '../cli/run-passk.ts';
import { aFolderWith, aLine, NOW } from './a-canary.ts';

const STAGE = 'min_outcomes = 100\nmax_outcomes = 5000\nmin_pass_rate = 0.9\nmax_error_rate = 0.02\n';
const CONFIG = `candidate = "2"\ntier = "dev"\n[[stages]]\npercent = 0\n${STAGE}\n[[stages]]\npercent = 100\n${STAGE}`;

async function served(options: Partial<ServeCanaryOptions> = {}): Promise<CanaryServer & { readonly cwd: string }> {
  const cwd = options.cwd ?? aFolderWith({ 'canary.toml': CONFIG });
  const server = await serveCanary({ config: 'canary.toml', now: () => NOW, ...options, cwd });
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    return server.close();
  };
  onTestFinished(async () => {
    if (!isClosed) await server.close();
  });
  return { ...server, close, cwd };
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => aLine(from + i)).join('\n');

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Node's own client, which sends any header. */
function ask(
  url: string,
  {
    method = 'POST',
    body = '',
    headers = {},
  }: { readonly method?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { 'content-type': 'application/x-ndjson', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('a rollout behind an address', () => {
  test('takes each request as a step, names what it sets aside, and is continued from its files', async () => {
    const { url, cwd, close } = await served();
    expect(await ask(`${url}/outcomes`, { body: `${lines(0, 150)}\n\n{bad\n${aLine(3)}` })).toEqual({
      status: 200,
      body: {
        state: 'running',
        percent: 100,
        decision: 'promote',
        read: 152,
        setAside: [
          { line: 151, reason: 'not_json' },
          { line: 152, reason: 'double' },
        ],
      },
    });
    // Whoever routes reads it at once from the file, or asks.
    expect(JSON.parse(readFileSync(path.join(cwd, 'canary.state.json'), 'utf8'))).toMatchObject({ percent: 100 });
    expect((await ask(`${url}/status`, { method: 'GET' })).body).toMatchObject({ percent: 100, counted: 150 });
    // While it listens nobody else may continue the rollout.
    const other = await runPassk(['canary', 'step', 'canary.toml'], { cwd });
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining(`Process ${process.pid} is writing`)]);
    await close();
    expect(await canaryStatus({ config: 'canary.toml', cwd })).toMatchObject({ percent: 100, counted: 150 });
    const again = await served({ cwd });
    expect((await ask(`${again.url}/outcomes`, { body: lines(150, 300) })).body).toMatchObject({ state: 'released' });
  });

  test('loses nothing of requests that come at the same time', async () => {
    const { url, close } = await served();
    const batches = Array.from({ length: 20 }, (_, i) => ask(`${url}/outcomes`, { body: lines(5 * i, 5 * i + 5) }));
    expect((await Promise.all(batches)).map(({ status }) => status)).toEqual(new Array(20).fill(200));
    expect(await close()).toMatchObject({ counted: 100, refused: {} });
  });

  test('answers programs of this machine, and no page, name or size that it should not', async () => {
    const { url, close } = await served();
    const body = aLine(1);
    const statusOf = async (place: string, options: Parameters<typeof ask>[1]) =>
      (await ask(url + place, options)).status;
    expect([
      await statusOf('/outcomes', { body, headers: { host: 'evil.example' } }),
      await statusOf('/outcomes', { body, headers: { origin: 'https://evil.example' } }),
      await statusOf('/outcomes', { body, headers: { 'content-type': 'text/plain' } }),
      await statusOf('/outcomes', { body: 'x'.repeat((1 << 20) + 1) }),
      await statusOf('/outcomes', { method: 'GET' }),
      await statusOf('/else', { body }),
    ]).toEqual([403, 403, 415, 413, 404, 404]);
    expect(await close()).toMatchObject({ counted: 0, refused: {} });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('takes an outcome that stands on several lines, and counts nothing of a body that it cannot read', async () => {
    const { url } = await served();
    const pretty = JSON.stringify(JSON.parse(aLine(1)), null, 2);
    expect((await ask(`${url}/outcomes`, { body: pretty })).body).toMatchObject({ read: 1, setAside: [] });
    const refused = await Promise.all(
      [
        { body: `[${aLine(2)}]` },
        { body: aLine(2), headers: { 'content-encoding': 'gzip' } },
        { body: aLine(2), headers: { 'content-type': 'application/json; charset=utf-16' } },
      ].map((request) => ask(`${url}/outcomes`, request)),
    );
    expect(refused).toEqual([
      { status: 400, body: { error: 'Send a line for each outcome, and no list of them.' } },
      { status: 415, body: { error: 'Outcomes are sent as they are, and not as "gzip".' } },
      { status: 415, body: { error: 'Outcomes are UTF-8, and not utf-16.' } },
    ]);
    const headers = { 'content-type': 'application/JSON; charset="UTF-8"', 'content-encoding': 'identity' };
    expect(await ask(`${url}/outcomes`, { body: aLine(2), headers })).toMatchObject({ status: 200 });
    const { body } = await ask(`${url}/status`, { method: 'GET' });
    expect([body['counted'], body['refused']]).toEqual([2, {}]);
  });

  test('with a token answers who knows it', async () => {
    const { url } = await served({ token: 'sesame' });
    const status = async (authorization?: string) =>
      (await ask(`${url}/status`, { method: 'GET', headers: authorization === undefined ? {} : { authorization } }))
        .status;
    expect([await status(), await status('Bearer other!'), await status('Bearer sesame')]).toEqual([401, 401, 200]);
  });

  test('says so where the journal cannot be written, and outlives clients that leave', async () => {
    let isFull = false;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      open: async (...args) => {
        const file = await nodeFiles.open(...args);
        return {
          ...file,
          write: async (bytes, position) =>
            isFull ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : file.write(bytes, position),
        };
      },
    };
    const { url, close } = await served({ files });
    const gone = connect(Number(new URL(url).port), '127.0.0.1');
    gone.write(
      'POST /outcomes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    gone.destroy();
    isFull = true;
    const { status, body } = await ask(`${url}/outcomes`, { body: lines(0, 5) });
    expect([status, body['error']]).toEqual([500, expect.stringContaining('the disk is full')]);
    isFull = false;
    expect((await ask(`${url}/outcomes`, { body: lines(0, 5) })).body).toMatchObject({ read: 5, setAside: [] });
    expect(await close()).toMatchObject({ counted: 5 });
  });

  test('is refused where a stage of the tier is missing, or the port is taken', async () => {
    const cwd = aFolderWith({ 'canary.toml': CONFIG.replace('"dev"', '"production"') });
    await expect(served({ cwd })).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('canary') });
    const { url } = await served();
    const port = Number(new URL(url).port);
    const other = aFolderWith({ 'canary.toml': CONFIG });
    await expect(served({ cwd: other, port })).rejects.toMatchObject({ code: 'USAGE' });
    // And leaves no lock behind.
    await served({ cwd: other });
  });

  test('is opened by a flag alone, and ends with Ctrl-C and where the rollout stands', async () => {
    const cwd = aFolderWith({ 'canary.toml': CONFIG, 'a.jsonl': lines(0, 5) });
    let answer: Promise<Answer> | null = null;
    const ended = await runPassk(['canary', 'step', 'canary.toml', '--listen', '0'], {
      cwd,
      meanwhile: (child) => {
        child.stderr?.on('data', (said: string) => {
          const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
          if (url === undefined || answer !== null) return;
          answer = ask(`${url}/outcomes`, { body: lines(0, 5) });
          void answer.then(() => child.kill('SIGINT'));
        });
      },
    });
    expect(await answer).toMatchObject({ status: 200, body: { read: 5, setAside: [] } });
    expect([ended.status, ended.stdout]).toEqual([3, expect.stringContaining('outcomes    5 count')]);
    const both = await runPassk(['canary', 'step', 'canary.toml', 'a.jsonl', '--listen', '0'], { cwd });
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('not from both')]);
  });
});
