import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyFile, readHistoryFile } from '../../src/baseline/history-file.ts';
import { historyTrends } from '../../src/baseline/history-trends.ts';
import { aHistoryRun, aKeptScenario, kept } from './a-history.ts';

test('a run is read as it was written, whatever its names hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, file) => {
      const run = aHistoryRun(1, [aKeptScenario({ name, file })]);
      const { id, name: fileName, text } = historyFile(run);
      expect(readHistoryFile(Buffer.from(text), fileName)).toEqual({ ok: true, entry: { id, run } });
    }),
  );
});

test('no changed, lost or added byte goes unnoticed', () => {
  const { name, text } = historyFile(aHistoryRun(1, [aKeptScenario()]));
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ flip;
      const read = readHistoryFile(damaged, name);
      expect(read.ok).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.nat(bytes.length - 2), (length) => {
      expect(readHistoryFile(bytes.subarray(0, length), name).ok).toBe(false);
    }),
  );
  expect(readHistoryFile(Buffer.concat([bytes, Buffer.from('x')]), name).ok).toBe(false);
});

test('a file under another name and one of a later format are told apart from damage', () => {
  const { name, text } = historyFile(aHistoryRun(1, [aKeptScenario()]));
  const other = name.replace('2026', '2027');
  expect(readHistoryFile(Buffer.from(text), other)).toEqual({ ok: false, problem: `it holds the run of ${name}` });
  expect(readHistoryFile(Buffer.from(text.replace('passk-history/1', 'passk-history/2')), name)).toEqual({
    ok: false,
    problem: 'it is not of the format passk-history/1 that this passk reads',
  });
});

test('a trend marks what changed since the point before, and counts flips with nothing changed', () => {
  const failed = { verdict: 'failed', passed: 3, passRate: 0.3 } as const;
  const runs = [
    aHistoryRun(1, [aKeptScenario()]),
    aHistoryRun(2, [aKeptScenario({ ...failed, digest: 'b'.repeat(64) })]),
    aHistoryRun(3, [aKeptScenario({ digest: 'b'.repeat(64), seed: 7, sampler: 'reference' })], { passk: '1.1.0' }),
    aHistoryRun(4, [aKeptScenario({ ...failed, digest: 'b'.repeat(64), seed: 7, sampler: 'reference' })], {
      passk: '1.1.0',
    }),
  ].map(kept);
  const [trend] = historyTrends(runs);
  expect(trend).toMatchObject({
    name: 'refund',
    firstSeen: '2026-01-01T00:00:00.000Z',
    runs: 4,
    flips: { total: 3, unchanged: 1 },
  });
  expect(trend?.points.map(({ changed }) => changed)).toEqual([[], ['scenario'], ['sampler', 'seed', 'passk'], []]);
});

test('limit and since leave out points, never what they are compared with', () => {
  const runs = [1, 2, 3, 4].map((day) => kept(aHistoryRun(day, [aKeptScenario({ seed: day })])));
  const days = (options: Parameters<typeof historyTrends>[1]): readonly unknown[] =>
    historyTrends(runs, options).flatMap(({ points }) => points.map(({ startedAt }) => startedAt.slice(8, 10)));
  expect(days({ limit: 2 })).toEqual(['03', '04']);
  expect(days({ since: '2026-01-02T00:00:00.000Z' })).toEqual(['02', '03', '04']);
  expect(days({ since: '2027-01-01T00:00:00.000Z' })).toEqual([]);
  expect(historyTrends(runs, { limit: 1 })[0]).toMatchObject({ runs: 4, points: [{ changed: ['seed'] }] });
});

test('two files with one name are two trends; a file that moved stays one', () => {
  const twice = historyTrends([
    kept(aHistoryRun(1, [aKeptScenario({ file: 'a.toml' }), aKeptScenario({ file: 'b.toml' })])),
    kept(aHistoryRun(2, [aKeptScenario({ file: 'b.toml' })])),
  ]);
  expect(twice.map(({ file, runs }) => [file, runs])).toEqual([
    ['b.toml', 2],
    ['a.toml', 1],
  ]);
  const moved = historyTrends([
    kept(aHistoryRun(1, [aKeptScenario({ file: 'a.toml' })])),
    kept(aHistoryRun(2, [aKeptScenario({ file: 'b.toml' })])),
  ]);
  expect(moved.map(({ file, runs }) => [file, runs])).toEqual([['b.toml', 2]]);
});
