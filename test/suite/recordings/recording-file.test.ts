import { describe, expect, it } from 'vitest';
import { renderReport, runSuite, traceTrial } from '../../../src/index.ts';
import { isSampled } from '../../../src/types/reports/scenario-report.ts';
import { folderWith, tauRuns, tauText } from './tau-runs.ts';

const RULES = `name = "airline"
min_pass_rate = 0.5
tags = ["nightly"]

[recording]
files = ["runs.json"]

[[recording.invariants]]
id = "no-secret"
type = "excludes_pattern"
patterns = ["hunter2"]
`;

function run(text: string, runs = tauText(tauRuns({ a: 2, b: 1 }, 2))) {
  const cwd = folderWith({ 'airline.toml': text, 'runs.json': runs });
  return runSuite({ cwd, workers: 0 });
}

describe('a file with a table [recording]', () => {
  it('lays bars and rules over recorded runs, beside the verdict of their source', async () => {
    const says = [...tauRuns({ a: 2 }, 2), { task: 'b', trial: 0, reward: 1, says: 'It is hunter2.' }];
    const { scenarios, gate } = await run(RULES, tauText(says));
    const [scenario] = scenarios;
    expect(scenario).toMatchObject({
      name: 'airline',
      file: 'airline.toml',
      verdict: 'passed',
      minPassRate: 0.5,
      trials: { passed: 2, failed: 1 },
      checks: [{ check: 'no-secret', failed: 1 }],
    });
    expect(gate.verdict).toBe('pass');
    expect(scenario !== undefined && isSampled(scenario) && scenario.recording?.tasks).toBe(2);
  });

  it('without a bar needs every run to pass, as a scenario does', async () => {
    const { scenarios, notices } = await run(RULES.replace('min_pass_rate = 0.5\n', ''));
    expect(scenarios[0]).toMatchObject({ verdict: 'failed', checks: [{ check: 'verdict', failed: 1 }] });
    expect(notices.map(({ code }) => code)).not.toContain('no_bar');
  });

  it('with verdict = "own" believes nobody but its rules', async () => {
    const { scenarios } = await run(RULES.replace('files =', 'verdict = "own"\nfiles ='));
    expect(scenarios[0]).toMatchObject({ verdict: 'passed', trials: { passed: 4 } });
  });

  it('with checks has functions of the user judge each run, where they are granted', async () => {
    const text = RULES.replace('files =', 'verdict = "own"\nchecks = [{ module = "rules.mjs" }]\nfiles =');
    const says = [...tauRuns({ a: 1 }, 1), { task: 'b', trial: 0, reward: 0, says: 'It is seven.' }];
    const rules = `export default ({ turns }) =>
      turns.some(({ parts }) => parts.some(({ text }) => text === 'It is seven.')) || 'It does not say seven.';`;
    const cwd = folderWith({ 'airline.toml': text, 'runs.json': tauText(says), 'rules.mjs': rules });
    const permissions = { run: ['rules.mjs'] };
    const { scenarios } = await runSuite({ cwd, workers: 1, permissions });
    expect(scenarios[0]).toMatchObject({
      trials: { passed: 1, failed: 1, broken: 0 },
      checks: [{ check: 'rules', failed: 1 }],
      failures: [{ trial: 0, findings: [{ message: 'rules: It does not say seven.' }] }],
    });
    const traced = await traceTrial({ cwd, file: 'airline.toml', trial: 0, permissions });
    expect(traced.result.findings).toMatchObject([{ message: 'rules: It does not say seven.' }]);
    await expect(runSuite({ cwd, workers: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('rules.mjs needs --allow-run='),
    });
  });

  it('with a table gold tells how many runs leave the gold calls of their source, and fails none of them', async () => {
    const text = `${RULES.replace('0.5', '1.0')}[recording.gold]\nmatch = "strict"\n`;
    const runs = [
      { task: 'a', trial: 0, reward: 1, calls: ['get', 'cancel'], gold: ['get', 'cancel'] },
      { task: 'a', trial: 1, reward: 1, calls: ['cancel', 'get'], gold: ['get', 'cancel'] },
      { task: 'b', trial: 0, reward: 1 },
    ];
    const { scenarios } = await run(text, tauText(runs));
    expect(scenarios[0]).toMatchObject({ verdict: 'passed', trials: { passed: 3 } });
    const gold = { check: 'gold', judged: 2, struck: 0, disobeyedStruck: 0, undecided: 1, unasked: 0, advised: 1 };
    expect(scenarios[0] !== undefined && isSampled(scenarios[0]) && scenarios[0].rulings?.at(-1)).toEqual(gold);
    const counted = await run(`${text}counts = true\n`, tauText(runs));
    expect(counted.scenarios[0]).toMatchObject({ verdict: 'failed', checks: [{ check: 'gold', failed: 1 }] });
    expect(renderReport(counted, { columns: 200 })).toContain(
      'gold calls: 1 of 2 runs differ; 1 run without gold calls',
    );
    expect(JSON.stringify(counted.scenarios[0])).toContain(
      'gold: expected the gold calls in their order, got ORDER_ONLY: the gold calls in another order: \\"cancel, get\\"; gold: \\"get, cancel\\"; first divergence: call 1',
    );
  });

  it('with a table gold compares the arguments that it names, tool by tool, and refuses other ways', async () => {
    const wrong = tauText([{ task: 'a', trial: 0, reward: 1, calls: ['cancel'], gold: ['cancel'] }]).replace(
      '{\\"id\\": 1.0}',
      '{\\"id\\": 2, \\"note\\": \\"late\\"}',
    );
    const verdicts = async (lines: string): Promise<unknown> => {
      const { scenarios } = await run(`${RULES}[recording.gold]\ncounts = true\n${lines}`, wrong);
      return scenarios[0]?.verdict;
    };
    expect(await verdicts('')).toBe('failed');
    expect(await verdicts('args = "superset"\n')).toBe('failed');
    expect(await verdicts('[recording.gold.tools]\ncancel = ["reason"]\n')).toBe('passed');
    expect(await verdicts('[recording.gold.tools]\nget = "ignore"\n')).toBe('failed');
    await expect(verdicts('args = "exakt"\n')).rejects.toMatchObject({ issues: [{ at: { line: 14 } }] });
    await expect(verdicts('args = []\n')).rejects.toMatchObject({ issues: [{ at: { line: 14 } }] });
  });

  it('has its trials shown one by one', async () => {
    const cwd = folderWith({ 'airline.toml': RULES, 'runs.json': tauText(tauRuns({ a: 0 }, 1)) });
    const { result } = await traceTrial({ cwd, file: 'airline.toml', trial: 0 });
    expect(result.findings.map(({ check }) => check)).toEqual(['verdict']);
  });

  it('has every problem at once, with its place', async () => {
    const text = `name = "airline"
[recording]
files = ["none.json", "runs.json"]
[[recording.invariants]]
type = "excludes_pattern"
patterns = ["("]
[[recording.invariants]]
type = "exludes_pattern"
`;
    await expect(run(text)).rejects.toMatchObject({
      code: 'INPUT',
      issues: [{ at: { file: 'airline.toml', line: 8 } }, { at: { file: 'airline.toml', line: 6 } }],
    });
    await expect(run(text.replace(/\[\[.*/s, ''))).rejects.toMatchObject({
      issues: [{ code: 'file_missing', message: '"none.json" does not exist.', at: { file: 'airline.toml', line: 3 } }],
    });
    await expect(run('name = "a"\n[recording]\nfiles = []\n')).rejects.toMatchObject({
      issues: [{ message: '"recording.files" must not be empty.', at: { line: 3 } }],
    });
    await expect(run('name = "a"\n[recording]\nfiles = ["runs.json"]\nerors = "fail"\n')).rejects.toMatchObject({
      issues: [{ code: 'unknown_key', hint: 'Did you mean "errors"?', at: { line: 4 } }],
    });
  });

  it('may not read files outside of the project', async () => {
    await expect(run(RULES.replace('runs.json', '/etc/passwd'))).rejects.toMatchObject({
      issues: [{ code: 'file_outside' }],
    });
  });
});
