import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSuite } from '../../src/suite/run-suite.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { aWorker } from './a-worker.ts';
import { aFolder } from './run-passk.ts';

/** A subject and a kind of suite that passk knows nothing of. */
const PARROTS = fileURLToPath(new URL('../seams/parrots.mjs', import.meta.url));

describe.skipIf(skipsRedis)('a suite and a subject of plug-ins in a queue (needs redis-server)', () => {
  let redis: ARedis;
  beforeAll(async () => {
    redis = await aRedis();
  });
  afterAll(() => redis.stop());

  function aSuite(): string {
    const cwd = aFolder();
    const parrot = 'tired = 0.3\ntrials = 60\nphrases = ["good day", "pretty bird", "die"]\n';
    writeFileSync(path.join(cwd, 'coco.toml'), `[parrot]\nname = "Coco"\n${parrot}`);
    return cwd;
  }

  test('have the report of a run at home', { timeout: 120_000 }, async () => {
    const cwd = aSuite();
    const options = { cwd, plugins: [PARROTS], seed: 5 };
    const workers = [1, 2].map(() => aWorker({ url: redis.url, cwd, flags: ['--plugin', PARROTS] }));
    const { timing, ...queued } = await runSuite({ ...options, queue: { url: redis.url } });
    for (const worker of workers) worker.child.kill('SIGINT');
    for (const worker of workers) await worker.ended;
    const { timing: _, ...home } = await runSuite({ ...options, workers: 1 });
    expect(timing.executor).toBe('queue');
    expect(queued.results).toMatchObject([{ name: 'Coco', verdict: 'insufficient' }]);
    expect(queued).toEqual(home);
  });
});
