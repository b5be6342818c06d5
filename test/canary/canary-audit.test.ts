import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findLogProblem } from '../../src/release/audit-log.ts';
import { fingerprintOf, makeKeys, readPublicKey } from '../../src/release/signing-keys.ts';
import { stepCanary } from '../../src/canary/step-canary.ts';
import { transitionHash } from '../../src/canary/canary-audit.ts';
import type { AuditEntry } from '../../src/types/release/eval-result.ts';
import { runPassk } from '../cli/run-passk.ts';
import { aFolderWith, aLine, NOW } from './a-canary.ts';

const bars = 'min_outcomes = 100\nmax_outcomes = 5000\nmin_pass_rate = 0.9\nmax_error_rate = 0.02\n';
const CONFIG = `candidate = "2"\ntier = "dev"\n${[0, 5, 100].map((percent) => `[[stages]]\npercent = ${percent}\n${bars}`).join('')}`;
const KEYS = makeKeys();

const lines = (from: number, to: number, fields: Readonly<Record<string, unknown>> = {}): string =>
  Array.from({ length: to - from }, (_, i) => `${aLine(from + i, fields)}\n`).join('');

const folder = (): string =>
  aFolderWith({
    'canary.toml': CONFIG,
    'good.jsonl': lines(0, 150),
    'more.jsonl': lines(150, 300),
    'most.jsonl': lines(300, 450),
    'bad.jsonl': lines(150, 300, { violation: 'a refund twice' }),
    'release.key': KEYS.privateKey,
  });
const step = (cwd: string, file: string, key = KEYS.privateKey) =>
  stepCanary({ config: 'canary.toml', outcomes: [file], cwd, now: () => NOW, audit: { log: 'log.jsonl', key } });
const logIn = (cwd: string): readonly AuditEntry[] =>
  readFileSync(path.join(cwd, 'log.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEntry);

test('each transition is signed into the audit log once, and the chain holds', async () => {
  const cwd = folder();
  await step(cwd, 'good.jsonl');
  await step(cwd, 'good.jsonl');
  expect(logIn(cwd).map(({ type, about }) => [type, about])).toEqual([
    ['canary.begun', '2 for dev: begins'],
    ['canary.transition', '2 for dev: 0 % to 5 %'],
  ]);
  const { report } = await step(cwd, 'bad.jsonl');
  const log = logIn(cwd);
  expect(log.slice(1).map(({ about }) => about)).toEqual([
    '2 for dev: 0 % to 5 %',
    '2 for dev: 5 % to rolled back (VIOLATION)',
  ]);
  const key = readPublicKey(KEYS.publicKey, 'The key');
  expect(findLogProblem(log, new Map([[fingerprintOf(key), key]]))).toBeNull();
  expect(log.slice(1).map(({ payloadHash }) => payloadHash)).toEqual(
    report.transitions.map((one) => transitionHash(report, one)),
  );
});

test('what a step could not write, the next one does', async () => {
  const cwd = folder();
  await stepCanary({ config: 'canary.toml', outcomes: ['good.jsonl'], cwd, now: () => NOW });
  expect(existsSync(path.join(cwd, 'log.jsonl'))).toBe(false);
  await step(cwd, 'more.jsonl');
  expect(logIn(cwd)).toHaveLength(3);
  await step(cwd, 'most.jsonl');
  expect(logIn(cwd).at(-1)?.about).toBe('2 for dev: 100 % to released');
});

test('a candidate that was taken back does not begin anew beside the log that says so, under softer bars either', async () => {
  const cwd = folder();
  await step(cwd, 'good.jsonl');
  await step(cwd, 'bad.jsonl');
  // The rollout itself is still told where it stands.
  expect((await step(cwd, 'bad.jsonl')).report.state).toBe('rolled_back');
  writeFileSync(path.join(cwd, 'softer.toml'), CONFIG.replace('"dev"', '"internal"').replaceAll('0.9\n', '0.5\n'));
  for (const config of ['canary.toml', 'softer.toml']) {
    const anew = { config, state: 'new.json', outcomes: ['good.jsonl'], cwd, now: () => NOW };
    const audit = { log: 'log.jsonl', key: KEYS.privateKey };
    await expect(stepCanary({ ...anew, audit })).rejects.toMatchObject({
      code: 'INTEGRITY',
      message: 'The candidate 2 was taken back in another rollout: entry 2 of log.jsonl.',
    });
    expect(existsSync(path.join(cwd, 'new.json'))).toBe(false);
  }
  expect(logIn(cwd)).toHaveLength(3);
  writeFileSync(path.join(cwd, 'canary.toml'), CONFIG.replace('candidate = "2"', 'candidate = "2.1"'));
  const audit = { log: 'log.jsonl', key: KEYS.privateKey };
  const other = { config: 'canary.toml', state: 'new.json', outcomes: ['good.jsonl'], cwd, now: () => NOW, audit };
  expect((await stepCanary(other)).report.candidate).toBe('2.1');
});

test('a candidate that is on its way in one rollout does not begin another one in the same log', async () => {
  const cwd = folder();
  writeFileSync(path.join(cwd, 'few.jsonl'), lines(0, 5, { passed: false }));
  const anew = (state: string) =>
    stepCanary({
      config: 'canary.toml',
      state,
      outcomes: ['good.jsonl'],
      cwd,
      now: () => NOW,
      audit: { log: 'log.jsonl', key: KEYS.privateKey },
    });
  // Held in the shadow, it has no transition yet.
  expect((await step(cwd, 'few.jsonl')).report.decision).toBe('hold');
  await expect(anew('new.json')).rejects.toMatchObject({
    code: 'INTEGRITY',
    message: 'The candidate 2 is on its way in another rollout: entry 0 of log.jsonl.',
  });
  expect(existsSync(path.join(cwd, 'new.json.journal'))).toBe(false);
  // Nor at the same place, without what was counted.
  rmSync(path.join(cwd, 'canary.state.json.journal'));
  await expect(anew('canary.state.json')).rejects.toMatchObject({ code: 'INTEGRITY' });
  expect(logIn(cwd)).toHaveLength(1);
});

test('a candidate that was released may be rolled out once more', async () => {
  const cwd = folder();
  for (const file of ['good.jsonl', 'more.jsonl', 'most.jsonl']) await step(cwd, file);
  const audit = { log: 'log.jsonl', key: KEYS.privateKey };
  const again = { config: 'canary.toml', state: 'new.json', outcomes: ['good.jsonl'], cwd, now: () => NOW, audit };
  expect((await stepCanary(again)).report.percent).toBe(5);
});

test('a log that was changed, and a key that is none, stop the step before anything counts', async () => {
  const cwd = folder();
  await step(cwd, 'good.jsonl');
  const state = readFileSync(path.join(cwd, 'canary.state.json'), 'utf8');
  const log = readFileSync(path.join(cwd, 'log.jsonl'), 'utf8');
  writeFileSync(path.join(cwd, 'log.jsonl'), log.replace('5 %', '100 %'));
  await expect(step(cwd, 'bad.jsonl')).rejects.toMatchObject({ code: 'INTEGRITY' });
  await expect(step(cwd, 'bad.jsonl', 'no key')).rejects.toMatchObject({ code: 'INPUT' });
  expect(readFileSync(path.join(cwd, 'canary.state.json'), 'utf8')).toBe(state);
});

test('the command takes the key of releases, and refuses one without a log', async () => {
  const cwd = folder();
  const args = ['canary', 'step', 'canary.toml', 'good.jsonl'];
  const signed = await runPassk([...args, '--log', 'log.jsonl'], { cwd, env: { PASSK_RELEASE_KEY: KEYS.privateKey } });
  expect([signed.status, logIn(cwd).length]).toEqual([0, 2]);
  const idle = await runPassk([...args, '--key', 'release.key'], { cwd });
  expect([idle.status, idle.stderr]).toEqual([2, expect.stringContaining('--key signs nothing')]);
  const nobody = await runPassk([...args, '--log', 'log.jsonl'], { cwd });
  expect([nobody.status, nobody.stderr]).toEqual([2, expect.stringContaining('no key to sign with')]);
});
