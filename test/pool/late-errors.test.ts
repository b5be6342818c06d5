import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import { ISOLATIONS } from '../../src/types/isolation.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, type FakeScenario, inSmallBlocks } from './a-run.ts';
import type { LateThrow } from './fixtures/fake-program.ts';

const RIGHT_AFTER: readonly LateThrow[] = ['immediate', 'microtask', 'tick', 'rejection', 'async'];
const TOO_LATE: readonly LateThrow[] = ['timer', 'two-turns', 'read', 'promised-read'];

const verdicts = ({ passed, failed, broken }: Tally): readonly number[] => [passed, failed, broken];
const brokenByThrow = (trial: number): object => ({
  trial,
  cause: 'did not catch Error "too late" while running this trial',
});

describe.each(ISOLATIONS)('an error that nobody catches, in a %s', (isolation) => {
  let worker: Awaited<ReturnType<typeof buildFakeWorker>>;
  beforeAll(async () => {
    worker = await buildFakeWorker(isolation);
  });
  afterAll(() => worker.remove());

  async function run(scenarios: readonly FakeScenario[], workers = 2): Promise<{ tallies: Tally[]; printed: string }> {
    let printed = '';
    const executor = createWorkersExecutor({
      workers,
      isolation,
      ...(scenarios.some(({ hangLaterAt }) => hangLaterAt !== undefined) && { hangTimeoutMs: 1500 }),
      workerUrl: worker.url,
      onOutput: (text) => {
        printed += text;
      },
    });
    try {
      return { tallies: await collect(executor, aRunPlan(inSmallBlocks(scenarios))), printed };
    } finally {
      await executor.close();
    }
  }

  // In two blocks, the first of them in its second slice; neighbours among them, and the last trial of all. Each trial of a
  // bad block is tried alone.
  const culprits = [100, 4200, 4201, 4299];
  const healthy: FakeScenario = { trials: 5000, userCode: true };

  test('right after a trial breaks this trial alone, in whatever way it comes', async () => {
    const bad = RIGHT_AFTER.map(
      (throwsBy): FakeScenario => ({ trials: 4300, userCode: true, throwLaterAt: culprits, throwsBy }),
    );
    const { tallies } = await run([...bad, healthy]);
    const brokenIn = (at: number): unknown => tallies[at]?.lowestBroken;
    expect(Object.fromEntries(RIGHT_AFTER.map((throwsBy, at) => [throwsBy, brokenIn(at)]))).toEqual(
      Object.fromEntries(RIGHT_AFTER.map((throwsBy) => [throwsBy, culprits.map(brokenByThrow)])),
    );
    expect(tallies.map(verdicts)).toEqual([...RIGHT_AFTER.map(() => [3867, 429, 4]), [4500, 500, 0]]);
  });

  test('right after a trial gives the same bytes for any number of workers', async () => {
    const bad: FakeScenario = {
      trials: 4300,
      userCode: true,
      throwLaterAt: culprits,
      throwsBy: 'async',
      blockSize: 4096,
    };
    const [two, one] = [await run([bad, healthy]), await run([bad, healthy], 1)];
    expect(bytesOf(one.tallies)).toEqual(bytesOf(two.tallies));
  });

  test('right after a trial of the real world breaks this trial alone, in whatever way it comes', async () => {
    const bad = RIGHT_AFTER.map(
      (throwsBy): FakeScenario => ({ trials: 60, io: true, userCode: true, throwLaterAt: [7, 8, 40], throwsBy }),
    );
    const { tallies } = await run(bad);
    const told = tallies.map(({ passed, failed, lowestBroken }) => [passed, failed, lowestBroken]);
    expect(Object.fromEntries(RIGHT_AFTER.map((throwsBy, at) => [throwsBy, told[at]]))).toEqual(
      Object.fromEntries(RIGHT_AFTER.map((throwsBy) => [throwsBy, [51, 6, [7, 8, 40].map(brokenByThrow)]])),
    );
  });

  test('later than that counts for no trial, in whatever way it comes', async () => {
    const bad = TOO_LATE.map(
      (throwsBy): FakeScenario => ({ trials: 4300, userCode: true, throwLaterAt: culprits, throwsBy, busyMs: 0.01 }),
    );
    const { tallies } = await run([...bad, healthy]);
    expect(Object.fromEntries([...TOO_LATE, 'healthy'].map((how, at) => [how, tallies.map(verdicts)[at]]))).toEqual({
      ...Object.fromEntries(TOO_LATE.map((throwsBy) => [throwsBy, [3870, 430, 0]])),
      healthy: [4500, 500, 0],
    });
  });

  test('code that hangs right after its trial costs this trial alone', async () => {
    const bad: FakeScenario = { trials: 5000, userCode: true, hangLaterAt: [7, 4200] };
    const { tallies } = await run([bad, healthy]);
    expect(tallies.map(verdicts)).toEqual([
      [4498, 500, 2],
      [4500, 500, 0],
    ]);
    expect(tallies[0]?.lowestBroken).toEqual([7, 4200].map((trial) => ({ trial, cause: 'no answer within 1500 ms' })));
  });

  test('code that hangs a turn later costs time, and no trial', async () => {
    const bad: FakeScenario = { trials: 5000, userCode: true, hangLaterAt: [7, 4200], hangsIn: 2 };
    const { tallies } = await run([bad, healthy]);
    expect(tallies.map(verdicts)).toEqual([
      [4500, 500, 0],
      [4500, 500, 0],
    ]);
  });

  test('a worker that is ended by what a trial left behind costs no other trial', async () => {
    const bad: FakeScenario = { trials: 4300, userCode: true, throwLaterAt: [7, 4200], throwsBy: 'exit-in-two-turns' };
    const { tallies } = await run([bad]);
    expect(tallies.map(verdicts)).toEqual([[3870, 430, 0]]);
  });

  test('later than that is printed, unless it was a timer: time does not pass in such a scenario', async () => {
    const late = (throwsBy: LateThrow): FakeScenario => ({
      trials: 200,
      userCode: true,
      throwLaterAt: [3],
      throwsBy,
      busyMs: 2,
    });
    const { printed } = await run([late('timer'), late('read')], 1);
    expect(printed).toBe('An error that no trial waited for any more counts for none: Error "too late"\n');
  });
});
