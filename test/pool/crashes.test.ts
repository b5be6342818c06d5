import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInlineExecutor } from './inline-executor.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import { aRunPlan, bytesOf, collect } from './a-run.ts';
import { aFakePool } from './fake-pool.ts';
import { compileFake } from './fixtures/fake-program.ts';

const { run } = aFakePool('thread');

const verdicts = ({ passed, failed, broken, lowestBroken }: Tally) => ({ passed, failed, broken, lowestBroken });

test('trials that exit cost exactly their own verdict', async () => {
  const [tally, other] = await run([
    { trials: 4400, userCode: true, exitAt: [0, 4200, 4201, 4399], blockSize: 4096 },
    { trials: 10_000, userCode: true },
  ]);
  expect(tally && verdicts(tally)).toEqual({
    passed: 3957,
    failed: 439,
    broken: 4,
    lowestBroken: [0, 4200, 4201, 4399].map((trial) => ({
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
  const [tally] = await run([{ trials: 9000, userCode: true, hangAt: [4200] }], { hangTimeoutMs: 1500 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 8099,
    failed: 900,
    broken: 1,
    lowestBroken: [{ trial: 4200, cause: 'no answer within 1500 ms' }],
  });
});

test('a trial with a short time limit that never ends is not waited for any longer than it needs', async () => {
  const scenario = { trials: 300, userCode: true, stallAt: [42], timeoutMs: 1500 };
  const [tally] = await run([scenario], { hangTimeoutMs: 600_000 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 269,
    failed: 30,
    broken: 1,
    lowestBroken: [{ trial: 42, cause: 'no answer within 5000 ms' }],
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
    lowestBroken: [{ trial: 7, cause: 'did not catch Error "too late" while running this trial' }],
  });
});

test('trials with input and output are isolated as well', async () => {
  const [tally] = await run(
    [{ trials: 200, io: true, exitAt: [3, 120], throwAt: [50], stallAt: [77], neverAnswerAt: [90], timeoutMs: 1500 }],
    { hangTimeoutMs: 1500 },
  );
  expect(tally && verdicts(tally)).toEqual({
    passed: 175,
    failed: 20,
    broken: 5,
    lowestBroken: [
      { trial: 3, cause: 'worker exited with code 3 while running this trial' },
      { trial: 50, cause: 'threw TypeError "planted" while running this trial' },
      { trial: 77, cause: 'no answer within 1500 ms' },
      { trial: 90, cause: 'no answer within 1500 ms' },
      { trial: 120, cause: 'worker exited with code 3 while running this trial' },
    ],
  });
});

test('however many trials exit, all others keep their results', async () => {
  // In one block 110 trials in a row, in two others every ninetieth.
  const exitAt = Array.from({ length: 115 }, (_, at) => (at < 110 ? 520 + at : 4100 + 90 * (at - 110)));
  const [tally] = await run([{ trials: 6000, userCode: true, exitAt }], { workers: 3 });
  const failing = Array.from({ length: 600 }, (_, at) => 10 * at + 9).filter((trial) => !exitAt.includes(trial));
  expect(tally && { ...verdicts(tally), lowestBroken: tally.lowestBroken[15] }).toEqual({
    passed: 5885 - failing.length,
    failed: failing.length,
    broken: 115,
    lowestBroken: { trial: 535, cause: 'worker exited with code 3 while running this trial' },
  });
});

test('however many trials hang, all others keep their results', async () => {
  const stallAt = Array.from({ length: 12 }, (_, at) => 100 + 150 * at);
  const [tally] = await run([{ trials: 2000, userCode: true, stallAt }], { workers: 3, hangTimeoutMs: 1500 });
  expect(tally && { ...verdicts(tally), lowestBroken: tally.lowestBroken.map(({ trial }) => trial) }).toEqual({
    passed: 1788,
    failed: 200,
    broken: 12,
    lowestBroken: stallAt,
  });
});

test('a scenario that ends every worker is given up in its order and leaves the others alone', async () => {
  const bounds = { repairBounds: { deaths: 8, hangs: 2 } };
  const scenarios = [
    { trials: 200, userCode: true, exitFrom: 10 },
    { trials: 5000, userCode: true },
  ];
  const [bad, good] = await run(scenarios, bounds);
  expect(bad && { ...verdicts(bad), lowestBroken: [bad.lowestBroken[0]] }).toEqual({
    passed: 9,
    failed: 1,
    broken: 190,
    lowestBroken: [{ trial: 10, cause: 'worker exited with code 3 while running this trial' }],
  });
  expect({ shown: bad?.shown.map(({ trial }) => trial), notRun: bad?.notRun }).toEqual({
    shown: [9, 10, 11],
    notRun: 182,
  });
  expect(bad && Object.fromEntries(bad.causes.entries)).toEqual({
    'not run: 8 trials before it ended their workers': { count: 182, lowestTrial: 18 },
    'worker exited with code 3 while running this trial': { count: 8, lowestTrial: 10 },
  });
  expect(good?.executed).toBe(5000);
  expect(bytesOf(await run(scenarios, { ...bounds, workers: 1 }))).toEqual(bytesOf(bad && good ? [bad, good] : []));
});

test('a scenario of the real world whose trials end every worker is given up, too', async () => {
  const [bad, good] = await run(
    [
      { trials: 300, io: true, exitFrom: 0 },
      { trials: 40, io: true },
    ],
    { repairBounds: { deaths: 6, hangs: 2 } },
  );
  expect(bad && { executed: bad.executed, broken: bad.broken, notRun: bad.notRun }).toEqual({
    executed: 300,
    broken: 300,
    notRun: 294,
  });
  expect(good && verdicts(good)).toEqual({ passed: 36, failed: 4, broken: 0, lowestBroken: [] });
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
    'Scenario "s1" cannot be prepared in a worker: no answer within 1500 ms while preparing it, 2 times.',
  ],
])('a scenario that cannot be compiled ends the run: %o', async (behaviour, code, message) => {
  const running = run([{ trials: 100 }, { trials: 100, userCode: true, ...behaviour }], { hangTimeoutMs: 1500 });
  await expect(running).rejects.toMatchObject({ code, message });
});

test('a worker that dies for a reason of its own costs nothing', async () => {
  const marker = path.join(mkdtempSync(path.join(tmpdir(), 'passk-once-')), 'died');
  const [tally] = await run([{ trials: 20_000, userCode: true, exitOnce: { trial: 9000, marker } }]);
  rmSync(path.dirname(marker), { recursive: true });
  expect(tally && verdicts(tally)).toEqual({ passed: 18_000, failed: 2000, broken: 0, lowestBroken: [] });
});

test('culprits planted at random cost their own verdicts and no others', async () => {
  const inline = createInlineExecutor({ compile: compileFake });
  const [healthy] = await collect(inline, aRunPlan([{ trials: 9000 }]));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(8999), { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.nat(8999), { maxLength: 3 }),
      async (exitAt, throwAt) => {
        const [tally] = await run([{ trials: 9000, userCode: true, exitAt, throwAt }]);
        const culprits = new Set([...exitAt, ...throwAt]);
        const bit = (bits: Uint32Array | undefined, trial: number) => ((bits?.[trial >>> 5] ?? 0) >>> (trial & 31)) & 1;
        const wrong = Array.from({ length: 9000 }, (_, trial) => trial).filter(
          (trial) =>
            bit(tally?.verdicts.words, trial) !== (culprits.has(trial) ? 0 : bit(healthy?.verdicts.words, trial)),
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

test('a scenario whose trials never end is given up in its order', async () => {
  const stallAt = Array.from({ length: 200 }, (_, trial) => trial);
  const [bad] = await run([{ trials: 200, userCode: true, stallAt }], {
    hangTimeoutMs: 500,
    repairBounds: { deaths: 20, hangs: 2 },
  });
  expect(bad && { ...verdicts(bad), lowestBroken: bad.lowestBroken.slice(0, 3) }).toEqual({
    passed: 0,
    failed: 0,
    broken: 200,
    lowestBroken: [
      { trial: 0, cause: 'no answer within 500 ms' },
      { trial: 1, cause: 'no answer within 500 ms' },
      { trial: 2, cause: 'not run: 2 trials before it never ended' },
    ],
  });
});
