import { describe, expect, test } from 'vitest';
import {
  loadSuite,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { failuresOf } from '../../src/types/reports/scenario-report.ts';
import { sampled } from '../support/sampled.ts';
import { inFolder } from './contract-runs.ts';
import { FLOW } from './number-flow.ts';

const IS_NUMBER = `export default ({ workflow: { finalValue }, turns, calls, ending }) => {
  if (ending.status !== 'completed' || turns.length === 0) return 'It did not answer.';
  if (calls.length !== 1 || calls[0].result.parts[0].text !== finalValue.content) return 'It said something else.';
  return /^[0-9]+$/.test(finalValue.content) || \`"\${finalValue.content}" is no number.\`;
};
`;

/** A run of the workflow that a module judges. */
function judged(source: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  const files = { 'a.toml': `${FLOW}checks = [{ module = "rules.mjs" }]\n`, 'rules.mjs': source };
  return inFolder(files, (cwd) => runSuite({ cwd, permissions: { run: ['rules.mjs'] }, workers: 1, ...options }));
}

describe('a check that is a module', () => {
  test('judges the record of each trial as a check of the file would, whoever runs the trials', async () => {
    const report = await judged(IS_NUMBER);
    const plain = `${FLOW}final = { path = "content", matches = "^[0-9]+$" }\n`;
    const byFile = await inFolder({ 'a.toml': plain }, (cwd) => runSuite({ cwd, workers: 0 }));
    const [one, other] = [report, byFile].map(({ scenarios }) => sampled(scenarios[0]));
    expect(one?.trials).toEqual(other?.trials);
    expect(one?.failures.map(({ trial }) => trial)).toEqual(other?.failures.map(({ trial }) => trial));
    expect(one?.failures[0]?.findings).toEqual([expect.objectContaining({ message: 'rules: "seven" is no number.' })]);
    expect(one?.failures[0]?.replay).toMatch(/^passk trace a\.toml --trial \d+ --seed 0 --allow-run=rules\.mjs$/);
    const bytes = (one: SuiteReport): string => renderReport(one, { reporter: 'json', timing: false });
    for (const options of [{ workers: 2 }, { workers: 1, isolation: 'process' as const }]) {
      expect(bytes(await judged(IS_NUMBER, options))).toBe(bytes(report));
    }
  });

  test('finds in a trace what it found in the run, and stands beside all other checks', async () => {
    const files = {
      'a.toml': `${FLOW}status = "completed"\nmax_llm_calls = 0\nchecks = [{ module = "rules.mjs", name = "mine" }]\n`,
      'rules.mjs': IS_NUMBER,
    };
    await inFolder(files, async (cwd) => {
      const permissions = { run: ['rules.mjs'] };
      const { scenarios } = await runSuite({ cwd, permissions, workers: 1 });
      const [failure] = failuresOf(sampled(scenarios[0])).filter(({ findings }) => findings.length === 2);
      expect(failure?.findings.map(({ check }) => check)).toEqual(['mine', 'max_llm_calls']);
      const traced = await traceTrial({ cwd, file: 'a.toml', trial: failure?.trial ?? 0, permissions });
      expect(traced.result.findings).toEqual(failure?.findings);
    });
  });

  test('decides exactly where answers are enumerated, and once for trials that are counted like it', async () => {
    const [scenario] = (await judged(IS_NUMBER, { sampler: 'exhaustive' })).scenarios;
    expect(scenario).toMatchObject({ exact: { passRate: expect.closeTo(0.75, 9) } });
    const whole = sampled((await judged(IS_NUMBER)).scenarios[0]);
    const counted = sampled((await judged(IS_NUMBER, { dedupe: true })).scenarios[0]);
    expect([counted.trials.passed, counted.trials.failed]).toEqual([whole.trials.passed, whole.trials.failed]);
    expect(counted.trials.executed).toBeLessThan(whole.trials.executed);
  });

  test.each([
    [
      'throws',
      "export default () => { throw new Error('no key'); };",
      'The check of rules.mjs failed at rules.mjs:1:30: no key',
    ],
    ['gives no verdict', 'export default () => [];', 'The check of rules.mjs gave an empty list, which is no verdict.'],
    ['changes the record', 'export default (record) => { record.turns.push(1); };', 'is not extensible'],
  ])('that %s breaks trials, and fails none', async (_, source, cause) => {
    const { trials, brokenCauses } = sampled((await judged(source)).scenarios[0]);
    expect(trials).toMatchObject({ passed: 0, failed: 0, broken: 200 });
    expect(brokenCauses?.[0]?.cause).toContain(cause);
  });

  test('that exports no such function is told, and nothing is run', async () => {
    await expect(judged('export const other = () => true;')).rejects.toMatchObject({
      message: expect.stringContaining('The check rules.mjs exports no function "default".'),
      hint: expect.stringContaining('It exports: other.'),
    });
  });

  test('is run only where the user grants it', async () => {
    await expect(judged(IS_NUMBER, { permissions: {} })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('rules.mjs needs --allow-run='),
    });
    const live = {
      'a.toml': `${FLOW.replace(/\[\[intel[\s\S]*\n(?=\[exp)/, '')}checks = [{ module = "rules.mjs" }]\n`,
    };
    await inFolder({ ...live, 'rules.mjs': IS_NUMBER }, async (cwd) => {
      const models = { default: () => ({ content: '7' }) };
      const run = { cwd, models, permissions: { run: ['rules.mjs'] }, workers: 1 };
      expect((await runSuite(run)).summary.trials.passed).toBe(200);
      await expect(runSuite({ ...run, record: 'a.cassette' })).rejects.toMatchObject({
        message: 'a.toml has checks that are modules, which no replay runs.',
      });
    });
  });

  test('that is not there, or has the name of another, is told where the file names it', async () => {
    const checks = 'checks = [{ module = "none.mjs" }, { module = "rules.mjs" }, { module = "rules.mjs" }]\n';
    await inFolder({ 'a.toml': FLOW + checks, 'rules.mjs': IS_NUMBER }, async (cwd) => {
      const { issues } = await loadSuite({ cwd });
      expect(issues.map(({ message, at }) => [message, at?.line])).toEqual([
        ['There is no module "none.mjs".', 14],
        ['There is another check "rules".', 14],
      ]);
    });
  });
});
