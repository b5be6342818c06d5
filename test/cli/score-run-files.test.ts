import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aGreeting, runPassk } from './run-passk.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-run-files-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

// Two shards, a journal and a cassette of a run, and the reports of shards and journal.
beforeAll(async () => {
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 9000 }));
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

const FILES = [
  ['shards/1.shard', 'is a shard of passk, not a report.', 'passk merge shards/* --json > report.json'],
  ['shards', 'holds 2 shards of passk, which are no reports.', 'passk merge shards/* --json > report.json'],
  ['journal/run.journal', 'is a journal of passk, not a report.', 'passk run … --resume --json > report.json'],
  ['journal', 'holds a journal of passk, which is no report.', 'passk run … --resume --json > report.json'],
  ['a.cassette', 'is a cassette of passk, not a report.', 'passk run … --replay FILE --json > report.json'],
] as const;

describe.each(FILES)('%s', (file, what, hint) => {
  test.each([
    ['score', []],
    ['score', ['--format', 'csv']],
    ['export', []],
  ] as const)('is refused by %s %j, which says how its report is made', async (command, flags) => {
    const { status, stderr } = await runPassk([command, file, ...flags], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(`"${file}" ${what}`);
    expect(stderr).toContain(hint);
  });
});

test.each(['merged.json', 'resumed.json'])('%s, made as they say, is scored to the counts of the run', async (file) => {
  const { status, stdout } = await runPassk(['score', file, '--json'], { cwd });
  expect([status, JSON.parse(stdout).summary.trials]).toMatchObject([0, { requested: 9000, passed: 9000 }]);
});

test('beside files that are read, they are left out with a warning', async () => {
  renameSync(path.join(cwd, 'merged.json'), path.join(cwd, 'shards', 'merged.json'));
  const { status, stdout } = await runPassk(['score', 'shards'], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain('"shards" holds 2 shards of passk, which are no reports.');
  expect(stdout).not.toContain('of no format');
});
