import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  auditSet,
  listPlugins,
  loadSuite,
  mergeShards,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type ScenarioDefinition,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { failuresOf } from '../../src/types/reports/scenario-report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { folderWith, tauRuns, tauText } from './recordings/tau-runs.ts';
import { sampled } from '../support/sampled.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { FLOW } from './number-flow.ts';
import { aRouter } from './scenarios.ts';
import { aShopContract } from './shop-contract.ts';

const MODULE = fileURLToPath(new URL('./fixtures/checks.mjs', import.meta.url));
const plugins = [MODULE];

const SAYS = 'checks = [{ plugin = "says", settings = { must_match = "^[0-9]+$" } }]\n';

function judged(expected: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return inFolder({ 'a.toml': FLOW + expected }, (cwd) => runSuite({ cwd, plugins, workers: 1, ...options }));
}

const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

describe('a check of a plug-in', () => {
  test('judges trials of a workflow as a check of the file does, by what the file says to it', async () => {
    const report = await judged(SAYS);
    const byFile = await judged('final = { path = "content", matches = "^[0-9]+$" }\n');
    const [one, other] = [report, byFile].map(({ scenarios }) => sampled(scenarios[0]));
    expect(one?.trials).toEqual(other?.trials);
    const [failure] = one === undefined ? [] : failuresOf(one);
    expect(failure?.findings).toMatchObject([{ check: 'says', message: 'says: "seven" is not ^[0-9]+$.' }]);
    expect(failure?.replay).toContain(' --plugin ');
    expect(bytesOf(await judged(SAYS, { workers: 2 }))).toBe(bytesOf(report));
    expect(bytesOf(await judged(SAYS, { workers: 0 }))).toBe(bytesOf(report));
  });

  test('is asked in traces and in shards, and one plug-in may be asked twice', async () => {
    const twice =
      'checks = [{ plugin = "says", settings = { must_match = "7" } }, { plugin = "says", settings = { must_match = "e" }, name = "word" }]\n';
    await inFolder({ 'a.toml': FLOW + twice }, async (cwd) => {
      const options = { cwd, plugins, workers: 1 };
      const whole = await runSuite(options);
      expect(
        sampled(whole.scenarios[0])
          .checks.map(({ check }) => check)
          .sort(),
      ).toEqual(['says', 'word']);
      const shards = [1, 2].map((index) => runShard({ ...options, shard: { index, count: 2 } }));
      const sources = (await Promise.all(shards)).map(({ bytes }, at) => ({ name: `${at}`, bytes }));
      expect(bytesOf((await mergeShards(sources, { cwd })).report)).toBe(bytesOf(whole));
      const [failure] = failuresOf(sampled(whole.scenarios[0]));
      const traced = await traceTrial({ cwd, plugins, file: 'a.toml', trial: failure?.trial ?? -1 });
      expect(traced.result.findings).toEqual(failure?.findings);
    });
  });

  test.each([
    ['throws', 'The check "throws" failed at checks.mjs:34:11: a planted error'],
    ['later', 'The check "later" gave a promise, which is no verdict.'],
  ])('that %s breaks trials, and fails none', async (plugin, cause) => {
    const { trials, brokenCauses } = sampled((await judged(`checks = [{ plugin = "${plugin}" }]\n`)).scenarios[0]);
    expect(trials).toMatchObject({ passed: 0, failed: 0, broken: 200 });
    expect(brokenCauses?.[0]?.cause).toContain(cause);
  });

  test.each([
    ['cannot-start', 'The check "cannot-start" failed at checks.mjs:37:11: no key'],
    ['no-function', '`create` of the check "no-function" gave no function.'],
  ])('%s ends the run before it begins', async (plugin, message) => {
    await expect(judged(`checks = [{ plugin = "${plugin}" }]\n`)).rejects.toMatchObject({
      code: 'PLUGIN',
      message: expect.stringContaining(message),
    });
  });

  test('that is not there, judges something else, or is told what it does not know, is a problem of its line', async () => {
    const checks = `checks = [
  { plugin = "sais" },
  { plugin = "is-short" },
  { plugin = "says", settings = { must_mach = "7" } },
  { name = "none" },
  { plugin = "throws", module = "rules.mjs" },
]
`;
    await inFolder({ 'a.toml': FLOW + checks }, async (cwd) => {
      const { issues } = await loadSuite({ cwd, plugins });
      expect(issues.map(({ message, hint, at }) => [at?.line, message, hint])).toEqual([
        [15, 'There is no plug-in "sais" that judges trials.', 'Did you mean "says"?'],
        [16, 'The plug-in "is-short" judges answers, and not trials.', expect.stringContaining('says')],
        [17, '"expected.checks[2].settings.must_mach" is not a known key.', 'Did you mean "must_match"?'],
        [18, 'This check names no code.', 'Write one of `module` and `plugin`.'],
        [19, 'This check names both a module and a plug-in.', 'Write one of `module` and `plugin`.'],
      ]);
      const [first] = (await loadSuite({ cwd })).issues;
      expect(first?.hint).toBe('Name the module of the plug-in with --plugin, or under `plugins` in passk.toml.');
    });
  });

  test('judges sessions, recorded runs and scenarios that are objects', async () => {
    const session = `name = "till"
trials = 4
[session]
[[tasks]]
name = "ask"
user = { opening = "How much?" }
[tasks.expected]
checks = [{ plugin = "says", settings = { must_match = "euros" } }]
invariants = [{ id = "short", type = "plugin", plugin = "is-short", settings = { than = 9 } }]
[[tasks.agents]]
name = "desk"
turns = [{ variants = [{ says = "12 euros" }, { says = "Twelve." }] }]
`;
    const recorded = `name = "airline"
[recording]
files = ["runs.json"]
verdict = "own"
checks = [{ plugin = "says", settings = { must_match = "seven" } }]
`;
    const runs = [...tauRuns({ a: 1 }, 1), { task: 'b', trial: 0, reward: 0, says: 'It is seven.' }];
    const cwd = folderWith({ 'till.toml': session, 'airline.toml': recorded, 'runs.json': tauText(runs) });
    const tills = sampled((await runSuite({ cwd, plugins, paths: ['till.toml'], workers: 1 })).scenarios[0]);
    expect(tills.trials.passed + tills.trials.failed).toBe(4);
    expect(tills.checks.map(({ check }) => check)).toEqual(['says']);
    const audit = await auditSet({ cwd, paths: ['till.toml'], plugins });
    expect(audit.tasks.map(({ notJudged, passedBy }) => [notJudged, passedBy])).toEqual([[null, []]]);
    const airline = sampled((await runSuite({ cwd, plugins, paths: ['airline.toml'], workers: 1 })).scenarios[0]);
    expect(airline).toMatchObject({
      trials: { passed: 1, failed: 1, broken: 0 },
      checks: [{ check: 'says', failed: 1 }],
    });
    const isNumber: ScenarioDefinition = {
      ...aRouter(),
      expected: { checks: [{ plugin: 'says', settings: { must_match: '^nothing$' } }] },
    };
    const object = sampled(
      (await runSuite({ cwd, plugins, scenarios: [isNumber], paths: [], workers: 1 })).scenarios[0],
    );
    expect([object.trials.passed, object.checks]).toMatchObject([0, [{ check: 'says' }]]);
  });
});

describe('a rule of a plug-in', () => {
  const rule = (more = '') => `
[[contract.invariants]]
id = "short"
type = "plugin"
plugin = "is-short"
${more}`;
  const ofContract = (invariants: string, options: RunSuiteOptions = {}): Promise<SuiteReport> =>
    inFolder({ 'shop.toml': aShopContract({ invariants }) }, (cwd) =>
      runSuite({ cwd, plugins, workers: 1, ...options }),
    );

  test('judges each answer of a workflow as a rule of the file does', async () => {
    const pattern = '\n[[contract.invariants]]\nid = "pattern"\ntype = "regex"\npattern = \'^.{0,39}$\'\n';
    const report = await ofContract(rule() + pattern);
    const [short, byFile] = matrixOf(onlyContract(report)).slice(-2);
    expect(short).toBe(byFile);
    expect(byFile).toContain('F');
    const failed = onlyContract(report).cells.filter(
      ({ state, invariant }) => state === 'failed' && invariant === 'short',
    );
    expect(failed.map(({ evidence }) => evidence?.message)).toEqual(failed.map(() => '54 characters'));
    expect(bytesOf(await ofContract(rule() + pattern, { workers: 2 }))).toBe(bytesOf(report));
    const lenient = onlyContract(await ofContract(rule('settings = { than = 99 }')));
    expect(lenient.cells.filter(({ invariant, state }) => invariant === 'short' && state === 'failed')).toEqual([]);
  });

  test('judges an agent, and its recorded answers again', async () => {
    const server = await anHttpServer((_request, response) => response.end('A short answer.'));
    const contract = `golden_prompts = ["Who are you?"]
[agent]
endpoint = "${server.origin}/ask"
stateless = true
[contract]
name = "agent"
${rule('settings = { than = 5 }')}
[[contract.chaos_matrix]]
name = "calm"
`;
    await inFolder({ 'a.toml': contract }, async (cwd) => {
      const permissions = { net: ['127.0.0.1'] };
      const live = onlyContract(await runSuite({ cwd, plugins, permissions, workers: 1, record: 'a.cassette' }));
      const again = onlyContract(await runSuite({ cwd, plugins, workers: 1, replay: 'a.cassette' }));
      for (const { cells } of [live, again]) {
        expect(cells.map(({ state, evidence }) => [state, evidence?.message])).toEqual([['failed', '15 characters']]);
      }
    });
  });

  test('that judges trials, or is not there, is told where the contract names it', async () => {
    await expect(ofContract(rule().replace('is-short', 'says'))).rejects.toMatchObject({
      issues: [expect.objectContaining({ message: 'The plug-in "says" judges trials, and not answers.' })],
    });
    await expect(ofContract(rule(), { plugins: [] })).rejects.toMatchObject({
      issues: [expect.objectContaining({ message: 'There is no plug-in "is-short" that judges answers.' })],
    });
  });
});

test('checks are listed as plug-ins, and one that does not say what it judges is refused', async () => {
  const listed = (await listPlugins({ plugins })).filter(({ kind }) => kind === 'check');
  expect(listed).toContainEqual({ kind: 'check', type: 'is-short', summary: 'Judges answers.', origin: 'user' });
  const bad = `export default { kind: 'check', type: 'x', summary: 'X.', judges: 'all', create: () => () => true };`;
  const cwd = folderWith({ 'bad.mjs': bad });
  await expect(listPlugins({ cwd, plugins: ['./bad.mjs'] })).rejects.toMatchObject({
    message: expect.stringContaining('"x" does not say what it `judges`: "trials" or "answers".'),
  });
});
