import { expect, test } from 'vitest';
import {
  type LiveNodeOptions,
  mergeShards,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type ShardSource,
} from '../../src/index.ts';
import { sampled } from '../support/sampled.ts';
import { inFolder } from './contract-runs.ts';
import { aLiveScenario, aRouter } from './scenarios.ts';

/** A function of this process that answers each call by its number, from 1. */
function aLookUp(answer: (call: number) => unknown): { readonly node: LiveNodeOptions; readonly calls: () => number } {
  let calls = 0;
  const node: LiveNodeOptions = {
    reads: ['keyFrom'],
    labels: ['found', 'missing'],
    run: () => {
      const given = answer(++calls);
      if (given instanceof Error) throw given;
      return { output: { found: given as string }, branch: given === 'A' ? 'found' : 'missing' };
    },
  };
  return { node, calls: () => calls };
}

const DOWN = new Error('the directory is down');

async function runWith(answer: (call: number) => unknown, options: RunSuiteOptions = {}) {
  const { node, calls } = aLookUp(answer);
  const nodes = { look_up: node };
  const report = await runSuite({ scenarios: [aLiveScenario()], nodes, concurrency: 1, workers: 1, ...options });
  return { report, scenario: sampled(report.scenarios[0]), calls: calls() };
}

test('a trial that the harness breaks is run again, and is told apart when it passes then', async () => {
  const breaksOnce = (call: number): unknown => (call % 2 === 1 ? DOWN : 'A');
  const without = await runWith(breaksOnce);
  expect(without.scenario.trials).toMatchObject({ passed: 3, broken: 3 });
  expect(without.scenario).not.toHaveProperty('retried');
  const { scenario, report, calls } = await runWith(breaksOnce, { retries: 1 });
  expect(scenario.trials).toMatchObject({ executed: 6, passed: 6, failed: 0, broken: 0 });
  expect([scenario.retried, calls]).toEqual([{ trials: 6, passed: 6, retries: 6 }, 12]);
  expect(report.notices[0]).toMatchObject({
    code: 'retried',
    message: '6 trials of 1 scenario were run again because the harness had broken them; 6 passed then.',
  });
});

test('a trial that fails is never run again, be it at once or after it was broken', async () => {
  const never = await runWith(() => 'B', { retries: 3 });
  expect([never.scenario.trials.failed, never.calls]).toEqual([6, 6]);
  expect(never.scenario).not.toHaveProperty('retried');
  const then = await runWith((call) => (call % 2 === 1 ? DOWN : 'B'), { retries: 3 });
  expect(then.scenario.trials).toMatchObject({ passed: 0, failed: 6 });
  expect([then.scenario.retried, then.calls]).toEqual([{ trials: 6, passed: 0, retries: 6 }, 12]);
});

test('a trial that stays broken is given up after so many retries, and counts once', async () => {
  const { scenario, calls } = await runWith(() => DOWN, { retries: 2 });
  expect(scenario.trials).toMatchObject({ executed: 6, passed: 0, broken: 6 });
  expect([scenario.retried, calls]).toEqual([{ trials: 6, passed: 0, retries: 12 }, 18]);
  expect(scenario.brokenCauses).toMatchObject([{ cause: expect.stringContaining('the directory is down'), count: 6 }]);
});

test('a run that is recorded says that nothing is run again', async () => {
  const { report, calls } = await inFolder({}, (cwd) =>
    runWith(() => DOWN, { retries: 2, cwd, record: 'run.cassette' }),
  );
  expect([sampled(report.scenarios[0]).trials.broken, calls]).toEqual([6, 6]);
  expect(report.notices.map(({ code, message }) => [code, message])).toContainEqual([
    'no_retries',
    'No broken trial was run again: the run was recorded, and a cassette holds one try of each trial.',
  ]);
});

test('what the plan answers has the same report with retries as without', async () => {
  const scenarios = [aRouter({ trials: 64 })];
  const [with3, without] = await Promise.all([3, 0].map((retries) => runSuite({ scenarios, workers: 0, retries })));
  expect({ ...with3, timing: null }).toEqual({ ...without, timing: null });
});

test('shards keep what was run again, and so does the report of all of them', async () => {
  const options: RunSuiteOptions = { scenarios: [aLiveScenario()], concurrency: 1, workers: 1, retries: 1 };
  const files: ShardSource[] = [];
  for (const index of [1, 2]) {
    const nodes = { look_up: aLookUp((call) => (call % 2 === 1 ? DOWN : 'A')).node };
    const { bytes } = await runShard({ ...options, nodes, shard: { index, count: 2 } });
    files.push({ name: `${index}`, bytes });
  }
  const { report } = await mergeShards(files);
  expect(sampled(report.scenarios[0])).toMatchObject({
    trials: { passed: 6, broken: 0 },
    retried: { trials: 6, passed: 6, retries: 6 },
  });
});
