import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import { ISOLATIONS } from '../../src/types/isolation.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, type FakeScenario, inSmallBlocks } from './a-run.ts';

const CAUSE = 'changed Array.prototype.push, which all code in its worker shares while running this trial';

describe.each(ISOLATIONS)('what all code in a worker shares, in a %s', (isolation) => {
  let worker: Awaited<ReturnType<typeof buildFakeWorker>>;
  beforeAll(async () => {
    worker = await buildFakeWorker(isolation);
  });
  afterAll(() => worker.remove());

  async function run(scenarios: readonly FakeScenario[], workers = 2): Promise<Tally[]> {
    const executor = createWorkersExecutor({ workers, isolation, workerUrl: worker.url });
    try {
      return await collect(executor, aRunPlan(inSmallBlocks(scenarios)));
    } finally {
      await executor.close();
    }
  }

  const culprits = [7, 4200, 4201, 8999];
  const healthy: FakeScenario = { trials: 5000, userCode: true };

  test.each(['breakPushAt', 'sealPushAt'] as const)(
    'breaks the trial that changes it, and no other: %s',
    async (how) => {
      const scenarios: readonly FakeScenario[] = [{ trials: 9000, userCode: true, [how]: culprits }, healthy];
      const tallies = await run(scenarios);
      expect(tallies[0]?.lowestBroken).toEqual(culprits.map((trial) => ({ trial, cause: CAUSE })));
      expect(tallies.map(({ passed, failed, broken }) => [passed, failed, broken])).toEqual([
        [8097, 899, 4],
        [4500, 500, 0],
      ]);
      expect(bytesOf(await run(scenarios, 1))).toEqual(bytesOf(tallies));
    },
  );

  test('breaks the trial of the real world that changes it, and no other in flight', async () => {
    const [tally] = await run([{ trials: 60, io: true, userCode: true, breakPushAt: [7, 8, 40], busyMs: 1 }]);
    expect(tally && [tally.passed, tally.failed, tally.lowestBroken]).toEqual([
      51,
      6,
      [7, 8, 40].map((trial) => ({ trial, cause: CAUSE })),
    ]);
  });

  test('does not keep another scenario from being prepared: a fresh worker has the last word', async () => {
    const tallies = await run(
      [
        { trials: 500, userCode: true, poisonAt: [3] },
        { ...healthy, mindsPoison: true },
      ],
      1,
    );
    expect(tallies.map(({ passed, broken }) => [passed, broken])).toEqual([
      [450, 0],
      [4500, 0],
    ]);
  });
});
