import { expect, test } from 'vitest';
import { renderReport } from '../../src/suite/render-report.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, onlyContract } from './contract-runs.ts';
import { aRouter } from './scenarios.ts';
import { aShopContract } from './shop-contract.ts';

const PROMPTS = ['Who am I?', 'Who are you?'];

test('an agent is not asked on after its first failing trial, whose prompts are all asked, for any number of workers', async () => {
  let asked = 0;
  const server = await anHttpServer((_, response) => {
    // From its third trial on it is wrong.
    response.end(asked++ < 2 * PROMPTS.length ? 'good' : 'bad');
  });
  const contract = `
golden_prompts = ${JSON.stringify(PROMPTS)}
[agent]
endpoint = "${server.origin}/ask"
[contract]
name = "order"
trials = 20
[[contract.invariants]]
id = "good"
type = "contains"
value = "good"
severity = "critical"
[[contract.chaos_matrix]]
name = "no-chaos"
`;
  await inFolder({ 'order.toml': contract }, async (cwd) => {
    const bytes: string[] = [];
    for (const workers of [0, 1, 2, 3]) {
      asked = 0;
      const permissions = { net: [`127.0.0.1:${server.port}`] };
      const report = await runSuite({ cwd, workers, bail: true, permissions });
      expect(asked).toBe(3 * PROMPTS.length);
      const [cell] = onlyContract(report).cells;
      expect([cell?.state, cell?.judged, cell?.obeyed, cell?.evidence?.trial]).toEqual(['failed', 3, 2, 2]);
      bytes.push(renderReport(report, { reporter: 'json', timing: false }));
    }
    expect(new Set(bytes).size).toBe(1);
  });
});

test('a contract that the plan answers ends at its first failing block, and what did not run is no evidence', async () => {
  await inFolder({ 'shop.toml': aShopContract({ minPassRate: 1, trials: 9000 }) }, async (cwd) => {
    const bytes: string[] = [];
    for (const workers of [0, 1, 2]) {
      const report = await runSuite({ cwd, workers, bail: true });
      const { cells } = onlyContract(report);
      const inColumn = cells.filter(({ invariant }) => invariant === 'cites');
      expect(inColumn.map(({ state, judged }) => [state, judged])).toEqual([
        ['failed', 4096],
        ['broken', 0],
        ['broken', 0],
      ]);
      bytes.push(renderReport(report, { reporter: 'json', timing: false }));
    }
    expect(new Set(bytes).size).toBe(1);
  });
});

test('with a number, the run goes on until so many scenarios have failed, in one process or in shards', async () => {
  const file = (name: string, fails: boolean): string => `
name = "${name}"
trials = 3
[workflow]
inline = '''
name = "w"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "say"
type = "template_render"
template = "hello"
'''
[[expected.values]]
node = "say"
path = "rendered"
equals = "${fails ? 'goodbye' : 'hello'}"
`;
  const names = ['a', 'b', 'c', 'd', 'e'];
  const files = Object.fromEntries(names.map((name, at) => [`${name}.toml`, file(name, at % 2 === 0)]));
  await inFolder(files, async (cwd) => {
    const executed = (report: SuiteReport): readonly number[] =>
      report.scenarios.map((one) => ('trials' in one ? one.trials.executed : -1));
    const whole = await runSuite({ cwd, workers: 0, bail: 2 });
    expect(executed(whole)).toEqual([3, 3, 3, 0, 0]);
    expect(executed(await runSuite({ cwd, workers: 2, bail: 2 }))).toEqual([3, 3, 3, 0, 0]);
    expect(executed(await runSuite({ cwd, workers: 0, bail: 9 }))).toEqual([3, 3, 3, 3, 3]);
    expect(executed(await runSuite({ cwd, workers: 0, bail: 0 }))).toEqual([3, 3, 3, 3, 3]);
    const shards = await Promise.all(
      [1, 2, 3].map(async (index) => ({
        name: `${index}`,
        bytes: (await runShard({ cwd, workers: 0, bail: 2, shard: { index, count: 3 } })).bytes,
      })),
    );
    const { report } = await mergeShards(shards);
    expect(renderReport(report, { reporter: 'json', timing: false })).toBe(
      renderReport(whole, { reporter: 'json', timing: false }),
    );
  });
});

test('a scenario whose bar trials could decide that bail left out is undecided in every report', async () => {
  const scenarios = [0.04, 0.4, 0.9, 0.96].map((minPassRate) => {
    return aRouter({ name: `bar ${minPassRate}`, trials: 40_000, minPassRate });
  });
  const outcomes: unknown[] = [];
  for (const scenario of scenarios) {
    const report = await runSuite({ scenarios: [scenario], bail: true });
    const [one] = report.scenarios;
    const junit = renderReport(report, { reporter: 'junit' });
    const element = /<(failure|error)/.exec(junit)?.[1] ?? 'passed';
    const row = renderReport(report, { reporter: 'text' }).split('\n')[1]?.slice(0, 6);
    outcomes.push([report.partial, one?.verdict, report.summary.undecided ?? 0, row, element, report.gate.verdict]);
  }
  expect(outcomes).toEqual([
    [true, 'passed', 0, '✓ pass', 'passed', 'pass'],
    [true, 'insufficient', 1, '? open', 'error', 'insufficient'],
    [true, 'insufficient', 1, '? open', 'error', 'insufficient'],
    [true, 'failed', 0, '✗ FAIL', 'failure', 'fail'],
  ]);
});
