import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInlineExecutor } from '../../src/pool/inline-executor.ts';
import { createWorkersExecutor, type WorkersExecutorOptions } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally.ts';
import { aRunPlan, buildFakeWorker, collect, type FakeScenario } from './a-run.ts';
import { compileFake } from './fixtures/fake-program.ts';

let worker: Awaited<ReturnType<typeof buildFakeWorker>>;

beforeAll(async () => {
  worker = await buildFakeWorker();
});
afterAll(() => worker.remove());

async function run(
  scenarios: readonly FakeScenario[],
  options: Partial<WorkersExecutorOptions> = {},
): Promise<Tally[]> {
  const executor = createWorkersExecutor({ workers: 2, workerUrl: worker.url, ...options });
  try {
    return await collect(executor, aRunPlan(scenarios));
  } finally {
    await executor.close();
  }
}

const verdicts = ({ passed, failed, broken, lowestBroken }: Tally) => ({ passed, failed, broken, lowestBroken });

test('trials that exit cost exactly their own verdict', async () => {
  const [tally, other] = await run([
    { trials: 20_000, userCode: true, exitAt: [0, 5000, 5001, 19_999] },
    { trials: 10_000, userCode: true },
  ]);
  expect(tally && verdicts(tally)).toEqual({
    passed: 17_997,
    failed: 1999,
    broken: 4,
    lowestBroken: [0, 5000, 5001, 19_999].map((trial) => ({
      trial,
      cause: 'worker exited with code 3 while running this trial',
    })),
  });
  expect(other && verdicts(other)).toEqual({ passed: 9000, failed: 1000, broken: 0, lowestBroken: [] });
});

test('a trial that throws costs no worker', async () => {
  const [tally] = await run([{ trials: 9000, userCode: true, throwAt: [17, 8000] }]);
  expect(tally && verdicts(tally)).toEqual({
    passed: 8098,
    failed: 900,
    broken: 2,
    lowestBroken: [17, 8000].map((trial) => ({ trial, cause: 'threw TypeError "planted" while running this trial' })),
  });
});

test('a trial that never ends is cut off by the watchdog', async () => {
  const [tally] = await run([{ trials: 9000, userCode: true, hangAt: [4200] }], { hangTimeoutMs: 400 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 8099,
    failed: 900,
    broken: 1,
    lowestBroken: [{ trial: 4200, cause: 'no answer within 400 ms' }],
  });
});

test('a trial that exhausts its heap costs only itself', async () => {
  const [tally] = await run([{ trials: 5000, userCode: true, fillMemoryAt: [4999] }], { memoryMb: 48 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 4500,
    failed: 499,
    broken: 1,
    lowestBroken: [{ trial: 4999, cause: 'worker ran out of memory while running this trial' }],
  });
});

test('an error that comes right after its trial is blamed on it', async () => {
  const [tally] = await run([{ trials: 50, userCode: true, io: true, throwLaterAt: [7] }]);
  expect(tally && verdicts(tally)).toEqual({
    passed: 44,
    failed: 5,
    broken: 1,
    lowestBroken: [{ trial: 7, cause: 'worker died of an uncaught Error "too late" while running this trial' }],
  });
});

test('trials with input and output are isolated as well', async () => {
  const [tally] = await run(
    [{ trials: 200, io: true, exitAt: [3, 120], throwAt: [50], hangAt: [77], neverAnswerAt: [90], timeoutMs: 300 }],
    { hangTimeoutMs: 300 },
  );
  expect(tally && verdicts(tally)).toEqual({
    passed: 175,
    failed: 20,
    broken: 5,
    lowestBroken: [
      { trial: 3, cause: 'worker exited with code 3 while running this trial' },
      { trial: 50, cause: 'threw TypeError "planted" while running this trial' },
      { trial: 77, cause: 'no answer within 300 ms' },
      { trial: 90, cause: 'no answer within 300 ms' },
      { trial: 120, cause: 'worker exited with code 3 while running this trial' },
    ],
  });
});

test('a scenario that ends every worker is given up and leaves the others alone', async () => {
  const [bad, good] = await run([
    { trials: 300, userCode: true, exitFrom: 10 },
    { trials: 5000, userCode: true },
  ]);
  expect(bad && { ...verdicts(bad), lowestBroken: bad.lowestBroken[0] }).toEqual({
    passed: 9,
    failed: 1,
    broken: 290,
    lowestBroken: { trial: 10, cause: 'worker exited with code 3 while running this trial' },
  });
  expect(good?.executed).toBe(5000);
});

test.each([
  [{ failOnCompile: true }, 'PLUGIN', 'Scenario "s1" cannot be prepared in a worker: The plug-in is broken.'],
  [
    { exitOnCompile: true },
    'PLUGIN',
    'Scenario "s1" cannot be prepared in a worker: worker exited with code 7 while preparing it, 2 times.',
  ],
  [
    { hangOnCompile: true },
    'PLUGIN',
    'Scenario "s1" cannot be prepared in a worker: no answer within 300 ms while preparing it, 2 times.',
  ],
])('a scenario that cannot be compiled ends the run: %o', async (behaviour, code, message) => {
  const running = run([{ trials: 100 }, { trials: 100, userCode: true, ...behaviour }], { hangTimeoutMs: 300 });
  await expect(running).rejects.toMatchObject({ code, message });
});

test('a worker that dies for a reason of its own costs nothing', async () => {
  const marker = path.join(mkdtempSync(path.join(tmpdir(), 'passk-once-')), 'died');
  const [tally] = await run([{ trials: 20_000, userCode: true, exitOnce: { trial: 9000, marker } }]);
  rmSync(path.dirname(marker), { recursive: true });
  expect(tally && verdicts(tally)).toEqual({ passed: 18_000, failed: 2000, broken: 0, lowestBroken: [] });
});

test('culprits planted at random cost their own verdicts and no others', async () => {
  const plain = aRunPlan([{ trials: 9000, userCode: true }]);
  const inline = createInlineExecutor({ compile: compileFake });
  const [healthy] = await collect(inline, {
    ...plain,
    scenarios: plain.scenarios.map((s) => ({ ...s, userCode: false })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(8999), { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.nat(8999), { maxLength: 3 }),
      async (exitAt, throwAt) => {
        const [tally] = await run([{ trials: 9000, userCode: true, exitAt, throwAt }]);
        const culprits = new Set([...exitAt, ...throwAt]);
        const bit = (bits: Uint32Array | undefined, trial: number) => ((bits?.[trial >>> 5] ?? 0) >>> (trial & 31)) & 1;
        const wrong = Array.from({ length: 9000 }, (_, trial) => trial).filter(
          (trial) => bit(tally?.verdictBits, trial) !== (culprits.has(trial) ? 0 : bit(healthy?.verdictBits, trial)),
        );
        expect({ broken: tally?.broken, executed: tally?.executed, wrong }).toEqual({
          broken: culprits.size,
          executed: 9000,
          wrong: [],
        });
      },
    ),
    { numRuns: 4 },
  );
});

test('a pool whose workers cannot start is an error, never a wait', async () => {
  const executor = createWorkersExecutor({ workers: 2, workerUrl: new URL('file:///nowhere/worker.js') });
  try {
    await expect(collect(executor, aRunPlan([{ trials: 100 }]))).rejects.toMatchObject({
      name: 'PasskError',
      code: 'POOL',
    });
  } finally {
    await executor.close();
  }
});

test('what code of the user prints goes where the caller says', async () => {
  const printed: string[] = [];
  await run([{ trials: 3, userCode: true, printAt: [1] }], { onOutput: (text) => printed.push(text) });
  expect(printed.join('')).toBe('hello from trial 1\n');
});

test('a scenario whose trials never end is given up after eight workers, not after a hundred', async () => {
  const hangAt = Array.from({ length: 300 }, (_, trial) => trial);
  const [bad] = await run([{ trials: 300, userCode: true, hangAt }], { hangTimeoutMs: 300 });
  expect(bad && { ...verdicts(bad), lowestBroken: bad.lowestBroken.length > 0 }).toEqual({
    passed: 0,
    failed: 0,
    broken: 300,
    lowestBroken: true,
  });
});
