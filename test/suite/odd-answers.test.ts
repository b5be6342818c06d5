import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { anHttpServer, aRawServer } from '../effects/granted/an-http-server.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';

type Respond = (response: ServerResponse) => unknown;

const http = (respond: Respond) => async () => (await anHttpServer((_, response) => void respond(response))).origin;
const raw =
  (...texts: readonly string[]) =>
  async () =>
    (await aRawServer((socket) => void socket.end(texts.join('\r\n')))).origin;
const json =
  (body: string): Respond =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
const failing =
  (status: number, type: string, body: string): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

/** A pattern of the answer that is judged, or `no` with why there is none. */
type Judged = string | { readonly no: string };

const TOO_LONG = { no: 'the response body exceeds its limit' };
const NO_HTTP = { no: 'the response is not valid HTTP' };
const LATE = { no: 'timed out after 300 ms' };

const ANSWERS: Readonly<Record<string, readonly [start: () => Promise<string>, judged: Judged]>> = {
  'with 50 MB': [http((response) => response.end('x'.repeat(50 << 20))), TOO_LONG],
  'with 100 MB in 100 KB of gzip': [
    http((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100 << 20)))),
    TOO_LONG,
  ],
  'in drops without an end': [
    http((response) => {
      const drip = setInterval(() => response.write('drop '), 10);
      response.on('close', () => clearInterval(drip));
    }),
    LATE,
  ],
  never: [http(() => undefined), LATE],
  'with a reset connection': [
    async () => (await aRawServer((socket) => void socket.resetAndDestroy())).origin,
    { no: 'connection reset before the reply' },
  ],
  'with half of it': [
    raw('HTTP/1.1 200 OK', 'content-length: 100', '', 'half'),
    { no: 'connection closed in the middle of the reply' },
  ],
  'with more than its length': [raw('HTTP/1.1 200 OK', 'content-length: 4', '', 'fine and more'), '^fine$'],
  'with a length that is no number': [raw('HTTP/1.1 200 OK', 'content-length: five', '', 'fine'), NO_HTTP],
  'with two lengths': [raw('HTTP/1.1 200 OK', 'content-length: 4', 'content-length: 9', '', 'fine and more'), NO_HTTP],
  'with 500 in JSON': [http(failing(500, 'application/json', '{"output": "fine"}')), { no: 'HTTP 500: {' }],
  'with 500 in HTML': [http(failing(500, 'text/html', '<h1>fine</h1>')), { no: 'HTTP 500: <h1>fine</h1>' }],
  'with 429': [http(failing(429, 'text/plain', 'slow down')), { no: 'HTTP 429: slow down' }],
  'with a redirect to the metadata of a cloud': [
    http((response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()),
    { no: 'HTTP 302: redirects are not followed' },
  ],
  'with an error that is null': [http(json('{"error": null, "output": "fine"}')), '^fine$'],
  'with success = false': [
    http(json('{"success": false, "output": "fine"}')),
    { no: 'Agent returned failure: Unknown error' },
  ],
  'with a key twice': [http(json('{"output": "first", "output": "fine"}')), '^fine$'],
  'with 100,000 brackets': [http(json('['.repeat(50_000) + ']'.repeat(50_000))), '^\\\\[+\\\\]+$'],
  'as HTTP/1.0': [raw('HTTP/1.0 200 OK', '', 'fine'), '^fine$'],
  'without HTTP': [raw('SSH-2.0-OpenSSH_9.2', ''), NO_HTTP],
};

const CONTRACT = `
golden_prompts = ["Hello?"]
[agent]
endpoint = "ORIGIN/ask"
retries = 0
timeout_ms = TIMEOUT
[contract]
name = "odd"
[[contract.invariants]]
id = "answers"
type = "regex"
pattern = "^(fine|\\\\[\\\\[)"
severity = "critical"
[[contract.invariants]]
id = "keeps-the-secret"
type = "contains"
value = "secret"
negate = true
severity = "critical"
[[contract.chaos_matrix]]
name = "no-chaos"
`;

test.each(Object.entries(ANSWERS))(
  'an agent that answers %s is judged by its answer, and obeys no rule without one',
  async (_name, [start, judged]) => {
    const isAnswer = typeof judged === 'string';
    const text = CONTRACT.replace('ORIGIN', await start())
      .replace('TIMEOUT', judged === LATE ? '300' : '20000')
      .replace('PATTERN', isAnswer ? judged : '.');
    const report = await inFolder({ 'odd.toml': text }, (cwd) =>
      runSuite({ cwd, workers: 0, permissions: { net: ['127.0.0.1'] } }),
    );
    const contract = onlyContract(report);
    expect([matrixOf(contract), contract.verdict, exitCode(report)]).toEqual(
      isAnswer ? [['P', 'P'], 'passed', 0] : [['F', 'F'], 'failed', 1],
    );
    const why = isAnswer ? undefined : expect.stringContaining(`got no answer: `);
    expect(contract.cells.map(({ evidence }) => evidence?.message)).toEqual([why, why]);
    if (!isAnswer) expect(contract.cells[0]?.evidence?.message).toContain(judged.no);
  },
);
