import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { decodeAnswer, encodeAnswer } from '../../src/queue/queue-frames.ts';
import { decodeTally, encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { describeProgram } from '../../src/trial/describe-program.ts';
import { shapeOf } from '../../src/trial/tally/tally-shape.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import { type ARedis, aRedis, PASSWORD, skipsRedis } from '../queue/a-redis.ts';
import { aSlowSuite, SLOW, SLOW_FLAGS, SLOW_PLUGINS } from '../queue/a-slow-suite.ts';
import { aWorker, type AWorker, type AWorkerOptions } from './a-worker.ts';
import { aFolder, runPassk } from './run-passk.ts';
import { judged } from '../support/sampled.ts';

/** More blocks than anybody runs before a test disturbs it. */
const ENDLESS = 1_000_000;
/** Many enough that a worker leaves, or a host is killed, long before the end. */
const LONG = 30;

describe.skipIf(skipsRedis)('passk run --queue (needs redis-server)', () => {
  let redis: ARedis;
  let client: Redis;
  beforeAll(async () => {
    redis = await aRedis();
    client = new Redis(redis.url);
  });
  beforeEach(async () => void (await client.flushall()));
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  let undisturbedRun: Promise<unknown> | null = null;
  /** What a long suite reports that nothing disturbs. */
  const undisturbed = (): Promise<unknown> => {
    undisturbedRun ??= runSuite({ cwd: aSlowSuite({ blocks: LONG }), plugins: SLOW_PLUGINS }).then(untimed);
    return undisturbedRun;
  };

  let undisturbedPoisonRun: Promise<SuiteReport> | null = null;
  /** What a poisoned suite reports in processes, without a queue. */
  const undisturbedPoison = (): Promise<SuiteReport> => {
    const options = { plugins: ['./nodes.mjs'], isolation: 'process', workers: 1 } as const;
    undisturbedPoisonRun ??= runSuite({ cwd: aPoisonedSuite(), ...options });
    return undisturbedPoisonRun;
  };

  const runs = (cwd: string, args: readonly string[], meanwhile?: (stop: (signal: NodeJS.Signals) => void) => void) =>
    runPassk(['run', '.', '--json', ...SLOW_FLAGS, ...args], {
      cwd,
      env: { PASSK_QUEUE: redis.url },
      meanwhile: (child) => meanwhile?.((signal) => child.kill(signal)),
    });

  test('a node that takes worker after worker down costs its block; all else is as in an undisturbed run', async () => {
    const cwd = aPoisonedSuite();
    const plain = await undisturbedPoison();
    expect(countsOf(plain)).toEqual([
      ['bad', 11_999, 1],
      ['good', 9_000, 0],
    ]);
    let deaths = 0;
    let isOver = false;
    const supervise = async (): Promise<void> => {
      while (!isOver) {
        const worker = aWorker({ url: redis.url, cwd, flags: ['--plugin', './nodes.mjs'] });
        current = worker;
        if ((await worker.ended).signal === 'SIGABRT') deaths++;
      }
    };
    let current: AWorker | null = null;
    const supervised = supervise();
    const report = await runSuite({ cwd, plugins: ['./nodes.mjs'], queue: { url: redis.url, lockMs: 2500 } });
    isOver = true;
    (current as AWorker | null)?.child.kill('SIGINT');
    await supervised;
    // A worker that a busy machine keeps from its beats is given up as a dead one is.
    expect([1, 2, 3]).toContain(deaths);
    expect(countsOf(report)).toEqual([
      ['bad', 12_000 - 4096, 4096],
      ['good', 9_000, 0],
    ]);
    expect(judged(report.scenarios[0]).failures[0]?.brokenBy).toBe(
      'its block has cost 3 worker processes, or they went silent in it',
    );
    expect(report.scenarios[1]).toEqual(plain.scenarios[1]);
  });

  test('with --isolation process on the worker it costs one trial and no worker', async () => {
    const cwd = aPoisonedSuite();
    const plain = await undisturbedPoison();
    const flags = ['--plugin', './nodes.mjs', '--isolation', 'process', '--once'];
    const worker = aWorker({ url: redis.url, cwd, flags });
    const report = await runSuite({ cwd, plugins: ['./nodes.mjs'], isolation: 'process', queue: redis.url });
    expect(untimed(report)).toEqual(untimed(plain));
    expect(await worker.ended).toEqual({ status: 0, signal: null });
  });

  test('so does a scenario that asks for a process, on a worker that runs threads', async () => {
    const cwd = aPoisonedSuite('isolation = "process"');
    const plain = await undisturbedPoison();
    const worker = aWorker({ url: redis.url, cwd, flags: ['--plugin', './nodes.mjs', '--once'] });
    const report = await runSuite({ cwd, plugins: ['./nodes.mjs'], queue: redis.url });
    expect(untimed(report)).toEqual(untimed(plain));
    expect(await worker.ended).toEqual({ status: 0, signal: null });
  });

  test('Ctrl-C on the host reports what has come, ends with 130 and leaves no key behind', async () => {
    const cwd = aSlowSuite({ blocks: ENDLESS });
    const worker = aSlowWorker({ url: redis.url, cwd });
    const { status, stdout } = await runs(cwd, [], (stop) => void somethingRan(client).then(() => stop('SIGINT')));
    const { partial, summary } = JSON.parse(stdout) as SuiteReport;
    expect({ status, partial }).toEqual({ status: 130, partial: true });
    expect(summary.trials.executed).toBeGreaterThan(0);
    worker.child.kill('SIGINT');
    expect(await worker.ended).toEqual({ status: 0, signal: null });
    expect(await client.keys('*')).toEqual([]);
  });

  test('Ctrl-C on a worker lets it finish its claim and leave; others go on to the same bytes', async () => {
    const cwd = aSlowSuite({ blocks: LONG });
    const plain = await undisturbed();
    const first = aSlowWorker({ url: redis.url, cwd, flags: ['--as', 'first'] });
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', ...SLOW_FLAGS], {
      cwd,
      env: { PASSK_QUEUE: redis.url },
      meanwhile: (host) => {
        host.stderr?.once('data', () => first.child.kill('SIGINT'));
        void first.ended.then(() => aSlowWorker({ url: redis.url, cwd, flags: ['--as', 'second'] }));
      },
    });
    expect(status).toBe(1);
    expect(untimed(JSON.parse(stdout))).toEqual(plain);
    expect(await first.ended).toEqual({ status: 0, signal: null });
    expect(stderr).toMatch(/^passk: Worker first takes part with 0 threads\.\npassk: Worker first has left\.\n/);
    expect(stderr).not.toContain('gone silent');
  });

  test.each([
    ['with the queue', true],
    ['without it', false],
  ])(
    'a host that is killed goes on from its journal, %s, to the same bytes',
    async (_, isQueued) => {
      const cwd = aSlowSuite({ blocks: LONG });
      const plain = await undisturbed();
      aSlowWorker({ url: redis.url, cwd });
      const journal = ['--journal', 'kept'];
      const file = path.join(cwd, 'kept', 'run.journal');
      const killed = await runs(cwd, journal, (stop) => void hasGrown(file).then(() => stop('SIGKILL')));
      expect({ signal: killed.signal, stdout: killed.stdout }).toEqual({ signal: 'SIGKILL', stdout: '' });
      const resume = ['run', '.', '--json', ...SLOW_FLAGS, ...journal, '--resume'];
      const resumed = await runPassk(resume, { cwd, env: isQueued ? { PASSK_QUEUE: redis.url } : {} });
      expect(resumed.stderr).toMatch(/passk: [1-9]\d* trials are in the journal;/);
      expect(untimed(JSON.parse(resumed.stdout))).toEqual(plain);
    },
    60_000,
  );

  test('a result that contradicts another ends the host with 4, naming the blocks', async () => {
    const cwd = aSlowSuite({ blocks: ENDLESS });
    aSlowWorker({ url: redis.url, cwd });
    const { status, stdout, stderr } = await runs(cwd, [], () => void contradict(redis.url, cwd));
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toMatch(
      /Blocks \d+ to \d+ of "a" gave two different results, which a repeatable program never does/,
    );
    expect(await client.keys('*:run:*:head')).toEqual([]);
  });

  test('a result that is damaged ends the host with 4', async () => {
    const cwd = aSlowSuite({ blocks: ENDLESS });
    const { status, stdout, stderr } = await runs(cwd, [], () => {
      void firstRun(client).then((key) => client.xadd(`${key}results`, '*', 'frame', Buffer.from('no frame')));
    });
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain('A result arrived that is damaged or of another plan.');
  });

  test('a Redis that is gone for good ends both sides with 2 and the reason, without its password', async () => {
    const doomed = await aRedis();
    onTestFinished(() => doomed.stop());
    const eye = new Redis(doomed.url);
    eye.on('error', () => undefined);
    onTestFinished(() => eye.disconnect());
    const cwd = aSlowSuite({ blocks: ENDLESS });
    const worker = aSlowWorker({ url: doomed.url, cwd, flags: ['--queue-timeout', '2'] });
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', ...SLOW_FLAGS, '--queue-timeout', '2'], {
      cwd,
      env: { PASSK_QUEUE: doomed.url },
      meanwhile: () => void somethingRan(eye).then(() => doomed.stop()),
    });
    const where = `Redis at redis://127.0.0.1:${doomed.port}`;
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(await worker.ended).toEqual({ status: 2, signal: null });
    for (const said of [stderr, worker.said()]) {
      expect(said).toMatch(/is away \(.+\); waiting up to 2 s for it\./);
      expect(said).toMatch(new RegExp(`${where} has been away for 2 s \\(ECONN\\w+\\)\\.`));
      expect(said).not.toContain(PASSWORD);
    }
  });
});

/** A worker of a slow suite. */
function aSlowWorker({ flags = [], ...options }: AWorkerOptions): AWorker {
  return aWorker({ flags: [...SLOW_FLAGS, ...flags], env: SLOW, ...options });
}

/** One trial of the first scenario, in its second block, draws the answer that its node dies of. */
function aPoisonedSuite(top = ''): string {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `export const trouble = {
  kind: 'node', type: 'trouble', summary: 'Trouble.', needs: () => [], labels: () => [],
  create: () => ({
    reads: [{ from: 'path', path: 'ask.content' }],
    begin: ([answer]) => {
      // A thread cannot abort its process; it can have it ended.
      if (answer === 'poison') process.kill(process.pid, 'SIGABRT');
      return { kind: 'done', output: answer };
    },
  }),
};
`,
  );
  const turn = `[[intel.turns]]
variants = [{ content = "fine", weight = 11999 }, { content = "poison", weight = 1 }]
`;
  // With this seed trial 7,441 alone is poisoned.
  writeFileSync(path.join(cwd, 'a.toml'), aModelCase({ name: 'bad', trials: 12_000, turn, top: `seed = 6\n${top}` }));
  const fine = '[[intel.turns]]\ncontent = "fine"\n';
  writeFileSync(path.join(cwd, 'b.toml'), aModelCase({ name: 'good', trials: 9_000, turn: fine }));
  return cwd;
}

interface ModelCase extends Readonly<Record<'name' | 'turn', string>> {
  readonly trials: number;
  readonly top?: string;
}

function aModelCase({ name, trials, turn, top = '' }: ModelCase): string {
  return `name = "${name}"
${top}
trials = ${trials}
[workflow]
inline = '''
name = "${name}"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Ask."
[[nodes]]
id = "use"
type = "trouble"
[[edges]]
from = "ask"
to = "use"
'''
[trigger]
kind = "manual"
${turn}
[expected]
status = "completed"
`;
}

const countsOf = ({ scenarios }: SuiteReport) =>
  scenarios.map(({ name, trials: { passed, broken } }) => [name, passed, broken]);

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}

/** The first part of the keys of the run that is there, as soon as there is one. */
async function firstRun(client: Redis): Promise<string> {
  for (;;) {
    const [id] = await client.zrange('passk:runs', '0', '0');
    if (id !== undefined) return `passk:run:${id}:`;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Resolves when a worker of the run has delivered something. */
async function somethingRan(client: Redis): Promise<void> {
  const key = await firstRun(client);
  const hasRun = async (): Promise<boolean> =>
    (await client.hvals(`${key}workers`)).some((text) => (JSON.parse(text) as { trials: number }).trials > 0);
  while (!(await hasRun())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Resolves when a journal holds more than its head. */
async function hasGrown(file: string): Promise<void> {
  const size = (): number => (existsSync(file) ? statSync(file).size : 0);
  let head = 0;
  while (head === 0 || size() === head) {
    head ||= size();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Sends the first result once more, with other verdicts. */
async function contradict(url: string, cwd: string): Promise<void> {
  const { plan } = await prepareRun(resolveRunOptions({ cwd, plugins: SLOW_PLUGINS }));
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  const key = `${await firstRun(client)}results`;
  const streams = await client.xreadBuffer('BLOCK', 0, 'STREAMS', key, '0');
  const answer = decodeAnswer(streams?.[0]?.[1][0]?.[1][1] ?? Buffer.of());
  const scenario = plan.scenarios[0];
  if (answer?.kind !== 'result' || scenario === undefined) throw new Error('No result came.');
  const shape = shapeOf(describeProgram(scenario));
  const records = answer.records.slice(0, 1).map((record) => {
    const forged = new Tally(shape);
    const { executed } = decodeTally(record.tally, shape);
    for (let i = 0; i < executed; i++) forged.markFailed(record.fromBlock * 4096 + i, [0]);
    return { ...record, tally: encodeTally(forged) };
  });
  await client.xadd(key, '*', 'frame', encodeAnswer({ ...answer, records }));
}
