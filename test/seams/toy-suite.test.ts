import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  builtinReporters,
  loadSuite,
  mergeShards,
  outputSchema,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  runWorker,
  type ShardSource,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { aRedis, skipsRedis } from '../queue/a-redis.ts';

/** Plug-ins in one file: a subject and a kind of suite that passk knows nothing of. */
const PARROTS = fileURLToPath(new URL('parrots.mjs', import.meta.url));

const FILES = {
  'fresh.toml': '[parrot]\nname = "Polly"\nphrases = ["good day", "one two three"]\n',
  'tired.toml': '[parrot]\nname = "Coco"\ntired = 0.3\nphrases = ["good day", "pretty bird"]\n',
  'dead.toml': '[parrot]\nname = "Blue"\nphrases = ["die"]\ntrials = 3\n',
};

let cwd: string;
let whole: SuiteReport;
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'passk-parrots-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(cwd, name), text);
  whole = await run({ workers: 1 });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}

function run(options: RunSuiteOptions): Promise<SuiteReport> {
  return runSuite({ cwd, plugins: [PARROTS], seed: 5, ...options });
}

describe('a subject and a kind of suite that plug-ins bring', () => {
  test('are planned, run, judged and folded', () => {
    const found = whole.results.map(({ name, verdict, reasons }) => [name, verdict, reasons]);
    expect(found).toEqual([
      ['Blue', 'insufficient', ['Blue broke at die.']],
      ['Polly', 'passed', []],
      ['Coco', 'failed', ['Coco says 0 of 2 phrases.']],
    ]);
    const [dead, , tired] = whole.results;
    expect(dead).toMatchObject({ cases: [{ name: 'die', trials: { broken: 3 }, message: 'The parrot is no more.' }] });
    expect(tired).toMatchObject({
      kind: 'plugin',
      type: 'parrots',
      data: { said: [] },
      cases: [{ name: 'good day', checks: [{ check: 'says-it' }] }, { name: 'pretty bird' }],
    });
    expect([whole.gate.verdict, whole.gate.reasons]).toEqual([
      'fail',
      ['parrots Blue is undecided.', 'parrots Coco failed.'],
    ]);
    expect(whole.scenarios).toEqual([]);
  });

  test.each<[string, RunSuiteOptions]>([
    ['without workers of their own', { workers: 0 }],
    ['two workers', { workers: 2 }],
    ['processes', { workers: 2, isolation: 'process' }],
  ])('have the same results with %s', async (_, options) => {
    expect(untimed(await run(options))).toEqual(untimed(whole));
  });

  test('have the same results in shards, merged with the plug-in; without it merging says what is missing', async () => {
    const shards: ShardSource[] = [];
    for (const index of [1, 2, 3]) {
      const { bytes } = await runShard({ cwd, plugins: [PARROTS], seed: 5, workers: 1, shard: { index, count: 3 } });
      shards.push({ name: `${index}.shard`, bytes });
    }
    const { report } = await mergeShards(shards, { plugins: [PARROTS] });
    expect(untimed(report)).toEqual(untimed(whole));
    await expect(mergeShards(shards)).rejects.toThrow('cases of the suite "parrots", which no plug-in brings');
  });

  test.skipIf(skipsRedis)(
    'have the same results on a queue, of a worker that has the plug-in (needs redis-server)',
    async () => {
      const redis = await aRedis();
      const leave = new AbortController();
      const worker = runWorker({
        queue: redis.url,
        plugins: [PARROTS],
        cwd,
        workers: 1,
        name: 'w',
        signal: leave.signal,
      });
      try {
        const { timing, ...queued } = await run({ queue: redis.url });
        expect(timing.queue?.map(({ name }) => name)).toEqual(['w']);
        expect(queued).toEqual(untimed(whole));
      } finally {
        leave.abort();
        await worker;
        await redis.stop();
      }
    },
  );

  test('go on from a journal', async () => {
    const paths = [path.join(cwd, 'slow')];
    mkdirSync(path.join(cwd, 'slow'));
    writeFileSync(path.join(cwd, 'slow', 'slow.toml'), `${FILES['tired.toml']}napMs = 150\ntrials = 100\n`);
    const undisturbed = await run({ paths, workers: 2 });
    const folder = path.join(cwd, 'journal');
    const stop = new AbortController();
    const onProgress: RunSuiteOptions['onProgress'] = (event) => {
      if (event.kind === 'progress' && event.done > 0) stop.abort();
    };
    const cut = await run({ paths, workers: 1, journal: folder, signal: stop.signal, onProgress });
    expect(cut.partial).toBe(true);
    const resumed = await run({ paths, workers: 2, journal: { folder, resume: true } });
    expect(untimed(resumed)).toEqual(untimed(undisturbed));
  });

  test('are in every report', () => {
    const text = renderReport(whole, { reporter: 'text' });
    expect(text).toContain('Coco');
    expect(text).toContain('Coco says 0 of 2 phrases.');
    const junit = renderReport(whole, { reporter: 'junit' });
    expect(junit).toContain('<testsuite name="parrots Coco" tests="2" failures="2"');
    const silent = builtinReporters.filter(({ type }) => !renderReport(whole, { reporter: type }).includes('Coco'));
    // The one is the shape of another program, which has scenarios only; the other, files of trials that kept their records.
    expect(silent.map(({ type }) => type)).toEqual(['reference-json', 'atif']);
    const schema = Compile(outputSchema('report'));
    expect(schema.Check(JSON.parse(renderReport(whole, { reporter: 'json' })))).toBe(true);
  });

  test('break a trial that takes longer than its time', async () => {
    const file = path.join(cwd, 'late', 'late.toml');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '[parrot]\nname = "Late"\nnapMs = 1000000\ntrials = 2\nphrases = ["hello"]\n');
    const { results } = await run({ paths: [file], timeoutMs: 200 });
    expect(results).toMatchObject([{ cases: [{ trials: { broken: 2 }, message: 'no answer within 200 ms' }] }]);
  });

  test('show one trial by its part', async () => {
    const { result, record } = await traceTrial({
      cwd,
      plugins: [PARROTS],
      file: 'dead.toml',
      part: 'die',
      trial: 1,
    });
    expect([result.verdict, record.ending.reason]).toEqual(['broken', 'The parrot is no more.']);
  });

  test('say what is wrong with a file, with its place', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passk-parrots-'));
    try {
      writeFileSync(path.join(folder, 'mute.toml'), 'description = "x"\n[parrot]\nname = "Mute"\n');
      const { issues } = await loadSuite({ cwd: folder, plugins: [PARROTS] });
      expect(issues.map(({ message, at, hint }) => [message, at?.line, hint])).toEqual([
        ['The parrot has no phrases.', 2, 'Add phrases = [ … ].'],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
