import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Queue } from 'bullmq';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSuite, runWorker } from '../../src/index.ts';
import { encodeFrame } from '../../src/records/frame.ts';
import { digestOf, identifyPlan, planDigest, scenarioText } from '../../src/records/plan-digest.ts';
import { encodeRunHead } from '../../src/queue/queue-frames.ts';
import { JOBS_PREFIX, RUNS_KEY, runKeys } from '../../src/queue/queue-keys.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import type { PlanIdentity } from '../../src/types/plan-identity.ts';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';
import { type ARedis, aRedis, skipsRedis } from './a-redis.ts';

/** A run that no host has begun, as whoever can write to Redis may forge it. */
const ID = 'forged-0123456789ab';
const KEYS = runKeys(ID);

describe.skipIf(skipsRedis)('whatever Redis holds (needs redis-server)', () => {
  let redis: ARedis;
  let client: Redis;
  let cwd = '';
  let leave = new AbortController();
  let worker: Promise<void> = Promise.resolve();
  let said: string[] = [];
  beforeAll(async () => {
    redis = await aRedis();
    client = new Redis(redis.url);
  });
  beforeEach(async () => {
    await client.flushall();
    cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 20_000 }));
    leave = new AbortController();
    said = [];
    const onNotice = (text: string): void => void said.push(text);
    worker = runWorker({ queue: { url: redis.url, onNotice }, workers: 0, name: 'w', signal: leave.signal });
    worker.catch(() => undefined);
  });
  afterEach(async () => {
    leave.abort();
    await worker;
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  /** The worker takes part in an ordinary run beside all that. */
  const serves = async (): Promise<void> => {
    const report = await runSuite({ cwd, queue: redis.url });
    expect(report.summary.trials).toMatchObject({ executed: 20_000, passed: 20_000 });
    expect(report.timing.queue?.map(({ name }) => name)).toEqual(['w']);
  };
  const says = async (text: string): Promise<void> => {
    for (let beats = 0; beats < 1200 && !said.some((one) => one.includes(text)); beats++) await after(50);
    expect(said.join('\n')).toContain(text);
  };

  /** A head and plans with the right digests, the plan changed by `forge`. */
  const publish = async (forge: (plan: Record<string, unknown>) => unknown = (plan) => plan): Promise<PlanIdentity> => {
    const options = resolveRunOptions({ cwd });
    const { plan } = await prepareRun(options);
    const [scenario] = plan.scenarios;
    if (scenario === undefined) throw new Error('There is no scenario.');
    const text = JSON.stringify(forge(JSON.parse(scenarioText(scenario)) as Record<string, unknown>));
    const own = await identifyPlan(plan, options);
    const scenarios = own.scenarios.map((one) => ({ ...one, digest: digestOf(text) }));
    const identity = { ...own, scenarios };
    const run = { identity, digest: planDigest(identity), root: '', asksWorld: false, lockMs: 1000 };
    const frame = encodeFrame({ kind: 'plan', isPacked: false, bytes: new TextEncoder().encode(text) });
    await client.hset(KEYS.plans, '0', Buffer.from(frame));
    await client.set(KEYS.head, Buffer.from(encodeRunHead(run)));
    await appear();
    return identity;
  };
  const appear = async (): Promise<void> => {
    await client.set(KEYS.alive, '1', 'PX', 60_000);
    await client.zadd(RUNS_KEY, Date.now(), ID);
  };
  const claim = async (...jobs: readonly unknown[]): Promise<void> => {
    const queue = new Queue(ID, { connection: client.duplicate(), prefix: JOBS_PREFIX });
    queue.on('error', () => undefined);
    await queue.addBulk(
      jobs.map((data, at) => ({ name: 'blocks', data, opts: { jobId: `claim-${at}x`, attempts: 2 } })),
    );
    await queue.close();
  };

  test('names that are no runs end no worker; they are removed and named', async () => {
    const names = ['a:b', '', '../x', 'x'.repeat(10_000), '\u001b[2J', 'run', `${ID}:head`, '\ud800'];
    await client.zadd(RUNS_KEY, ...names.flatMap((name, at) => [at, name]));
    await says('entries that are no runs; they were removed');
    expect(await client.zcard(RUNS_KEY)).toBe(0);
    await serves();
  });

  test('a list of runs of another type ends no worker', async () => {
    await client.set(RUNS_KEY, 'x');
    await says('passk:runs holds something that passk did not write');
    await client.del(RUNS_KEY);
    await serves();
  });

  test.each(Object.keys(KEYS) as (keyof typeof KEYS)[])(
    'a run whose %s are of another type ends no worker',
    async (key) => {
      await publish();
      await client.del(KEYS[key]);
      if (['head', 'alive', 'askers'].includes(key)) await client.hset(KEYS[key], 'x', 'y');
      else await client.set(KEYS[key], 'x');
      await claim({ spans: [[0, 0, 1]] });
      await after(1500);
      await serves();
    },
    60_000,
  );

  test.each([
    'wait',
    'active',
    'meta',
    'id',
    'marker',
    'stalled',
    'events',
    'claim-0x',
    'failed',
    'prioritized',
    'delayed',
  ])(
    'a queue whose %s is of another type ends no worker',
    async (key) => {
      await publish();
      await claim({ spans: [[0, 0, 1]] });
      const name = `${JOBS_PREFIX}:${ID}:${key}`;
      const type = await client.type(name);
      await client.del(name);
      if (type === 'string') await client.hset(name, 'x', 'y');
      else await client.set(name, 'x');
      await after(1500);
      await serves();
    },
    60_000,
  );

  test('bytes of any kind as a head end no worker', async () => {
    for (const bytes of ['', 'x', '\u0000'.repeat(1000), Buffer.from(encodeFrame({ kind: 'passk-queue' }))]) {
      await client.set(KEYS.head, bytes);
      await appear();
      await says(`Run ${ID} is refused`);
      await client.zrem(RUNS_KEY, ID);
      await after(400);
    }
    await serves();
  });

  test('claims of any shape end no worker', async () => {
    await publish();
    const spans = [
      [[0, 0, Number.MAX_SAFE_INTEGER]],
      [[0, 5, 2]],
      [[7, 0, 1]],
      [[0, 1_000_000, 1_000_001]],
      [[-1, 0, 1]],
      [],
      'x',
      null,
      [[0, 0, 1, 2]],
      [[0.5, 0, 1]],
    ];
    await claim(...spans.map((one) => ({ spans: one })), {}, null, 'x', 5);
    await after(2500);
    await serves();
  });

  test('plans with the right digest and any contents end no worker', async () => {
    // Seeded by hand: a failure must be the same the next time.
    for (const [seed, text] of fc
      .sample(fc.constantFrom('null', '5', '"x"', '[]', '{}', '-1', '1e300', 'true'), {
        numRuns: 12,
        seed: 7,
      })
      .entries()) {
      await client.flushall();
      await after(400);
      await publish((plan) => withOtherPart(plan, seed, JSON.parse(text) as unknown));
      await claim({ spans: [[0, 0, 1]] });
      await after(600);
    }
    await client.flushall();
    await serves();
  });

  test('a host says what is wrong where a key of its own is of another type', async () => {
    leave.abort();
    await worker;
    await client.set(RUNS_KEY, 'x');
    const { status, stderr } = await runPassk(['a.toml'], { cwd, env: { PASSK_QUEUE: redis.url } });
    expect(status).toBe(2);
    expect(stderr).toContain('WRONGTYPE');
    expect(stderr).toContain('Something else writes to keys that begin with passk');
    expect(stderr).not.toContain('internal error');
  });

  test('what a worker says of itself goes away by itself', async () => {
    await publish();
    await says(`Takes part in run ${ID}`);
    await expect.poll(() => client.pttl(KEYS.workers), { timeout: 60_000 }).toBeGreaterThan(0);
  });
});

/** The plan with one of its parts, by turns, replaced. */
function withOtherPart(plan: Record<string, unknown>, seed: number, value: unknown): unknown {
  const paths: string[][] = [];
  const walk = (part: unknown, path: readonly string[]): void => {
    if (path.length > 0) paths.push([...path]);
    if (typeof part === 'object' && part !== null)
      for (const [key, inner] of Object.entries(part)) walk(inner, [...path, key]);
  };
  walk(plan, []);
  const chosen = paths[(seed * 7919) % paths.length] ?? [];
  const copy = structuredClone(plan);
  let holder: Record<string, unknown> = copy;
  for (const key of chosen.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  holder[chosen.at(-1) ?? ''] = value;
  return copy;
}
