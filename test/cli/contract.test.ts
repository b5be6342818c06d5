import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aShopContract, type ShopChanges } from '../suite/shop-contract.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';
import { contractsOf } from '../suite/contract-runs.ts';

const FETCHED = `
[[replays.sources]]
type = "langsmith_run"
run_id = "r1"
`;

const COSTS_SOMETHING = `
[[contract.invariants]]
id = "costs-something"
type = "max_cost"
max_usd = 0
negate = true
severity = "low"
`;

/** A folder with a contract and a scenario. */
function inFolder(changes: ShopChanges = {}, more = ''): string {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'shop.toml'), more + aShopContract(changes));
  writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
  return cwd;
}

describe('passk contract run', () => {
  test('runs contracts only, and exits with their verdict', async () => {
    const cwd = inFolder();
    const held = await runPassk(['contract', 'run', '--json'], { cwd });
    const report = JSON.parse(held.stdout) as SuiteReport;
    expect([held.status, held.stderr, report.summary.scenarios]).toEqual([0, '', 0]);
    expect(report.results.map(({ name, verdict }) => [name, verdict])).toEqual([['Shop', 'passed']]);
    const broken = await runPassk(['contract', 'run', 'shop.toml'], { cwd: inFolder({ minPassRate: 1 }) });
    expect(broken.status).toBe(1);
    expect(broken.stdout.match(/4 critical cells failed: answers in model-busy,/g)).toHaveLength(1);
    expect(broken.stdout).toContain('✗ Gate FAILED\n  contract Shop failed.\n');
  });

  test('takes the flags of a run, and its red cells come with a command that shows them', async () => {
    const cwd = inFolder({ minPassRate: 1 });
    const args = ['contract', 'run', '--trials', '40', '--seed', '9', '--workers', '0', '--json'];
    const contracts = contractsOf(JSON.parse((await runPassk(args, { cwd })).stdout) as SuiteReport);
    const failed = contracts[0]?.cells.find(({ state }) => state === 'failed');
    expect([failed?.invariant, failed?.column, failed?.judged]).toEqual(['cites', 'calm', 80]);
    const words = failed?.evidence?.replay?.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    expect(words.slice(0, 4)).toEqual(['passk', 'trace', 'shop.toml', '--part']);
    const traced = await runPassk(words.slice(1), { cwd });
    expect([traced.status, traced.stderr]).toEqual([0, '']);
    expect(traced.stdout).toContain('cites\n');
  });

  test('judges costs by --price, asks for it where it is missing, and gives it to the command of a red cell', async () => {
    const cwd = inFolder({ invariants: COSTS_SOMETHING });
    const asked = await runPassk(['contract', 'run'], { cwd });
    expect([asked.status, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toContain('max_cost needs a price, and the contract "Shop" has none.');
    expect(asked.stderr).toContain('Give --price input=3,output=15');
    const args = ['contract', 'run', '--price', 'input=3,output=15', '--json'];
    const contracts = contractsOf(JSON.parse((await runPassk(args, { cwd })).stdout) as SuiteReport);
    const cell = contracts[0]?.cells.find(({ invariant }) => invariant === 'costs-something');
    expect(cell?.evidence?.message).toBe('expected more than $0, got $0');
    const words = cell?.evidence?.replay?.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    const traced = await runPassk(words.slice(1), { cwd });
    expect([traced.status, traced.stderr, traced.stdout.includes('costs-something')]).toEqual([0, '', true]);
    writeFileSync(path.join(cwd, 'passk.toml'), '[prices]\ninput = 3\noutput = 15\n');
    expect((await runPassk(['plan', 'shop.toml'], { cwd })).status).toBe(0);
    expect((await runPassk(['contract', 'score'], { cwd })).status).toBe(0);
  });

  test('says when there is no contract', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
    const { status, stdout, stderr } = await runPassk(['contract', 'run'], { cwd });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('No contract was selected; nothing was run.');
  });

  test('runs in parts, which merge into its report', async () => {
    const cwd = inFolder();
    for (const part of ['1', '2']) {
      await runPassk(['contract', 'run', '--shard', `${part}/2`, '--out', `${part}.shard`], { cwd });
    }
    const merged = await runPassk(['merge', '2.shard', '1.shard', '--json'], { cwd });
    const whole = await runPassk(['contract', 'run', '--json'], { cwd });
    const lasting = ({ timing: _, ...report }: SuiteReport): unknown => report;
    expect(lasting(JSON.parse(merged.stdout) as SuiteReport)).toEqual(lasting(JSON.parse(whole.stdout) as SuiteReport));
  });
});

describe('passk contract validate', () => {
  test('says what each file holds and runs nothing', async () => {
    const { status, stdout, stderr } = await runPassk(['contract', 'validate'], { cwd: inFolder() });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "contract  subject   invariants  columns  cells  prompts  trials  fails by        file
      Shop      workflow  4           3        8      2        200     critical cells  shop.toml
      "
    `);
  });

  test('prints every problem with its place, and exits with 2', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'bad.toml'), aShopContract().replace('severity = "high"', 'severity = "hihg"'));
    const text = await runPassk(['contract', 'validate'], { cwd });
    expect([text.status, text.stderr]).toEqual([2, '']);
    expect(text.stdout).toContain('\n  --> bad.toml:24:12\n');
    const json = await runPassk(['contract', 'validate', '--json'], { cwd });
    expect([json.status, JSON.parse(json.stdout).errors]).toEqual([2, 1]);
  });
});

describe('passk contract score', () => {
  test('prints the number and nothing else, whatever the verdict is', async () => {
    const passed = await runPassk(['contract', 'score'], { cwd: inFolder() });
    expect(passed).toEqual({ status: 0, signal: null, stdout: '90.48\n', stderr: '' });
    const failed = await runPassk(['contract', 'score', 'shop.toml'], { cwd: inFolder({ minPassRate: 1 }) });
    expect([failed.status, failed.stdout]).toEqual([1, expect.stringMatching(/^\d+\.\d\d\n$/)]);
    expect(failed.stderr).toMatch(
      /^passk: contract Shop failed\.\npassk: Shop: 4 critical cells failed: answers in model-busy/,
    );
  });

  test('prints no number where nothing could be scored', async () => {
    const { status, stdout, stderr } = await runPassk(['contract', 'score', 'nothing.toml'], { cwd: inFolder() });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('nothing.toml');
  });
});

describe('passk ci', () => {
  test('runs scenarios and contracts, and names what of the files it does not run', async () => {
    const { status, stdout, stderr } = await runPassk(['ci', '--json'], { cwd: inFolder({}, FETCHED) });
    const report = JSON.parse(stdout) as SuiteReport;
    expect([status, stderr, report.summary.scenarios, report.results.length]).toEqual([0, '', 1, 1]);
    expect(report.overall).toEqual({
      score: expect.closeTo(19 / 21, 9),
      phases: [{ phase: 'contract', score: expect.closeTo(19 / 21, 9), weight: 0.35, share: 1 }],
      notRun: [
        'replays.sources (shop.toml:2): No runs are fetched from LangSmith: name an export of them with file = "runs.jsonl".',
      ],
    });
  });

  test('holds the overall score to --min-score', async () => {
    const cwd = inFolder();
    expect((await runPassk(['ci', '--min-score', '0.9'], { cwd })).status).toBe(0);
    const below = await runPassk(['ci', '--min-score', '0.91'], { cwd });
    expect(below.status).toBe(1);
    expect(below.stdout).toContain('overall score 0.90 is below its bar 0.91.');
  });

  test('has no overall score without contracts, which a bar above 0 does not take for enough', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
    expect((await runPassk(['ci'], { cwd })).status).toBe(0);
    expect((await runPassk(['ci', '--min-score', '0.5'], { cwd })).status).toBe(3);
  });
});

describe('other commands', () => {
  test('run runs contracts with everything else', async () => {
    const { status, stdout } = await runPassk(['run', '--json'], { cwd: inFolder() });
    const report = JSON.parse(stdout) as SuiteReport;
    expect([status, report.summary.scenarios, report.results.length]).toEqual([0, 1, 1]);
  });

  test('list and plan show a contract as one', async () => {
    const cwd = inFolder();
    const list = await runPassk(['list'], { cwd });
    expect([list.status, list.stderr]).toEqual([0, '']);
    expect(list.stdout).toMatchInlineSnapshot(`
      "scenario  trials  file           tags
      greeting  8       greeting.toml
      Shop      1400    shop.toml      contract: calm, search-flaky, model-busy
      "
    `);
    const some = await runPassk(['list', '--name', 'Shop: calm'], { cwd });
    expect(some.stdout).toMatch(/^Shop {6}600 {5}shop.toml {2}contract: calm$/m);
    const plan = await runPassk(['plan', 'shop.toml', '--json'], { cwd });
    expect(
      JSON.parse(plan.stdout).scenarios.map((one: { name: string; trials: number }) => [one.name, one.trials]),
    ).toEqual([['Shop: each cell', 200]]);
  });

  test('trace and explain say what of a contract they can show', async () => {
    const cwd = inFolder();
    const trace = await runPassk(['trace', 'shop.toml'], { cwd });
    expect([trace.status, trace.stdout]).toEqual([2, '']);
    expect(trace.stderr).toMatchInlineSnapshot(`
      "passk: shop.toml is a contract of 7 parts.
      Name one with --part: "Shop: calm, prompt 1", "Shop: calm, prompt 2", "Shop: calm, probe 1", "Shop: search-flaky, prompt 1", "Shop: search-flaky, prompt 2", "Shop: model-busy, prompt 1", "Shop: model-busy, prompt 2".
      "
    `);
    const missing = await runPassk(['trace', 'shop.toml', '--part', 'clam, prompt 1'], { cwd });
    expect([missing.status, missing.stderr.split('\n')[0]]).toEqual([
      2,
      'passk: "clam, prompt 1" is no part of shop.toml.',
    ]);
    const explain = await runPassk(['explain', 'shop.toml'], { cwd });
    expect([explain.status, explain.stderr.split('\n')[0]]).toEqual([
      2,
      'passk: shop.toml is a contract, whose answers are not enumerated.',
    ]);
  });
});
