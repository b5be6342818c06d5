import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { renderReport, runSuite } from '../../src/index.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';

interface ContractParts {
  readonly agent?: string;
  readonly trials?: number;
  readonly invariant?: string;
}

const ANSWERS = 'type = "regex"\npattern = "answer"';

function aContract(origin: string, { agent = '', trials = 12, invariant = ANSWERS }: ContractParts = {}): string {
  return `golden_prompts = ["Who are you?"]
[agent]
endpoint = "${origin}/ask"
${agent}
[contract]
name = "waits"
trials = ${trials}
[[contract.invariants]]
id = "answers"
${invariant}
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 1 }]
`;
}

const GRANTED = { permissions: { net: ['127.0.0.1'] } };
const STATELESS = 'stateless = true\nconcurrency = 8';

/** Worker threads that are started from now on until the test ends. */
function startedThreads(): readonly unknown[] {
  const started: unknown[] = [];
  const note = (worker: unknown) => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return started;
}

/** A server that answers nobody until so many wait at once, and then everybody. */
async function aPatientServer(until: number): Promise<{ readonly origin: string; readonly peak: () => number }> {
  const waiting = new Set<ServerResponse>();
  let peak = 0;
  const server = createServer((request, response) => {
    request.resume();
    waiting.add(response);
    peak = Math.max(peak, waiting.size);
    if (peak < until) return;
    for (const patient of waiting) patient.end('one answer');
    waiting.clear();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, peak: () => peak };
}

describe('agents alone', () => {
  test.each([0, 1, 2])('start no worker thread: %i workers', async (workers) => {
    const threads = startedThreads();
    const server = await anHttpServer((_, response) => response.end('one answer'));
    await inFolder({ 'a.toml': aContract(server.origin) }, async (cwd) => {
      const report = await runSuite({ cwd, workers, ...GRANTED });
      expect(matrixOf(onlyContract(report))).toEqual(['PF']);
      expect([report.timing.executor, report.timing.workers, threads.length]).toEqual(['inline', 0, 0]);
    });
  });

  test.each([0, 1, 3])('are asked 32 things at a time by default: %i workers', async (workers) => {
    const server = await aPatientServer(32);
    const agent = 'stateless = true\nconcurrency = 100';
    await inFolder({ 'a.toml': aContract(server.origin, { agent, trials: 48 }) }, async (cwd) => {
      const report = await runSuite({ cwd, workers, ...GRANTED });
      expect(matrixOf(onlyContract(report))).toEqual(['PF']);
    });
    expect(server.peak()).toBe(32);
  });

  test('are asked as many things at a time as they take, with one worker', async () => {
    const server = await aPatientServer(8);
    await inFolder({ 'a.toml': aContract(server.origin, { agent: STATELESS }) }, async (cwd) => {
      const report = await runSuite({ cwd, workers: 1, ...GRANTED });
      expect(matrixOf(onlyContract(report))).toEqual(['PF']);
    });
    expect(server.peak()).toBe(8);
  });
});

test('where code of the user judges what an agent said, a worker does, and the agent is asked once for each trial', async () => {
  const threads = startedThreads();
  const server = await anHttpServer((_, response) => response.end('123456'));
  const plugins = [path.join(import.meta.dirname, 'fixtures/similarities.mjs')];
  const invariant = 'type = "similarity"\nexpected = "abcdef"\nthreshold = 1';
  const text = aContract(server.origin, { agent: STATELESS, invariant });
  const files = { 'a.toml': text.replace('trials = 12', 'trials = 12\nsimilarity = "same-length"') };
  await inFolder(files, async (cwd) => {
    const report = await runSuite({ cwd, workers: 1, plugins, ...GRANTED });
    expect([report.timing.executor, threads.length > 0]).toEqual(['workers', true]);
    expect(onlyContract(report).cells[0]?.state).toBe('passed');
  });
  expect(server.seen).toHaveLength(24);
});

test('an answer that takes long to judge is judged in a worker, with the same result', async () => {
  const text = `${'many words of one answer '.repeat(8000)}`;
  const server = await anHttpServer((_, response) => response.end(text));
  const invariant = `type = "similarity"\nexpected = "${'many words of another answer '.repeat(1000)}"\nthreshold = 0.1`;
  await inFolder({ 'a.toml': aContract(server.origin, { agent: STATELESS, trials: 3, invariant }) }, async (cwd) => {
    const reports: SuiteReport[] = [];
    for (const workers of [0, 2]) reports.push(await runSuite({ cwd, workers, ...GRANTED }));
    expect(reports.map(({ timing }) => timing.executor)).toEqual(['workers', 'workers']);
    const [one, two] = reports.map((report) => renderReport(report, { reporter: 'json', timing: false }));
    expect(one).toBe(two);
  });
  expect(server.seen).toHaveLength(12);
});

describe('a run of an agent that is stopped in the midst of a prompt', () => {
  test.each([
    { kept: 'in one order', agent: '' },
    { kept: 'several at a time', agent: 'stateless = true\nconcurrency = 3' },
  ])('goes on where it was, without asking answered trials again, $kept', async ({ agent }) => {
    const stop = new AbortController();
    let answered = 0;
    let isMute = true;
    const server = await anHttpServer((_, response) => {
      if (isMute && answered === 7) {
        stop.abort(new Error('Ctrl-C'));
        return;
      }
      answered++;
      response.end('one answer');
    });
    const since = (asked: number): number => server.seen.length - asked;
    await inFolder({ 'a.toml': aContract(server.origin, { agent }) }, async (cwd) => {
      const options = { cwd, workers: 1, ...GRANTED };
      const cut = await runSuite({ ...options, journal: { folder: 'j' }, signal: stop.signal });
      isMute = false;
      let asked = server.seen.length;
      const told: string[] = [];
      const journal = { folder: 'j', resume: true, onNotice: (text: string) => told.push(text) };
      const report = await runSuite({ ...options, journal });
      const onResume = since(asked);
      const [, known = '', left = ''] = /^(\d+) trials are in the journal; (\d+) are left/.exec(told[0] ?? '') ?? [];
      expect([cut.partial, Number(known) > 0, Number(known) + Number(left)]).toEqual([true, true, 24]);
      asked = server.seen.length;
      const whole = await runSuite(options);
      // Of an agent that may remember, control questions are asked besides.
      expect(onResume - Number(left)).toBe(since(asked) - 24);
      expect(matrixOf(onlyContract(report))).toEqual(matrixOf(onlyContract(whole)));
      expect(report.partial).toBe(false);
    });
  });
});
