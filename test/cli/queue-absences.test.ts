import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { type ARedis, type ARedisOptions, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { aSlowSuite, SLOW, SLOW_FLAGS, SLOW_PLUGINS } from '../queue/a-slow-suite.ts';
import { aWorker } from './a-worker.ts';

describe.skipIf(skipsRedis)('in the middle of a run, a Redis that (needs redis-server)', () => {
  test('hangs for a while costs nothing but time', async () => {
    const { report } = await disturbed(await started(), async (redis) => {
      redis.pause();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      redis.goOn();
    });
    expect(report).toEqual(await plain());
  });

  test('is killed and comes back with its data is waited for; the same bytes', async () => {
    const { report, notices } = await disturbed(await started({ isDurable: true }), (redis) =>
      redis.restart({ keepsData: true, awayMs: 1_500 }),
    );
    expect(report).toEqual(await plain());
    expect(notices.filter((text) => text.startsWith('Redis'))).toEqual([
      expect.stringMatching(/ is away \(.+\); waiting up to 30 s for it\.$/),
      expect.stringMatching(/ is back\.$/),
    ]);
  });

  test('is killed and comes back empty gets the run again; the same bytes', async () => {
    const { report, notices } = await disturbed(await started(), (redis) =>
      redis.restart({ keepsData: false, awayMs: 0 }),
    );
    expect(report).toEqual(await plain());
    expect(notices).toContain('Redis has forgotten this run; it is published again.');
  });

  test.each(['hangs', 'ends'] as const)(
    '%s for good ends a worker that is about to leave, after the limit',
    async (how) => {
      const redis = await started();
      const cwd = aSuite();
      writeFileSync(path.join(cwd, 'worker.mjs'), WORKER);
      const worker = spawn(process.execPath, ['worker.mjs', redis.url], {
        cwd,
        env: { ...process.env, ...SLOW },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = text(worker.stdout);
      const ended = once(worker, 'exit');
      let isGone: Promise<void> | null = null;
      const queue = { url: redis.url, lockMs: 1_000, outageMs: 2_000 };
      const run = runSuite({
        cwd,
        plugins: SLOW_PLUGINS,
        queue,
        onProgress: (event) => {
          if (event.kind !== 'progress' || event.done === 0) return;
          isGone ??= (async () => {
            if (how === 'hangs') redis.pause();
            else await redis.stop();
            worker.kill('SIGTERM');
          })();
        },
      });
      await expect(run).rejects.toMatchObject({ code: 'QUEUE' });
      await isGone;
      expect(await ended).toEqual([0, null]);
      expect(await said).toContain('QUEUE');
    },
  );

  test('hangs for good ends the run after the limit, with the reason', async () => {
    const redis = await started();
    const outcome = disturbed(redis, async () => redis.pause(), { outageMs: 2_000 });
    await expect(outcome).rejects.toMatchObject({
      code: 'QUEUE',
      message: `Redis at redis://127.0.0.1:${redis.port} has been away for 2 s (no answer).`,
    });
  });
});

/** A worker of a program, which ends by itself once its part is over. */
const WORKER = `
import { runWorker } from ${JSON.stringify(new URL('../../dist/src/index.js', import.meta.url).href)};
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
try {
  await runWorker({
    queue: { url: process.argv[2], outageMs: 2000 }, plugins: ${JSON.stringify(SLOW_PLUGINS)}, workers: 1, signal: stop.signal,
  });
} catch (error) {
  console.log(error.code);
}
`;

let plainReport: Promise<unknown> | null = null;

/** What a run of it reports that nothing disturbs. */
function plain(): Promise<unknown> {
  plainReport ??= runSuite({ cwd: aSuite(), plugins: SLOW_PLUGINS }).then(untimed);
  return plainReport;
}

/** Several claims of about a second each: a run that is over before it is disturbed shows nothing. */
const aSuite = (): string => aSlowSuite({ blocks: 40 });

/** A server that ends with the test. */
async function started(options?: ARedisOptions): Promise<ARedis> {
  const redis = await aRedis(options);
  onTestFinished(() => redis.stop());
  return redis;
}

/** Runs a suite by a worker process; `disturb` is called when its first trials have run. */
async function disturbed(
  redis: ARedis,
  disturb: (redis: ARedis) => Promise<void>,
  { outageMs = 30_000 }: { readonly outageMs?: number } = {},
): Promise<{ readonly report: unknown; readonly notices: readonly string[] }> {
  const cwd = aSuite();
  aWorker({ url: redis.url, cwd, flags: SLOW_FLAGS, env: SLOW });
  const notices: string[] = [];
  let done: Promise<void> | null = null;
  const report = await runSuite({
    cwd,
    plugins: SLOW_PLUGINS,
    queue: { url: redis.url, lockMs: 1_000, outageMs, onNotice: (text) => notices.push(text) },
    onProgress: (event) => {
      if (event.kind === 'progress' && event.done > 0) done ??= disturb(redis);
    },
  });
  expect(done).not.toBeNull();
  await done;
  return { report: untimed(report), notices };
}

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}
