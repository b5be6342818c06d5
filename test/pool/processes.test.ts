import { describe, expect, test } from 'vitest';
import type { ExecutorRunOptions, RunProgress } from '../../src/pool/executor.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { type IsSettled, stoppingEarly } from '../../src/pool/blocks/stop-tracker.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import { aRunPlan, bytesOf, collect, type FakeScenario } from './a-run.ts';
import { aFakePool } from './fake-pool.ts';
import { compileFake } from './fixtures/fake-program.ts';

const fakes = aFakePool('process');
const { run } = fakes;

const verdicts = ({ passed, failed, broken, lowestBroken }: Tally) => ({ passed, failed, broken, lowestBroken });

test('any number of processes and any claim size give the same bytes as the calling thread', async () => {
  const plan = aRunPlan([{ trials: 100 }, { trials: 300_001 }, { trials: 0 }, { trials: 4096 }]);
  const expected = bytesOf(await collect(createInlineExecutor({ compile: compileFake }), plan));
  for (const [workers, maxClaim] of [
    [1, 4096],
    [2, 1],
    [3, 7],
  ] as const) {
    const executor = createWorkersExecutor({ workers, maxClaim, workerUrl: fakes.url, isolation: 'process' });
    try {
      expect(bytesOf(await collect(executor, plan))).toEqual(expected);
      // Warm processes take the next run.
      expect(bytesOf(await collect(executor, plan))).toEqual(expected);
    } finally {
      await executor.close();
    }
  }
});

test.each<[string, Partial<FakeScenario>, string]>([
  ['abort', { abortAt: [4200] }, 'worker was ended by SIGABRT while running this trial'],
  [
    'are killed from outside',
    { signalAt: { trial: 4200, signal: 'SIGKILL' } },
    'worker was ended by SIGKILL while running this trial',
  ],
  [
    'crash in native code',
    { signalAt: { trial: 4200, signal: 'SIGSEGV' } },
    'worker was ended by SIGSEGV while running this trial',
  ],
  ['exit', { exitAt: [4200] }, 'worker exited with code 3 while running this trial'],
  ['throw', { throwAt: [4200] }, 'threw TypeError "planted" while running this trial'],
  [
    'write where only passk writes',
    { spoilPipeAt: [4200] },
    'worker spoilt what it says to passk while running this trial',
  ],
])('trials that %s cost exactly their own verdict', async (_, behaviour, cause) => {
  const [tally, other] = await run([
    { trials: 9000, userCode: true, ...behaviour },
    { trials: 5000, userCode: true },
  ]);
  expect(tally && verdicts(tally)).toEqual({
    passed: 8099,
    failed: 900,
    broken: 1,
    lowestBroken: [{ trial: 4200, cause }],
  });
  expect(other && verdicts(other)).toEqual({ passed: 4500, failed: 500, broken: 0, lowestBroken: [] });
});

test('a trial that never ends is cut off by the watchdog', async () => {
  const [tally] = await run([{ trials: 9000, userCode: true, hangAt: [4200] }], { hangTimeoutMs: 2000 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 8099,
    failed: 900,
    broken: 1,
    lowestBroken: [{ trial: 4200, cause: 'no answer within 2000 ms' }],
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

test.runIf(process.platform === 'linux')('so does one that fills memory outside the heap', async () => {
  const [tally] = await run([{ trials: 5000, userCode: true, fillBuffersAt: [4999] }], { processMemoryMb: 400 });
  expect(tally && verdicts(tally)).toEqual({
    passed: 4500,
    failed: 499,
    broken: 1,
    lowestBroken: [{ trial: 4999, cause: 'worker used more than 400 MiB while running this trial' }],
  });
});

test('trials with input and output are isolated as well', async () => {
  const [tally] = await run(
    [
      {
        trials: 200,
        io: true,
        userCode: true,
        exitAt: [3],
        abortAt: [120],
        throwAt: [50],
        throwLaterAt: [70],
        stallAt: [77],
      },
    ],
    { hangTimeoutMs: 2000 },
  );
  expect(tally && verdicts(tally)).toEqual({
    passed: 175,
    failed: 20,
    broken: 5,
    lowestBroken: [
      { trial: 3, cause: 'worker exited with code 3 while running this trial' },
      { trial: 50, cause: 'threw TypeError "planted" while running this trial' },
      { trial: 70, cause: 'did not catch Error "too late" while running this trial' },
      { trial: 77, cause: 'no answer within 2000 ms' },
      { trial: 120, cause: 'worker was ended by SIGABRT while running this trial' },
    ],
  });
});

test('functions of the host answer across processes', async () => {
  const asked: unknown[] = [];
  const executor = createWorkersExecutor({
    workers: 2,
    workerUrl: fakes.url,
    isolation: 'process',
    hostFunctions: { ask: (payload) => asked.push(payload) },
  });
  try {
    const [tally] = await collect(executor, aRunPlan([{ trials: 40, io: true, askHost: 'ask' }], ['ask']));
    expect(tally && verdicts(tally)).toEqual({ passed: 36, failed: 4, broken: 0, lowestBroken: [] });
    expect(asked.length).toBe(40);
  } finally {
    await executor.close();
  }
});

test('no more trials are in flight than asked for, however many processes there are', async () => {
  let most = 0;
  let now = 0;
  let meet = (): void => undefined;
  // The first waits for a second, however long another process takes to start.
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const executor = createWorkersExecutor({
    workers: 3,
    concurrency: 2,
    workerUrl: fakes.url,
    isolation: 'process',
    hostFunctions: {
      ask: async () => {
        most = Math.max(most, ++now);
        if (now === 2) meet();
        await met;
        await new Promise((resolve) => setTimeout(resolve, 20));
        now--;
        return null;
      },
    },
  });
  try {
    await collect(executor, aRunPlan([{ trials: 12, io: true, askHost: 'ask' }], ['ask']));
    expect(most).toBe(2);
  } finally {
    await executor.close();
  }
});

describe('trials that nobody needs any more', () => {
  /** How many trials processes have begun, of 3,000 that a run cuts short; `pure` ones come in 60 blocks. */
  async function begunIn(kind: 'pure' | 'io', run: ExecutorRunOptions, isSettled?: IsSettled) {
    let asked = 0;
    const pool = createWorkersExecutor({
      workers: 2,
      concurrency: 2,
      workerUrl: fakes.url,
      isolation: 'process',
      hostFunctions: { ask: () => ++asked },
    });
    const scenario: FakeScenario =
      kind === 'pure'
        ? { trials: 60 * 4096, userCode: true, busyMs: 0.01, failEvery: 5000 }
        : { trials: 3000, io: true, busyMs: 2, askHost: 'ask', failEvery: 7 };
    const plan = aRunPlan([scenario, { ...scenario, failEvery: 0 }], ['ask']);
    const executor = isSettled === undefined ? pool : stoppingEarly(pool, isSettled);
    let done = 0;
    const onProgress = (progress: RunProgress) => {
      done = progress.done;
    };
    try {
      const tallies = await collect(executor, plan, { ...run, onProgress });
      return { executed: tallies.map(({ executed }) => executed), begun: kind === 'pure' ? done / 4096 : asked };
    } finally {
      await pool.close();
    }
  }

  test.each(['pure', 'io'] as const)('are not run where --bail has decided: %s', async (kind) => {
    const { executed, begun } = await begunIn(kind, { bail: 1 });
    expect(executed).toEqual(kind === 'pure' ? [2 * 4096, 0] : [7, 0]);
    expect(begun).toBeLessThan(kind === 'pure' ? 30 : 700);
  });

  test.each(['pure', 'io'] as const)('are not run where scenarios have stopped early: %s', async (kind) => {
    const most = kind === 'pure' ? 2 * 4096 : 20;
    const { executed, begun } = await begunIn(kind, {}, (_scenario, { passed, failed }) => passed + failed >= most);
    expect(executed).toEqual([most, most]);
    expect(begun).toBeLessThan(kind === 'pure' ? 60 : 1500);
  });
});

test('a Ctrl-C that reaches the processes too changes nothing', async () => {
  const [tally] = await run([{ trials: 9000, userCode: true, signalAt: { trial: 4200, signal: 'SIGINT' } }]);
  expect(tally && verdicts(tally)).toEqual({ passed: 8100, failed: 900, broken: 0, lowestBroken: [] });
});

test.each([
  [{ failOnCompile: true }, 'Scenario "s0" cannot be prepared in a worker: The plug-in is broken.'],
  [
    { exitOnCompile: true },
    'Scenario "s0" cannot be prepared in a worker: worker exited with code 7 while preparing it, 2 times.',
  ],
])('a scenario that cannot be compiled ends the run: %o', async (behaviour, message) => {
  const running = run([{ trials: 100, userCode: true, ...behaviour }]);
  await expect(running).rejects.toMatchObject({ code: 'PLUGIN', message });
});

test('processes that cannot start are an error, never a wait', async () => {
  const running = run([{ trials: 100 }], { workerUrl: new URL('file:///nowhere/worker.js') });
  await expect(running).rejects.toMatchObject({
    code: 'POOL',
    message:
      'Workers cannot be started: their file /nowhere/worker.js is gone, as when passk is installed anew while it runs.',
  });
});

test('what code of the user prints goes where the caller says', async () => {
  const printed: string[] = [];
  await run([{ trials: 3, userCode: true, printAt: [1] }], { onOutput: (text) => printed.push(text) });
  expect(printed.join('')).toBe('hello from trial 1\n');
});
