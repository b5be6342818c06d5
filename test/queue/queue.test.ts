import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ProgressEvent, type RunSuiteOptions, runSuite, runWorker, type SuiteReport } from '../../src/index.ts';
import { JOBS_PREFIX, RUNS_KEY, runKeys } from '../../src/queue/queue-keys.ts';
import { removeJobs } from '../../src/queue/remove-run.ts';
import { WorkerRefusals } from '../../src/queue/worker-refusals.ts';
import { aFolder, aGreeting, PASSK } from '../cli/run-passk.ts';
import { askingOnce, aServer, notesIn } from '../effects/granted/an-mcp-server.ts';
import { allGone } from '../support/processes.ts';
import { type ARedis, aRedis, PASSWORD, skipsRedis } from './a-redis.ts';

let redis: ARedis;

describe.skipIf(skipsRedis)('a queue (needs redis-server)', () => {
  beforeAll(async () => {
    redis = await aRedis();
  });
  afterAll(() => redis.stop());

  test.each([1, 2])(
    '%i workers give the bytes of a run without a queue',
    async (count) => {
      const { cwd } = aSuite();
      const plain = await runSuite({ cwd, workers: 0 });
      const { report } = await runQueued({ cwd }, { workers: count });
      expect(withoutTiming(report)).toEqual(withoutTiming(plain));
      expect(report.timing.executor).toBe('queue');
      expect(report.timing.queue?.length).toBeGreaterThan(0);
    },
    60_000,
  );

  test('with --bail the bytes are those of a run without a queue', async () => {
    const { cwd } = aSuite({ lastNode: 'greet' });
    const plain = await runSuite({ cwd, workers: 0, bail: true });
    const { report } = await runQueued({ cwd, bail: true });
    expect(withoutTiming(report)).toEqual(withoutTiming(plain));
  });

  test.each([
    ['true', 1],
    ['sprt', 2],
  ] as const)(
    'with --stop-early (%s) scenarios end where they do without a queue, and what is beyond is not waited for',
    async (rule, workers) => {
      const cwd = aFolder();
      const stopEarly = rule === 'sprt' ? rule : true;
      const some = { name: 'hopeless', lastNode: 'greet', trials: 4_000_000_000 };
      writeFileSync(path.join(cwd, 'a.toml'), aGreeting(some));
      writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'easy', top: 'min_pass_rate = 0.2', trials: 80_000 }));
      writeFileSync(path.join(cwd, 'c.toml'), aGreeting({ name: 'whole', trials: 20_000 }));
      const plain = await runSuite({ cwd, workers: 0, stopEarly });
      const { report } = await runQueued({ cwd, stopEarly }, { workers });
      expect(withoutTiming(report)).toEqual(withoutTiming(plain));
      expect(report.scenarios.map(({ trials }) => trials.executed)).toEqual([
        4096,
        rule === 'sprt' ? 4096 : 16_384,
        20_000,
      ]);
      const ran = (report.timing.queue ?? []).reduce((sum, worker) => sum + worker.trials, 0);
      expect(ran).toBeLessThan(2_000_000_000);
    },
    60_000,
  );

  test('a worker that is killed while it runs a claim costs nothing: others run it again', async () => {
    const { cwd } = aSuite({ trials: 6_000_000 });
    const plain = await runSuite({ cwd, workers: 0 });
    const doomed = spawn(process.execPath, [PASSK, 'worker', '--as', 'doomed', '--workers', '0'], {
      env: { ...process.env, PASSK_QUEUE: redis.url },
      stdio: 'ignore',
    });
    const notices: string[] = [];
    const leave = new AbortController();
    let others: Promise<void> = Promise.resolve();
    const onNotice = (text: string): void => void notices.push(text);
    const onProgress: RunSuiteOptions['onProgress'] = (event) => {
      // It has told how far it is with its claim.
      if (event.kind !== 'progress' || event.done === 0 || doomed.killed) return;
      doomed.kill('SIGKILL');
      others = runWorker({ queue: redis.url, workers: 0, name: 'other', signal: leave.signal });
    };
    try {
      const report = await runSuite({ cwd, onProgress, queue: { url: redis.url, lockMs: 1000, onNotice } });
      expect(withoutTiming(report)).toEqual(withoutTiming(plain));
    } finally {
      doomed.kill('SIGKILL');
      leave.abort();
      await others;
    }
  });

  test('a worker keeps a server over MCP from piece to piece of a run, and it is gone when the run is over', async () => {
    const log = path.join(aFolder(), 'log');
    const asking = askingOnce(aServer('good', { log }), 60);
    const permissions = { run: [process.execPath] };
    const pids = (): readonly number[] => notesIn(log, 'start').map(Number);
    const plain = await runSuite({ scenarios: [asking], permissions, workers: 1 });
    const before = pids().length;
    const { report } = await runQueued(
      { scenarios: [asking], permissions },
      { workers: 2, threads: 1, permissions, whileThere: async () => expect(await allGone(pids())).toBe(true) },
    );
    expect(withoutTiming(report)).toEqual(withoutTiming(plain));
    expect(report.summary.trials).toMatchObject({ executed: 60, passed: 60 });
    const took = (report.timing.queue ?? []).filter(({ trials }) => trials > 0);
    expect(pids().length - before).toBe(took.length);
  });

  test.each(['thread', 'process'] as const)(
    'a worker (%s) ends a server over MCP with the last trial that may ask it, whatever it is at itself',
    async (isolation) => {
      const log = path.join(aFolder(), 'log');
      const other = path.join(aFolder(), 'log');
      const scenarios = [
        askingOnce(aServer('good', { log }), 8),
        askingOnce(aServer('good', { log: other }), 1, 'hang'),
      ];
      const permissions = { run: [process.execPath] };
      const seen: Promise<boolean>[] = [];
      const seeGone = async (): Promise<boolean> => {
        const isGone = await allGone(notesIn(log, 'start').map(Number));
        // The worker is still at its call, so that nothing else has told it.
        expect(notesIn(other, 'cancelled')).toEqual([]);
        await expect.poll(() => notesIn(other, 'call'), { timeout: 60_000 }).toEqual(['hang']);
        process.kill(Number(notesIn(other, 'start')[0]));
        return isGone;
      };
      const onProgress = (event: ProgressEvent): void => {
        if (event.kind === 'progress' && event.done === 8 && seen.length === 0) seen.push(seeGone());
      };
      const { report } = await runQueued(
        { scenarios, permissions, isolation, onProgress },
        { workers: 1, threads: 1, permissions },
      );
      expect(report.summary.trials).toMatchObject({ executed: 9, passed: 8, failed: 1 });
      expect(notesIn(log, 'start')).toHaveLength(1);
      expect(await Promise.all(seen)).toEqual([true]);
    },
  );

  test('a worker with other plug-ins is refused with the reason on both sides', async () => {
    const { cwd } = aSuite();
    const plugin = path.join(cwd, 'more.mjs');
    writeFileSync(plugin, 'export const nothing = [];\n');
    const stop = new AbortController();
    const said: string[] = [];
    const heard: string[] = [];
    const leave = new AbortController();
    const worker = runWorker({
      queue: { url: redis.url, onNotice: (text) => said.push(text) },
      workers: 0,
      name: 'other',
      plugins: [plugin],
      signal: leave.signal,
    });
    const onNotice = (text: string): void => {
      heard.push(text);
      if (text.includes('does not take part')) stop.abort();
    };
    await runSuite({ cwd, queue: { url: redis.url, onNotice }, signal: stop.signal });
    leave.abort();
    await worker;
    expect(heard).toContain('Worker other does not take part: its plug-ins are none, not more.mjs.');
    expect(said.find((text) => text.includes('is refused'))).toMatch(/its plug-ins are none, not more\.mjs\.$/);
  });

  test('runs whose hosts are gone are removed, by whichever of many workers is first, and none is the worse for it', async () => {
    const url = `${redis.url}/1`;
    const client = new Redis(url, { maxRetriesPerRequest: null });
    onTestFinished(() => client.disconnect());
    const runs = Array.from({ length: 20 }, (_, at) => `run-${at.toString(16).padStart(12, '0')}`);
    for (const run of runs) {
      await new Queue(run, { connection: client, prefix: JOBS_PREFIX }).add('blocks', {});
      await client.multi().set(runKeys(run).head, 'x').zadd(RUNS_KEY, 0, run).exec();
    }
    const leave = new AbortController();
    const said: string[] = [];
    const onNotice = (text: string): void => {
      said.push(text);
      if (said.length === runs.length) leave.abort();
    };
    const signal = leave.signal;
    const names = ['one', 'two', 'three'];
    await Promise.all(names.map((name) => runWorker({ queue: { url, onNotice }, workers: 0, name, signal })));
    expect(said.sort()).toEqual(runs.map((run) => `The host of run ${run} is gone; its keys have been removed.`));
    expect(await client.dbsize()).toBe(0);
  });

  test('the jobs of a run are removed by two at once, of whom neither fails', async () => {
    const client = new Redis(`${redis.url}/2`, { maxRetriesPerRequest: null });
    onTestFinished(() => client.disconnect());
    const queues = ['host', 'worker'].map(() => new Queue('run', { connection: client, prefix: JOBS_PREFIX }));
    for (const queue of queues) await queue.add('blocks', {});
    await Promise.all(queues.map((queue) => removeJobs(queue)));
    expect(await client.dbsize()).toBe(0);
  });

  test('a Redis that has no room left ends a run with the reason and what it needs', async () => {
    const { cwd } = aSuite();
    const full = await aRedis();
    onTestFinished(() => full.stop());
    const client = new Redis(full.url);
    await client.config('SET', 'maxmemory', '1');
    client.disconnect();
    await expect(runSuite({ cwd, queue: full.url })).rejects.toMatchObject({
      code: 'QUEUE',
      message: expect.stringContaining(`Redis at redis://127.0.0.1:${full.port} refused a command: `),
      hint: expect.stringContaining('It needs room'),
    });
  });

  test('a wrong password and an absent server end a run with an error that does not hold the password', async () => {
    const { cwd } = aSuite();
    const wrong = redis.url.replace(PASSWORD, 'another-secret');
    await expect(runSuite({ cwd, queue: wrong })).rejects.toMatchObject({
      code: 'QUEUE',
      message: `Redis at redis://127.0.0.1:${redis.port} refuses the user or password.`,
    });
    const absent = { url: 'redis://:another-secret@127.0.0.1:1', outageMs: 300 };
    await expect(runSuite({ cwd, queue: absent })).rejects.toMatchObject({
      code: 'QUEUE',
      message: 'Redis at redis://127.0.0.1:1 has been away for 1 s (ECONNREFUSED).',
    });
  });
});

test('a host without a worker says of those that came and refused who they were and why', () => {
  const refusals = new WorkerRefusals();
  expect(refusals.absence('redis://a:1')).toBe(
    'No worker is there; start some with passk worker and the same queue (redis://a:1).',
  );
  const refused = { x: '{"name":"w1","why":"it needs --allow-env=HOME, which this worker does not grant"}', y: 'junk' };
  expect([...refusals.update(refused), ...refusals.update(refused)]).toEqual([
    'Worker w1 does not take part: it needs --allow-env=HOME, which this worker does not grant.',
  ]);
  expect(refusals.absence('redis://a:1')).toBe(
    'No worker takes part: w1 was there and refused (it needs --allow-env=HOME, which this worker does not grant). ' +
      'Start one that can, with the same queue (redis://a:1).',
  );
});

test('an address that cannot be used is refused without being shown', async () => {
  await expect(runSuite({ queue: 'http://user:secret@host' })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'The address of the queue is no redis:// or rediss:// URL.',
  });
});

function aSuite({ lastNode = 'done', trials = 40_000 } = {}): { readonly cwd: string } {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'one.toml'), aGreeting({ name: 'one', trials }));
  writeFileSync(path.join(cwd, 'two.toml'), aGreeting({ name: 'two', trials: 9_000, lastNode }));
  return { cwd };
}

interface QueuedWorkers extends Pick<RunSuiteOptions, 'permissions'> {
  readonly workers?: number;
  /** Of each worker. */
  readonly threads?: number;
  /** Called when the run is over, before the workers leave. */
  readonly whileThere?: () => Promise<void>;
}

/** A run with this many workers in this process, which come with it and leave after it. */
async function runQueued(
  options: RunSuiteOptions,
  { workers = 1, threads = 0, whileThere, ...may }: QueuedWorkers = {},
): Promise<{ readonly report: SuiteReport }> {
  const leave = new AbortController();
  const names = Array.from({ length: workers }, (_, index) => `worker-${index}`);
  const all = names.map((name) =>
    runWorker({ queue: redis.url, workers: threads, name, signal: leave.signal, ...may }),
  );
  try {
    const report = await runSuite({ ...options, queue: redis.url });
    await whileThere?.();
    return { report };
  } finally {
    leave.abort();
    await Promise.all(all);
  }
}

function withoutTiming({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}
