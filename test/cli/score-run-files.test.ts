import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGreeting, runPassk } from './run-passk.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-run-files-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

// Two shards, a journal and a cassette of a run, and the reports of shards and journal.
beforeAll(async () => {
  // Something is drawn, so that its trials are not all the same one, of which a report gives one.
  const turns = '[[intel.turns]]\nvariants = [{ content = "one" }, { content = "other" }]\n\n[expected]';
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 9000 }).replace('[expected]', turns));
  mkdirSync(path.join(cwd, 'shards'));
  for (const index of [1, 2]) {
    const out = path.join('shards', `${index}.shard`);
    await runPassk(['run', 'a.toml', '--shard', `${index}/2`, '--out', out], { cwd });
  }
  const merged = await runPassk(['merge', 'shards/1.shard', 'shards/2.shard', '--json'], { cwd });
  const resume = ['run', 'a.toml', '--journal', 'journal', '--resume', '--json'];
  await runPassk(resume, { cwd });
  const resumed = await runPassk(resume, { cwd });
  await runPassk(['run', 'a.toml', '--record', 'a.cassette'], { cwd });
  writeFileSync(path.join(cwd, 'merged.json'), merged.stdout);
  writeFileSync(path.join(cwd, 'resumed.json'), resumed.stdout);
});

test.each([
  ['score', 'a.cassette', []],
  ['export', 'a.cassette', []],
  ['score', 'shards/1.shard', ['--format', 'csv']],
  ['score', 'journal', ['--format', 'csv']],
] as const)('%s refuses %s %j, and says how its report is made', async (command, file, flags) => {
  const { status, stderr } = await runPassk([command, file, ...flags], { cwd });
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /"(?:a\.cassette|shards\/1\.shard|journal)" (?:is|holds) a (?:cassette|shard|journal) of passk/,
  );
  expect(stderr).toMatch(/passk (?:merge|run) .* --json > report\.json/);
});

test.each([
  [['shards/1.shard', 'shards/2.shard'], 'passk-shard'],
  [['shards'], 'passk-shard'],
  [['journal/run.journal'], 'passk-journal'],
  [['journal'], 'passk-journal'],
] as const)('%j are scored to the counts of their report', async (files, format) => {
  const { status, stdout } = await runPassk(['score', ...files, '--json'], { cwd });
  const report = JSON.parse(stdout);
  expect([status, report.summary.trials.passed, report.scenarios[0].recording]).toMatchObject([
    0,
    9000,
    { format, tasks: 1, perTask: [{ trials: 9000, passed: 9000, errors: 0 }] },
  ]);
  expect(report.notices.map(({ code }: { readonly code: string }) => code)).not.toContain('part_of_run');
});

test('a shard alone says which part it is, and is exported row by row', async () => {
  const { status, stdout } = await runPassk(['score', 'shards/2.shard'], { cwd });
  expect(status).toBe(0);
  expect(stdout.replace(/\s+/g, ' ')).toContain('"shards/2.shard" is the shard of part 2 of 2 of its run');
  const rows = (await runPassk(['export', 'shards/2.shard'], { cwd })).stdout.trim().split('\n');
  const counted = JSON.parse((await runPassk(['score', 'shards/2.shard', '--json'], { cwd })).stdout);
  expect(rows.length).toBe(counted.summary.trials.passed);
  expect(JSON.parse(rows[0] ?? '')).toMatchObject({ task: 'greeting', verdict: 'passed', format: 'passk-shard' });
});

test.each(['merged.json', 'resumed.json'])('%s, made as they say, is scored to the counts of the run', async (file) => {
  const { status, stdout } = await runPassk(['score', file, '--json'], { cwd });
  expect([status, JSON.parse(stdout).summary.trials]).toMatchObject([0, { requested: 9000, passed: 9000 }]);
});

test('beside files that are read, cassettes are left out with a warning', async () => {
  mkdirSync(path.join(cwd, 'mixed'));
  for (const name of ['merged.json', 'a.cassette']) renameSync(path.join(cwd, name), path.join(cwd, 'mixed', name));
  const { status, stdout } = await runPassk(['score', 'mixed'], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain('"mixed" holds a cassette of passk, which is no report.');
  expect(stdout).not.toContain('of no format');
});
