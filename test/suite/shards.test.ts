import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { renderReport, type RunSuiteOptions, runSuite, type SuiteReport } from '../../src/index.ts';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { aGreeting } from '../cli/run-passk.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aLiveScenario, aRouter } from './scenarios.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-shards-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, 'greeting.toml'), aGreeting({ trials: 9000, lastNode: 'greet' }));
writeFileSync(path.join(folder, 'broken.toml'), 'name = ');

const SUITE: RunSuiteOptions = {
  cwd: folder,
  paths: ['.'],
  keepGoing: true,
  scenarios: [aRouter(), aRouter({ name: 'many', trials: 50_000, minPassRate: 0.4 })],
  workers: 0,
  seed: 5,
};

function bytesOf(report: SuiteReport): string {
  return renderReport(report, { reporter: 'json', timing: false });
}

async function shardsOf(count: number, options: RunSuiteOptions = SUITE): Promise<ShardSource[]> {
  const sources: ShardSource[] = [];
  for (let index = 1; index <= count; index++) {
    const { bytes } = await runShard({ ...options, shard: { index, count } });
    sources.push({ name: `${index}.shard`, bytes });
  }
  return sources;
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );

describe('shards', () => {
  test('merge into the bytes of one run, however many there are and in any order', async () => {
    const whole = bytesOf(await runSuite(SUITE));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.infiniteStream(fc.nat()), async (count, dice) => {
        const sources = await shardsOf(count);
        const shuffled = sources
          .map((source) => ({ source, rank: dice.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ source }) => source);
        const { report, notices } = await mergeShards(shuffled);
        expect({ bytes: bytesOf(report), notices }).toEqual({ bytes: whole, notices: [] });
      }),
      { numRuns: 6 },
    );
  });

  test('merge into the same bytes with workers, a bar and options of the run', async () => {
    const options = { ...SUITE, workers: 2, sampler: 'reference', timeoutMs: 20_000, trials: 6000 } as const;
    const whole = await runSuite({ ...options, minPassRate: 0.3 });
    const { report } = await mergeShards(await shardsOf(2, options), { minPassRate: 0.3 });
    expect(bytesOf(report)).toBe(bytesOf(whole));
  });

  test('merge into what one run says that trials cost', async () => {
    const options = { ...SUITE, paths: [], scenarios: [aRouter({ trials: 9000 })], ledger: true };
    const whole = bytesOf(await runSuite(options));
    expect(whole).toContain('"ledger"');
    const { report } = await mergeShards(await shardsOf(3, options));
    expect(bytesOf(report)).toBe(whole);
  });

  test('that stop at the first failure merge into the run that stops there', async () => {
    const calm = aRouter({ name: 'calm', trials: 30_000, expected: {} });
    const options = { ...SUITE, paths: [], bail: true, scenarios: [calm, aRouter({ trials: 9000 }), calm] };
    const scenarios = [calm, aRouter({ trials: 9000 }), { ...calm, name: 'after' }];
    const whole = bytesOf(await runSuite({ ...options, scenarios }));
    for (const count of [1, 2, 3, 7]) {
      const { report } = await mergeShards((await shardsOf(count, { ...options, scenarios })).reverse());
      expect(bytesOf(report)).toBe(whole);
    }
  });

  test('share the trials of programs with input and output', async () => {
    const seen: number[] = [];
    const options: RunSuiteOptions = {
      scenarios: [aLiveScenario({ trials: 7 })],
      workers: 1,
      nodes: {
        look_up: {
          reads: ['keyFrom'],
          labels: ['found'],
          run: () => {
            seen[seen.length - 1] = (seen.at(-1) ?? 0) + 1;
            return { output: { found: 'A' }, branch: 'found' };
          },
        },
      },
    };
    const sources: ShardSource[] = [];
    for (let index = 1; index <= 3; index++) {
      seen.push(0);
      sources.push({ name: `${index}`, bytes: (await runShard({ ...options, shard: { index, count: 3 } })).bytes });
    }
    const { report } = await mergeShards(sources);
    expect({ seen, trials: report.summary.trials.passed }).toEqual({ seen: [3, 2, 2], trials: 7 });
  });

  test('say what they did, without a verdict', async () => {
    const { summary } = await runShard({ ...SUITE, paths: [], shard: { index: 2, count: 2 } });
    expect(summary).toEqual({
      passk: expect.any(String),
      seed: 5,
      shard: { index: 2, count: 2 },
      partial: false,
      requested: 50_064,
      share: 25_424,
      scenarios: [{ name: 'many', passed: expect.any(Number), failed: expect.any(Number), broken: 0 }],
      durationMs: expect.any(Number),
    });
  });

  test('that do not exist are refused', async () => {
    expect(await rejection(runShard({ ...SUITE, shard: { index: 4, count: 3 } }))).toBe(
      'USAGE: Shard 4 of 3 does not exist.',
    );
  });
});

describe('merging', () => {
  test('names missing shards, and reports what is there on request', async () => {
    const [, second] = await shardsOf(3);
    if (second === undefined) throw new Error('No shard.');
    expect(await rejection(mergeShards([second]))).toBe('INPUT: Shards 1, 3 of 3 are missing.');
    const { report, notices } = await mergeShards([second], { partial: true });
    expect({ partial: report.partial, verdict: report.gate.verdict, notices }).toEqual({
      partial: true,
      verdict: 'fail',
      notices: ['Shards 1, 3 of 3 are missing.'],
    });
  });

  test('counts a shard that came twice once, and says so', async () => {
    const [first, second] = await shardsOf(2);
    if (first === undefined || second === undefined || typeof first === 'string') throw new Error('No shards.');
    const { report, notices } = await mergeShards([second, { ...first, name: 'again.shard' }, first]);
    expect(bytesOf(report)).toBe(bytesOf(await runSuite(SUITE)));
    expect(notices).toEqual(['Shard 1 of 2 is in 2 files; 1.shard counts, not again.shard.']);
  });

  test('says nothing of a file that is named twice', async () => {
    const [first, second] = await shardsOf(2);
    if (first === undefined || second === undefined) throw new Error('No shards.');
    expect((await mergeShards([first, first, second])).notices).toEqual([]);
  });

  test('a run is whole without those of its shards that have no trials', async () => {
    const short = { ...SUITE, paths: [], scenarios: [aRouter({ trials: 20 })] };
    const [first] = await shardsOf(3, short);
    if (first === undefined) throw new Error('No shard.');
    const { report, notices } = await mergeShards([first], { partial: true });
    expect({ partial: report.partial, notices }).toEqual({
      partial: false,
      notices: ['Shards 2, 3 of 3 are missing.'],
    });
    expect(bytesOf(report)).toBe(bytesOf(await runSuite(short)));
  });

  test('names shards of another run with what differs', async () => {
    const [first, second] = await shardsOf(2);
    const [other] = await shardsOf(2, { ...SUITE, seed: 6 });
    const [fewer] = await shardsOf(3);
    if (!first || !second || !other || !fewer || typeof other === 'string' || typeof fewer === 'string') {
      throw new Error('No shards.');
    }
    const foreign = [
      { ...other, name: 'other.shard' },
      { ...fewer, name: 'fewer.shard' },
    ];
    expect(await rejection(mergeShards([...foreign, first, second]))).toBe(
      'INPUT: Not all shards are of one run. Unlike 1.shard: fewer.shard: it is shard 1 of 3, the others are of 2. other.shard: its seed is 6, not 5.',
    );
  });

  test('fails loudly when one shard came with two results that cannot both be', async () => {
    const [first, second] = await shardsOf(2);
    if (!first || !second || typeof first === 'string' || typeof second === 'string') throw new Error('No shards.');
    const frames = new FrameReader().push(first.bytes) as Record<string, unknown>[];
    const result = frames.findIndex(({ kind }) => kind === 'result');
    const [one, two] = frames.filter(({ kind }) => kind === 'result');
    // The counts of another scenario in the place of this one's.
    frames[result] = { ...one, tally: two?.['tally'] };
    const forged = { name: 'forged.shard', bytes: Buffer.concat(frames.map(encodeFrame)) };
    expect(await rejection(mergeShards([first, second, forged]))).toMatch(
      /^INTEGRITY: Shard 1 of 2 came twice with different results of ".+": forged\.shard and 1\.shard, which a repeatable program never gives\.$/,
    );
  });

  test.each([
    [
      'counts of other trials than it says',
      (one: object, two: object) => ({ ...one, tally: Reflect.get(two, 'tally') }),
    ],
    ['blocks that are not its own', (one: object) => ({ ...one, blocks: [1, 2] })],
  ])('refuses a shard that holds %s, whatever its checksums say', async (what, forge) => {
    const [first, second] = await shardsOf(2);
    if (!first || !second || typeof first === 'string') throw new Error('No shards.');
    const frames = new FrameReader().push(first.bytes) as Record<string, unknown>[];
    const result = frames.findIndex(({ kind }) => kind === 'result');
    const [one = {}, two = {}] = frames.filter(({ kind }) => kind === 'result');
    frames[result] = forge(one, two);
    const forged = { name: 'forged.shard', bytes: Buffer.concat(frames.map(encodeFrame)) };
    expect(await rejection(mergeShards([forged, second]))).toBe(`INTEGRITY: forged.shard holds ${what}.`);
  });

  test('refuses a shard that is cut off, damaged or something else', async () => {
    const [only] = await shardsOf(1);
    if (!only || typeof only === 'string') throw new Error('No shard.');
    const file = path.join(folder, 'x.shard');
    const merged = async (bytes: Uint8Array): Promise<unknown> => {
      writeFileSync(file, bytes);
      return rejection(mergeShards([file]));
    };
    const flipped = Uint8Array.from(only.bytes);
    flipped[flipped.length - 40] = (flipped[flipped.length - 40] as number) ^ 1;
    expect([
      await merged(only.bytes.subarray(0, only.bytes.length - 1)),
      await merged(Buffer.concat([only.bytes, Uint8Array.of(0)])),
      await merged(flipped),
      await merged(new TextEncoder().encode('name = "a scenario"')),
      await merged(encodeFrame({ kind: 'passk-journal' })),
      await rejection(mergeShards([path.join(folder, 'nowhere.shard')])),
      await rejection(mergeShards([folder])),
    ]).toEqual([
      `INPUT: ${file} cannot be merged: its end is missing.`,
      `INPUT: ${file} cannot be merged: its end is missing.`,
      expect.stringMatching(/cannot be merged: it is damaged \d+ bytes from its start\.$/),
      `INPUT: ${file} is not a shard of passk, or its beginning is damaged.`,
      `INPUT: ${file} is not a shard of passk.`,
      `INPUT: ${folder}/nowhere.shard cannot be read: there is no such file or folder.`,
      `INPUT: ${folder} cannot be read: there is a folder in its place.`,
    ]);
  });

  test(
    `changed or cut off at ${faultPoints(20)} seeded places are refused, or merge into the same bytes`,
    async () => {
      const whole = bytesOf(await runSuite(SUITE));
      const sources = (await shardsOf(3)).map((source) => {
        if (typeof source === 'string') throw new Error('A shard in memory was asked for.');
        return source;
      });
      const dice = faultDice('damaged shards');
      for (let point = 0; point < faultPoints(20); point++) {
        const spoilt = dice() % sources.length;
        const damaged = sources.map((source, index) => {
          if (index !== spoilt) return source;
          const bytes = Uint8Array.from(source.bytes);
          const at = dice() % bytes.length;
          if (dice() % 3 === 0) return { ...source, bytes: bytes.subarray(0, at) };
          bytes[at] = (bytes[at] ?? 0) ^ (1 + (dice() % 255));
          return { ...source, bytes };
        });
        const merging = mergeShards(damaged).then(({ report }) => bytesOf(report));
        const ended = await merging.catch(({ code }: { code: string }) => code);
        expect({ point, isRight: ended === 'INPUT' || ended === whole }).toEqual({ point, isRight: true });
      }
    },
    60_000 + 1_000 * faultPoints(20),
  );

  test('of any bytes at all ends in an error with a code, never in a crash', async () => {
    const [only] = await shardsOf(1, { ...SUITE, paths: [], scenarios: [aRouter()] });
    if (!only || typeof only === 'string') throw new Error('No shard.');
    const frames = new FrameReader().push(only.bytes);
    const junk = fc.oneof(fc.jsonValue(), fc.record({ kind: fc.constantFrom('scenario', 'result', 'places', 'end') }));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(frames.length),
        fc.array(junk, { maxLength: 3 }),
        fc.boolean(),
        async (at, more, drop) => {
          const changed = [...frames.slice(0, at), ...more, ...frames.slice(drop ? at + 1 : at)];
          if (more.length === 0 && !drop) return;
          const bytes = Buffer.concat(changed.map((value) => encodeFrame(value)));
          expect(await rejection(mergeShards([{ name: 'x', bytes }]))).toMatch(/^(?:INPUT|INTEGRITY): |^resolved$/);
        },
      ),
      { numRuns: 60 },
    );
  });
});
