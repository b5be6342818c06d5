import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  generateScenarios,
  readHistory,
  renderReport,
  type RunSuiteOptions,
  runSuite,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';

const GENERATED: RunSuiteOptions = {
  cwd: path.join(import.meta.dirname, '../../corpus/adversity'),
  paths: ['generated.toml'],
  workers: 0,
};
const PLUGIN = path.join(import.meta.dirname, '../suites/generated/plugins/ledgers.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'passk-generated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

test('the sound agent passes all of the generated family, and the others fall where they should, in any executor', async () => {
  const report = await runSuite(GENERATED);
  expect([report.gate.verdict, report.notices]).toEqual(['pass', []]);
  const [set] = report.generated ?? [];
  expect(set).toMatchObject({ name: 'repair shop', week: '2026-W48', asked: 4, drawn: 4, stands: 4, rejected: [] });
  expect(set?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(set?.relations).toEqual(
    ['renamed_ids', 'permuted_turns', 'irrelevant_context'].map((relation) => ({
      relation,
      pairs: 12,
      disagreements: [],
    })),
  );
  // Every agent that must fall is found out by the state, on some scenarios and not on others.
  const ofAgent = (agent: string) => report.scenarios.filter(({ name }) => name.endsWith(` · ${agent}`));
  expect(['sound', 'careless', 'gullible'].map((agent) => ofAgent(agent).length)).toEqual([16, 16, 16]);

  const text = renderReport(report);
  expect(text).toMatch(/Generated: 1 set · 4 of 4 generated scenarios stand · 36 of 36 pairs agree/);
  expect(text).toContain(set?.hash.slice(0, 12));
  expect(renderReport(report, { reporter: 'html' })).toContain(set?.hash.slice(0, 12));

  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...GENERATED, workers }))).toBe(bytesOf(report));
  const shards: ShardSource[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ ...GENERATED, shard: { index, count: 2 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  expect(bytesOf((await mergeShards(shards)).report)).toBe(bytesOf(report));
});

function fileOf(family: string, more: string): RunSuiteOptions {
  const cwd = mkdtempSync(path.join(folder, 'one-'));
  writeFileSync(path.join(cwd, 'led.toml'), `name = "led"\n[generate]\nfamily = "${family}"\ncount = 2\n${more}\n`);
  return { cwd, plugins: [PLUGIN], workers: 0 };
}

test('a pair that comes out differently is told with both', async () => {
  const options = fileOf('of_an_agent_that_knows_names', 'relations = ["renamed_ids", "irrelevant_context"]');
  const report = await runSuite(options);
  const [names, context] = report.generated?.[0]?.relations ?? [];
  expect(context).toEqual({ relation: 'irrelevant_context', pairs: 2, disagreements: [] });
  expect(names?.pairs).toBe(2);
  expect(names?.disagreements).toEqual(
    [0, 1].map((n) => ({
      original: { scenario: expect.stringMatching(new RegExp(`^led 0${n}: book`)), passed: 1, trials: 1 },
      changed: { scenario: expect.stringMatching(new RegExp(`^led 0${n} · renamed_ids: book`)), passed: 0, trials: 1 },
    })),
  );
  expect(report.gate.verdict).toBe('fail');
  expect(renderReport(report)).toMatch(/the same should have\s+become of both/);
});

test('a filter that leaves one scenario of a set leaves the set, and pairs of which both were run', async () => {
  const report = await runSuite({ ...GENERATED, names: ['repair shop 00: ', 'repair shop 00 · renamed_ids'] });
  expect(report.generated?.[0]?.relations.map(({ pairs }) => pairs)).toEqual([3, 0, 0]);
  expect(
    (await runSuite({ ...GENERATED, paths: ['generated.toml', 'ladder-budget.toml'], tags: ['ladder'] })).generated,
  ).toBeUndefined();
});

test('another week is another set, whose hash histories keep and whose trials are traced', async () => {
  const history = path.join(folder, 'history');
  const report = await runSuite({ ...GENERATED, week: '2026-W53', history });
  const [set] = report.generated ?? [];
  const kept = (await readHistory(history)).runs.map(({ run }) => run.generated);
  expect(kept).toEqual([[{ name: 'repair shop', file: 'generated.toml', hash: set?.hash }]]);
  const same = await runSuite({ ...GENERATED, week: '2026-W48' });
  expect(same.generated).toEqual((await runSuite(GENERATED)).generated);
  expect(same.generated?.[0]?.hash).not.toBe(set?.hash);
  await expect(runSuite({ ...GENERATED, week: '2025-W53' })).rejects.toThrow('2025 has the weeks 01 to 52');

  const options = fileOf('of_an_agent_that_knows_names', 'relations = ["renamed_ids"]');
  const failing = (await runSuite({ ...options, week: '2026-W01' })).scenarios.find((one) => one.verdict === 'failed');
  const replay = failing !== undefined && 'failures' in failing ? failing.failures[0]?.replay : undefined;
  expect(replay).toContain('--week 2026-W01');
  const part = /--part '([^']*)'/.exec(replay ?? '')?.[1] ?? '';
  const file = path.join(options.cwd ?? '', 'led.toml');
  const { plugins = [] } = options;
  const { result } = await traceTrial({ file, plugins, week: '2026-W01', part, trial: 0 });
  expect(result.verdict).toBe('failed');
});

test('generated scenarios are written as files that run without a generator, the same bytes each time', async () => {
  const out = path.join(folder, 'written');
  const first = await generateScenarios({ cwd: GENERATED.cwd ?? '', paths: ['generated.toml'], out });
  expect(first.files.map(({ written }) => written)).toEqual(Array.from({ length: 16 }, () => true));
  const texts = readdirSync(out).map((file) => readFileSync(path.join(out, file), 'utf8'));
  const second = await generateScenarios({ cwd: GENERATED.cwd ?? '', paths: ['generated.toml'], out });
  expect(second.files.every(({ written }) => !written)).toBe(true);
  expect(second.sets).toEqual(first.sets);
  expect(readdirSync(out).map((file) => readFileSync(path.join(out, file), 'utf8'))).toEqual(texts);

  const verdicts = (report: SuiteReport) => report.scenarios.map(({ name, verdict }) => `${verdict} ${name}`).sort();
  const written = await runSuite({ cwd: out, workers: 0 });
  expect(verdicts(written)).toEqual(verdicts(await runSuite(GENERATED)));
  expect(written.generated).toBeUndefined();

  // What is no file of passk's stays, and nothing is written beside it.
  const [name = ''] = readdirSync(out);
  writeFileSync(path.join(out, name), 'mine');
  await expect(
    generateScenarios({ cwd: GENERATED.cwd ?? '', paths: ['generated.toml'], out, week: '2026-W49' }),
  ).rejects.toThrow('is there, and was not generated by passk.');
  expect(readFileSync(path.join(out, name), 'utf8')).toBe('mine');
  const others = texts.filter((text) =>
    readdirSync(out).some((file) => readFileSync(path.join(out, file), 'utf8') === text),
  );
  expect(others).toHaveLength(15);
  await expect(
    generateScenarios({ cwd: GENERATED.cwd ?? '', paths: ['ladder-budget.toml'], out: path.join(folder, 'none') }),
  ).rejects.toThrow('No file generates anything.');
});
