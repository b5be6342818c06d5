import { describe, expect, test } from 'vitest';
import { runSuite } from '../../src/suite/run-suite.ts';
import { exitCode } from '../../src/gate/exit-code.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { freePort } from '../support/free-port.ts';
import { inFolder, matrixOf, onlyContract } from '../suite/contract-runs.ts';

interface Run {
  readonly origin: string;
  readonly agent?: string;
  readonly prompts?: number;
  readonly columns?: number;
  readonly trials?: number;
}

function run({ origin, agent = '', prompts = 3, columns = 4, trials = 2 }: Run): Promise<SuiteReport> {
  const list = Array.from({ length: prompts }, (_, at) => `"Question ${at}?"`);
  const matrix = Array.from({ length: columns }, (_, at) => `[[contract.chaos_matrix]]\nname = "column-${at}"`);
  const text = `
golden_prompts = [${list.join(', ')}]
[agent]
endpoint = "${origin}/ask"
${agent}
[contract]
name = "reach"
trials = ${trials}
[[contract.invariants]]
id = "answers"
type = "output_not_empty"
severity = "critical"
[[contract.invariants]]
id = "in-time"
type = "latency"
max_ms = 60000
${matrix.join('\n')}
`;
  return inFolder({ 'reach.toml': text }, (cwd) => runSuite({ cwd, workers: 2, permissions: { net: ['127.0.0.1'] } }));
}

const notices = ({ notices: all }: SuiteReport): readonly string[] =>
  all.flatMap(({ code, message }) => (code.startsWith('agent_') ? [message] : []));

describe('an agent that nobody answers for', () => {
  test.each(['', 'reset_endpoint = "/reset"'])(
    'is asked once, and one reason stands for all columns: %j',
    async (agent) => {
      const port = await freePort();
      const report = await run({ origin: `http://127.0.0.1:${port}`, agent, prompts: 10, trials: 5 });
      const contract = onlyContract(report);
      const refused = `connect 127.0.0.1:${port}: Connection refused (os error 111)`;
      expect([matrixOf(contract), contract.verdict]).toEqual([['!!!!', '!!!!'], 'insufficient']);
      expect(contract.reasons).toEqual([
        `No cell was judged: 5 trials are broken (Nobody is there to answer: ${refused}).`,
      ]);
      expect(notices(report)).toEqual([`Contract "reach": nobody is there to answer: ${refused}.`]);
      expect(exitCode(report)).toBe(3);
    },
  );

  test('any more is asked three times in a row', async () => {
    let left = 4;
    const server = await anHttpServer((_, response) => {
      response.setHeader('connection', 'close');
      response.end('Hello.');
      if (--left === 0) server.stop();
    });
    const report = await run({ origin: server.origin, agent: 'retries = 0\nstateless = true\nconcurrency = 1' });
    expect(server.seen).toHaveLength(4);
    expect(notices(report)).toEqual([expect.stringContaining('nobody is there to answer: ')]);
    expect(matrixOf(onlyContract(report))).toEqual(['!!!!', '!!!!']);
  });
});

test('an agent that drops every second connection is told how often it was asked again', async () => {
  let calls = 0;
  const server = await anHttpServer(({ socket }, response) => {
    if (++calls % 2 === 1) return void socket.destroy();
    response.setHeader('connection', 'close');
    response.end('Hello.');
  });
  const report = await run({
    origin: server.origin,
    agent: 'stateless = true\nconcurrency = 1',
    columns: 1,
    trials: 1,
  });
  expect([matrixOf(onlyContract(report)), notices(report)]).toEqual([
    ['P', 'P'],
    [
      'Contract "reach": 3 of 3 answers of its agent came only when it was asked again: nothing had come the first time.',
    ],
  ]);
});

test('answers without a word, and answers that are no JSON although they say so, are told', async () => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(['', '{"output": " "}', '{"output": "hel'][server.seen.length % 3]);
  });
  const report = await run({
    origin: server.origin,
    agent: 'stateless = true\nconcurrency = 1',
    columns: 1,
    trials: 1,
  });
  expect(notices(report)).toEqual([
    'Contract "reach": 1 of 3 answers of its agent said to be JSON and were none: they were judged as they stand.',
    'Contract "reach": 2 of 3 answers of its agent were empty.',
  ]);
});

test('streams in which no text is found are told, with what is looked for', async () => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(server.seen.length === 1 ? 'data: {"token": "Hello."}\n\n' : 'data: {"words": "Hello."}\n\n');
  });
  const agent = 'stateless = true\nconcurrency = 1';
  const report = await run({ origin: server.origin, agent, columns: 1, trials: 1 });
  expect(notices(report)).toEqual([
    'Contract "reach": 2 of 3 answers of its agent were streams in which no text was found: they were judged as they stand.',
  ]);
});

test.each(['', '\nresponse_path = "$.output"'])('pages in place of answers are told: %j', async (path) => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', server.seen.length === 1 ? 'text/html' : 'text/html; charset=utf-8');
    response.end(server.seen.length === 1 ? '{"output": "Hello."}' : '<!DOCTYPE html><title>Log in</title>');
  });
  const agent = `stateless = true\nconcurrency = 1${path}`;
  const report = await run({ origin: server.origin, agent, columns: 1, trials: 1 });
  expect(notices(report)).toEqual([
    'Contract "reach": 2 of 3 answers of its agent were HTML pages: they were judged as they stand.',
  ]);
});

describe('an agent that keeps no state', () => {
  /** How many questions were under way at a time. */
  async function most(agent: string): Promise<{ readonly most: number; readonly report: SuiteReport }> {
    let present = 0;
    let highest = 0;
    const server = await anHttpServer((_, response) => {
      highest = Math.max(highest, ++present);
      setTimeout(() => {
        present--;
        response.end('Hello.');
      }, 30);
    });
    const report = await run({ origin: server.origin, agent, prompts: 8, columns: 2, trials: 2 });
    return { most: highest, report };
  }

  test('is asked so many things at a time, prompts of one trial included, and never for its state', async () => {
    const { most: atOnce, report } = await most('stateless = true\nconcurrency = 6');
    expect([atOnce, matrixOf(onlyContract(report)), notices(report)]).toEqual([6, ['PP', 'PP'], []]);
  });

  test('only where the file says so', async () => {
    const { most: atOnce } = await most('');
    expect(atOnce).toBe(1);
  });
});
