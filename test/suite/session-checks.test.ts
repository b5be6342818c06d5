import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  loadSuite,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
} from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-checks-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A till whose agent takes the money, or forgets to, by chance. */
const FILE = `name = "till"
trials = 8
min_pass_rate = 0
[session]
[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[[tasks]]
name = "take money"
user = { opening = "I want to pay." }
agents = [{ name = "a", turns = [{ variants = [
  { calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
  { says = "Thank you." },
] }] }]
[tasks.expected]
checks = [CHECKS]
`;

let count = 0;

/** A run with one check for each text of a module. */
function judged(sources: readonly string[], options: RunSuiteOptions = {}): Promise<SuiteReport> {
  const names = sources.map((source) => {
    const name = `rules${count++}.mjs`;
    writeFileSync(path.join(cwd, name), source);
    return name;
  });
  const file = `till${count++}.toml`;
  const checks = names.map((module, at) => `{ name = "rule ${at}", module = "${module}" }`);
  writeFileSync(path.join(cwd, file), FILE.replace('CHECKS', checks.join(', ')));
  const permissions = { run: names.map((name) => path.join(cwd, name)) };
  return runSuite({ cwd, paths: [file], seed: 1, workers: 1, permissions, ...options });
}

const first = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;

const PAID = `export default ({ calls, world }) => {
  if (world.state.after.paid.length === calls.length) return calls.length > 0 || 'Nobody paid.';
  return 'Money is lost.';
};`;

test('a function of the user judges the record of each trial, beside others, each told by its name', async () => {
  const list = `export default ({ turns, calls }) => [
    { name: 'thanks', passed: turns.some(({ parts }) => parts.some(({ text }) => text === 'Thank you.')) },
    { name: 'pays', passed: calls.length > 0, reason: 'no call of ' + turns.length + ' turns' },
  ];`;
  const report = await judged([PAID, list]);
  const { trials, checks, failures } = first(report);
  expect(trials).toMatchObject({ executed: 8, broken: 0 });
  expect(trials.passed).toBeGreaterThan(0);
  expect(trials.failed).toBeGreaterThan(0);
  expect(checks).toEqual([
    { check: 'rule 0', failed: trials.failed },
    { check: 'rule 1', failed: trials.failed },
  ]);
  expect(failures[0]?.findings.map(({ message }) => message)).toEqual([
    'rule 0: Nobody paid.',
    'rule 1: pays: no call of 2 turns',
  ]);
});

test.each<[string, string, string]>([
  ['throws', 'export default () => { throw new Error("no idea"); };', 'no idea'],
  ['changes the record', 'export default (record) => { record.trial = 7; return true; };', 'read only property'],
  ['gives a promise', 'export default async () => true;', 'gave a promise, which is no verdict'],
  ['gives nothing', 'export default () => {};', 'gave undefined, which is no verdict'],
  ['says false without a reason', 'export default () => false;', 'gave false, which is no verdict'],
  ['lists no verdict', 'export default () => [];', 'gave an empty list, which is no verdict'],
  ['lists what is none', 'export default () => [{ name: "x" }];', 'gave a list of something else'],
])('a check that %s breaks the trial, and fails none', async (_, source, why) => {
  const { trials, brokenCauses } = first(await judged([source]));
  expect(trials).toMatchObject({ passed: 0, failed: 0, broken: 8 });
  expect(brokenCauses?.[0]?.cause).toContain(why);
});

test('a check that hangs breaks its trial, and not those of others', async () => {
  const source = `export default ({ trial }) => { while (trial === 2) {} return true; };`;
  const { trials, brokenCauses } = first(await judged([source], { timeoutMs: 300 }));
  expect(trials).toMatchObject({ passed: 7, failed: 0, broken: 1 });
  expect(brokenCauses?.[0]?.lowestTrial).toBe(2);
});

test('the same seed gives the same bytes for any number of workers', async () => {
  const name = 'same.mjs';
  writeFileSync(path.join(cwd, name), PAID);
  writeFileSync(path.join(cwd, 'same.toml'), FILE.replace('CHECKS', `{ module = "${name}" }`));
  const bytes = async (workers: number): Promise<string> => {
    const report = await runSuite({
      cwd,
      paths: ['same.toml'],
      seed: 1,
      workers,
      permissions: { run: [path.join(cwd, name)] },
    });
    return renderReport(report, { reporter: 'json', timing: false });
  };
  expect(await bytes(2)).toBe(await bytes(0));
});

test('a module that was not granted is not run, and one that is not there is told', async () => {
  await expect(judged([PAID], { permissions: {} })).rejects.toThrow('--allow-run');
  writeFileSync(path.join(cwd, 'missing.toml'), FILE.replace('CHECKS', '{ module = "gone.mjs" }'));
  const { issues } = await loadSuite({ cwd, paths: ['missing.toml'] });
  expect(issues.map(({ message }) => message)).toEqual(['There is no module "gone.mjs".']);
});
