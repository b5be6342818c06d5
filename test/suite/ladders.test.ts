import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSuite, renderReport, type RunSuiteOptions, runSuite, type SuiteReport } from '../../src/index.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';

const CORPUS = path.join(import.meta.dirname, '../../corpus/adversity');
const LADDERS: RunSuiteOptions = {
  cwd: CORPUS,
  paths: ['ladder-context.toml', 'ladder-concurrency.toml', 'ladder-budget.toml'],
  workers: 0,
};
const folder = mkdtempSync(path.join(tmpdir(), 'passk-ladders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

test('planted slopes, plateau and budgets come back, in any executor', async () => {
  const report = await runSuite(LADDERS);
  expect([report.gate.verdict, report.notices]).toEqual(['pass', []]);
  const [context, concurrency, budget] = (['context', 'concurrency', 'budget'] as const).map((kind) =>
    report.ladders?.find((one) => one.kind === kind),
  );
  expect(context).toMatchObject({ ladder: 'reader', kind: 'context', threshold: 2000, failsAtFirst: false });
  expect(context?.rungs.map(({ figure }) => figure?.toFixed(3))).toEqual([
    undefined,
    '1.054',
    '1.103',
    '1.186',
    '1.313',
  ]);
  expect(concurrency).toMatchObject({ ladder: 'fan out', measure: 'virtual_ms', threshold: 8 });
  expect(concurrency?.rungs.map(({ rung, value }) => [rung, value])).toEqual([
    [1, 800],
    [2, 400],
    [4, 200],
    [6, 200],
    [7, 200],
    [8, 100],
    [9, 100],
    [12, 100],
  ]);
  expect(budget?.rungs.length).toBeGreaterThan(4);
  const spent = budget?.rungs.map(({ rung, value, passRate, runaways }) => {
    // Every call before the budget was passed, and the one that passed it; all five where it never was.
    const calls = Math.min(5, Math.floor(rung / 60) + 1);
    expect([passRate, runaways, value]).toEqual([1, 0, 60 * calls]);
    return calls;
  });
  expect(new Set(spent).size).toBeGreaterThan(2);

  const text = renderReport(report);
  expect(text).toMatch(
    /Ladder of reader: context · 5 rungs ·\s+tokens grow faster than the context from 2,000 characters/,
  );
  expect(text).toMatch(/Ladder of fan out: concurrency · 8 rungs · plateau at 8 at a time/);
  expect(text).toMatch(/Ladder of spender: budget · \d rungs · (\d) of \1 budgets held/);
  const html = renderReport(report, { reporter: 'html' });
  for (const part of ['threshold at 2,000', 'plateau at 8', 'in proportion to the first rung'])
    expect(html).toContain(part);

  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...LADDERS, workers }))).toBe(bytesOf(report));
  const shards: ShardSource[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ ...LADDERS, shard: { index, count: 2 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  expect(bytesOf((await mergeShards(shards)).report)).toBe(bytesOf(report));
}, 60_000);

/** A corpus file with something changed. */
function changed(file: string, ...changes: readonly (readonly [string, string])[]): RunSuiteOptions {
  const cwd = mkdtempSync(path.join(folder, 'one-'));
  const text = changes.reduce(
    (written, [from, to]) => written.replace(from, () => to),
    readFileSync(path.join(CORPUS, file), 'utf8').replaceAll('../fixtures', path.join(CORPUS, '../fixtures')),
  );
  writeFileSync(path.join(cwd, file), text);
  return { cwd, paths: [file], workers: 0 };
}

test('a subject that fails at its first rung is named, and its other rungs have no threshold', async () => {
  const report = await runSuite(changed('ladder-context.toml', ['equals = "Small talk."', 'equals = "Else."']));
  expect(report.ladders).toMatchObject([{ failsAtFirst: true, threshold: null }]);
  expect(renderReport(report)).toContain('It fails at its first rung: nothing is known of what comes above.');
});

test('a budget that a single call may not pass by so much fails its rungs', async () => {
  const report = await runSuite(changed('ladder-budget.toml', ['one_call = 60', 'one_call = 1']));
  expect(report.ladders?.[0]?.rungs.some(({ passRate }) => passRate === 0)).toBe(true);
  expect(report.gate.verdict).toBe('fail');
});

test('budgets are drawn from the seed of the file', async () => {
  const rungs = async (seed: number): Promise<readonly (number | undefined)[]> => {
    const { scenarios } = await loadSuite(
      changed('ladder-budget.toml', ['description', `seed = ${seed}\ndescription`]),
    );
    return scenarios.map(({ ladder }) => ladder?.rung);
  };
  expect(await rungs(1)).toEqual(await rungs(1));
  expect(await rungs(2)).not.toEqual(await rungs(1));
});

test('what is wrong with a ladder is told at load', async () => {
  const problems = async (ladder: string, file = 'ladder-context.toml'): Promise<readonly string[]> => {
    const options = changed(file, [
      /\[ladder\][^[]*(?:\[\n[^\]]*\]\n\n|\[[\d, ]*\]\n\n|(?=\[workflow))/.exec(
        readFileSync(path.join(CORPUS, file), 'utf8'),
      )?.[0] ?? '',
      `[ladder]\n${ladder}\n`,
    ]);
    return (await loadSuite(options)).issues.map(({ message }) => message);
  };
  expect(await problems('kind = "context"')).toEqual(['The ladder has no rungs.']);
  expect(await problems('kind = "context"\nrungs = [2, 1]\nnode = "read"')).toEqual([
    '"node" has no effect on this ladder.',
    'Rung 1 is not above the one before.',
  ]);
  expect((await problems('kind = "stairs"\nrungs = [1]')).join()).toContain('stairs');
  expect((await problems('kind = "context"\nrungs = [0]')).length).toBeGreaterThan(0);
  expect(await problems('kind = "concurrency"\nnode = "one"\nrungs = [1, 2]', 'ladder-budget.toml')).toEqual([
    'The workflow has no map node "one".',
  ]);
  expect(await problems('kind = "budget"\nbelow = 9\nrungs = [1]', 'ladder-budget.toml')).toEqual([
    'The ladder has both rungs and below.',
  ]);
});
