import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSuite } from '../../src/suite/run-suite.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { aShopContract } from '../suite/shop-contract.ts';
import { aWorker } from './a-worker.ts';
import { aFolder } from './run-passk.ts';

describe.skipIf(skipsRedis)('a contract in a queue (needs redis-server)', () => {
  let redis: ARedis;
  beforeAll(async () => {
    redis = await aRedis();
  });
  afterAll(() => redis.stop());

  test('has the report of a run at home', { timeout: 120_000 }, async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'shop.toml'), aShopContract({ trials: 4200, prompts: ['How much is it?'] }));
    const worker = aWorker({ url: redis.url, cwd });
    const { timing, ...queued } = await runSuite({ cwd, queue: { url: redis.url } });
    worker.child.kill('SIGINT');
    await worker.ended;
    const { timing: _, ...home } = await runSuite({ cwd, workers: 0 });
    expect(timing.executor).toBe('queue');
    expect(queued).toEqual(home);
  });
});
