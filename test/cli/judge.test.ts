import { expect, test } from 'vitest';
import type { JudgeTunnel } from '../../src/index.ts';
import { runPassk } from './run-passk.ts';

const QUICK = ['--pairs', '200', '--trials', '10'];

test('the tunnel shows which protocols recover the truth, and the same twice', async () => {
  const words = ['judge', 'tunnel', ...QUICK, '--bias', 'position=1', '--protocol', 'plain', '--protocol', 'swap'];
  const { status, stdout, stderr } = await runPassk(words);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^misses {4}plain .*covers 0 %/m);
  expect(stdout).toMatch(/^recovers {2}swap /m);
  expect((await runPassk(words)).stdout).toBe(stdout);
});

test('as JSON it lists protocols with rate, truth and coverage', async () => {
  const { status, stdout } = await runPassk(['judge', 'tunnel', ...QUICK, '--seed', '3', '--json']);
  const { seed, pairs, trials, judges, protocols } = JSON.parse(stdout) as JudgeTunnel;
  expect({ status, seed, pairs, trials }).toEqual({ status: 0, seed: 3, pairs: 200, trials: 10 });
  expect(protocols[0]).toMatchObject({ name: 'unswapped', swap: false, truth: 0.5, coverage: 0 });
  expect(protocols[1]).toMatchObject({ name: 'swapped', swap: true, truth: 0.5, recovers: true });
  expect(new Set(protocols.map(({ judge }) => judge))).toEqual(new Set(judges.map(({ name }) => name)));
});

test.each([
  [['--bias', 'position'], 'Expected a fault and a number: position=0.5.'],
  [['--bias', 'positon=1'], '"positon" is no fault of a judge.'],
  [['--protocol', 'swop'], '"swop" is no part of a protocol.'],
  [['--pairs', '0'], 'Expected a whole number of at least 1.'],
])('%j is a usage error', async (flags, message) => {
  const { status, stdout, stderr } = await runPassk(['judge', 'tunnel', ...flags]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
