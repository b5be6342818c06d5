import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { aBadLine, type BadLine } from '../support/bad-line.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aWorker, type AWorker } from './a-worker.ts';
import { aFolder, aGreeting } from './run-passk.ts';

/** Faults of all lanes. */
const SHARE = 20;
/** Herds of workers that are struck side by side with their host, each with a database of its own. */
const LANES = [0, 1];
const HERD = 3;
/** A block that is lost three times is broken, and rightly so: a run gets fewer blows than that. */
const BLOWS_PER_RUN = 2;
const LOCK_MS = 1_000;
const BLOWS = ['kill -9', 'stall', 'SIGINT', 'cut', 'cut the host'] as const;
type Blow = (typeof BLOWS)[number];

/** A worker on a line of its own. */
interface Member {
  readonly line: BadLine;
  readonly worker: AWorker;
}

describe.skipIf(skipsRedis)('the workers of a queue (needs redis-server)', () => {
  let redis: ARedis;
  beforeAll(async () => {
    redis = await aRedis();
  });
  afterAll(() => redis.stop());

  const points = faultPoints(SHARE);
  test(
    `may be killed, stalled, sent away and cut off, and so may their host, at ${points} seeded moments; the bytes are those of an undisturbed run`,
    async () => {
      const cwd = aFolder();
      writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ name: 'a', trials: 12_000_000 }));
      writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'b', trials: 4_000_000, lastNode: 'greet' }));
      const plain = untimed(await runSuite({ cwd }));
      const perLane = Math.ceil(points / LANES.length);
      let landed = 0;
      const lanes = LANES.map(async (lane) => {
        const urlOn = ({ port }: BadLine): string => redis.url.replace(/:\d+$/, `:${port}/${lane}`);
        const hostLine = await aLine(redis.port);
        const herd: Member[] = [];
        while (herd.length < HERD) {
          const line = await aLine(redis.port);
          herd.push({ line, worker: aWorker({ url: urlOn(line) }) });
        }
        const dice = faultDice(`queue ${lane}`);
        for (let blows = 0; blows < perLane; ) {
          const plans = Array.from({ length: Math.min(BLOWS_PER_RUN, perLane - blows) }, (_, index) => ({
            // Each lane has all of them in turn.
            blow: BLOWS[(lane + blows + index) % BLOWS.length] ?? 'kill -9',
            victim: dice() % HERD,
            ms: dice() % 300,
            cut: { ms: dice() % (3 * LOCK_MS), silently: dice() % 2 === 0 },
          }));
          let isOver = false;
          let striking: Promise<void> | null = null;
          const strike = async (): Promise<void> => {
            for (const { blow, victim, ms, cut } of plans) {
              await after(ms);
              // A run that was over sooner has had its turn: nothing here may go on until the dice please.
              blows++;
              if (isOver) continue;
              landed++;
              const member = herd[victim];
              if (blow === 'cut the host') hostLine.cut(cut);
              else if (blow === 'cut') member?.line.cut(cut);
              else if (member !== undefined) herd[victim] = struck(member, blow, urlOn(member.line));
            }
          };
          const report = await runSuite({
            cwd,
            queue: { url: urlOn(hostLine), lockMs: LOCK_MS },
            onProgress: (event) => {
              if (event.kind === 'progress' && event.done > 0) striking ??= strike();
            },
          });
          isOver = true;
          await striking;
          expect(untimed(report)).toEqual(plain);
        }
        for (const { worker } of herd) worker.child.kill('SIGKILL');
      });
      await Promise.all(lanes);
      expect(landed).toBeGreaterThan(0);
    },
    10_000 * points,
  );
});

/** Strikes a worker; returns the one that now stands in its place. */
function struck({ line, worker }: Member, blow: Exclude<Blow, 'cut' | 'cut the host'>, url: string): Member {
  if (blow === 'stall') {
    worker.child.kill('SIGSTOP');
    setTimeout(() => worker.child.kill('SIGCONT'), 2 * LOCK_MS);
    return { line, worker };
  }
  worker.child.kill(blow === 'kill -9' ? 'SIGKILL' : 'SIGINT');
  return { line, worker: aWorker({ url }) };
}

/** A line that is closed with the test. */
async function aLine(to: number): Promise<BadLine> {
  const line = await aBadLine(to);
  onTestFinished(() => line.close());
  return line;
}

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}
