import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { type ARedis, aRedis, skipsRedis } from '../pool/a-redis.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aWorker, type AWorker } from './a-worker.ts';
import { aFolder, aGreeting } from './run-passk.ts';

/** Faults of all lanes. */
const SHARE = 16;
/** Herds of workers that are struck side by side, each with a database of its own. */
const LANES = [0, 1];
const HERD = 3;
/** A block that is lost three times is broken, and rightly so: a run gets fewer blows than that. */
const BLOWS_PER_RUN = 2;
const LOCK_MS = 1_000;
const BLOWS = ['kill -9', 'kill -9', 'stall', 'SIGINT'] as const;

describe.skipIf(skipsRedis)('the workers of a queue (needs redis-server)', () => {
  let redis: ARedis;
  beforeAll(async () => {
    redis = await aRedis();
  });
  afterAll(() => redis.stop());

  const points = faultPoints(SHARE);
  test(
    `may be killed, stalled and sent away at ${points} seeded moments; the bytes are those of an undisturbed run`,
    async () => {
      const cwd = aFolder();
      writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ name: 'a', trials: 12_000_000 }));
      writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'b', trials: 4_000_000, lastNode: 'greet' }));
      const plain = untimed(await runSuite({ cwd }));
      const perLane = Math.ceil(points / LANES.length);
      let landed = 0;
      const lanes = LANES.map(async (lane) => {
        const url = `${redis.url}/${lane}`;
        const herd = Array.from({ length: HERD }, () => aWorker({ url }));
        const dice = faultDice(`queue ${lane}`);
        for (let blows = 0; blows < perLane; ) {
          const plans = Array.from({ length: Math.min(BLOWS_PER_RUN, perLane - blows) }, () => ({
            blow: BLOWS[dice() % BLOWS.length] ?? 'kill -9',
            victim: dice() % HERD,
            ms: dice() % 300,
          }));
          let isOver = false;
          let striking: Promise<void> | null = null;
          const strike = async (): Promise<void> => {
            for (const { blow, victim, ms } of plans) {
              await after(ms);
              // A run that was over sooner has had its turn: nothing here may go on until the dice please.
              blows++;
              if (isOver) continue;
              landed++;
              const worker = herd[victim];
              if (worker !== undefined) herd[victim] = struck(worker, blow, url);
            }
          };
          const report = await runSuite({
            cwd,
            queue: { url, lockMs: LOCK_MS },
            onProgress: (event) => {
              if (event.kind === 'progress' && event.done > 0) striking ??= strike();
            },
          });
          isOver = true;
          await striking;
          expect(untimed(report)).toEqual(plain);
        }
        for (const { child } of herd) child.kill('SIGKILL');
      });
      await Promise.all(lanes);
      expect(landed).toBeGreaterThan(0);
    },
    10_000 * points,
  );
});

/** Strikes a worker; returns the one that now stands in its place. */
function struck(worker: AWorker, blow: (typeof BLOWS)[number], url: string): AWorker {
  if (blow === 'stall') {
    worker.child.kill('SIGSTOP');
    setTimeout(() => worker.child.kill('SIGCONT'), 2 * LOCK_MS);
    return worker;
  }
  worker.child.kill(blow === 'kill -9' ? 'SIGKILL' : 'SIGINT');
  return aWorker({ url });
}

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}
