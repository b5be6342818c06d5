import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeShards, planSuite, runShard } from '../../../src/index.ts';
import { CONFORM, runModels as run, says, specsIn } from './a-spec.ts';

const SPEC = `
- model: echo/good
  tests:${says('hello')}${says('you')}
- model: echo/wrong
  tests:${says('hello')}${says('something')}
`;

describe('gates on tests of models', () => {
  test('ask each, a model, a test, one cell, or how many failed', async () => {
    const gates = [
      'pass_rate >= 1',
      'model(echo/good).pass_rate == 1',
      'model(echo/wrong).pass_rate >= 0.5',
      'test(says hello).pass_rate >= 0.9',
      'model(echo/wrong).test(says something).pass^2 == 1',
      'failed_cells <= 1',
      'model(echo/good).cost_per_success <= 5',
    ];
    const cwd = specsIn({ echo: SPEC });
    const { gate } = await run(cwd, { gates, trials: 2 });
    expect(gate.expressions.map(({ gate: { text }, verdict, reason }) => [text, verdict, reason])).toEqual([
      [
        gates[0],
        'fail',
        'pass_rate >= 1: fails for 1 of 4 cells, first for echo: echo/wrong: says hello: pass_rate is 0.00 (0 of 2 trials passed); it must be at least 1.00.',
      ],
      [gates[1], 'pass', 'model echo/good: pass_rate is 1.00 (mean of 2 cells); it must be exactly 1.00.'],
      [gates[2], 'pass', 'model echo/wrong: pass_rate is 0.50 (mean of 2 cells); it must be at least 0.50.'],
      [gates[3], 'fail', 'test says hello: pass_rate is 0.50 (mean of 2 cells); it must be at least 0.90.'],
      [
        gates[4],
        'pass',
        'test says something of model echo/wrong: pass^2 is 1.00 (mean of 1 cell); it must be exactly 1.00.',
      ],
      [gates[5], 'pass', 'the suite: failed_cells is 1 (of 4 cells); it must be at most 1.'],
      [gates[6], 'pass', 'model echo/good: cost_per_success is 5 (20 tokens, 4 trials passed); it must be at most 5.'],
    ]);
    const shards: { readonly name: string; readonly bytes: Uint8Array }[] = [];
    for (const index of [1, 2]) {
      const { bytes } = await runShard({
        cwd,
        paths: ['.'],
        only: 'models',
        permissions: { run: true },
        trials: 2,
        shard: { index, count: 2 },
      });
      shards.push({ name: `${index}`, bytes });
    }
    expect((await mergeShards(shards, { gates })).report.gate).toEqual(gate);
    await expect(mergeShards(shards, { gates: ['model(nobody).pass_rate == 1'] })).rejects.toThrow(/no model "nobody"/);
  });

  test('that name what is not there are refused before anything is asked, and what was skipped is there', async () => {
    const cwd = specsIn({ echo: SPEC });
    await expect(run(cwd, { gates: ['model(echo/god).pass_rate == 1'] })).rejects.toMatchObject({
      code: 'USAGE',
      issues: [
        {
          message: 'Gate 1, column 7: There is no model "echo/god" in this run.',
          hint: expect.stringContaining('echo/good'),
        },
      ],
    });
    const skipping = specsIn({ echo: SPEC }, CONFORM.replace('echo = []', 'echo = ["PASSK_NO_SUCH_KEY"]'));
    const { gate } = await run(skipping, { gates: ['model(echo/good).pass_rate == 1'] });
    expect(gate.expressions[0]).toMatchObject({ verdict: 'insufficient', reason: 'model echo/good: has no cell.' });
  });

  test('say before the run what they can tell, and a floor raises the bar of each test', async () => {
    const cwd = specsIn({ echo: SPEC });
    const load = {
      cwd,
      paths: ['.'],
      only: 'models',
      permissions: { run: true },
      trials: 20,
      minPassRate: 0.9,
    } as const;
    const plan = await planSuite({ ...load, gates: ['pass_rate.lower >= 0.9', 'model(echo/good).pass_rate >= 0.95'] });
    expect(plan.gates.map(({ scenarios, sentences }) => [scenarios, sentences[0]])).toEqual([
      [4, 'pass_rate.lower >= 0.9: of 20 trials, no result passes; plan more trials.'],
      [2, 'model(echo/good).pass_rate >= 0.95: of the 40 trials of model echo/good, at least 38 must pass.'],
    ]);
    expect(plan.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'pass_rate.lower >= 0.9: with 20 trials of echo: echo/good: says hello it stays undecided',
      ),
    ]);
  });
});

test('what does not concern tests of models is said', async () => {
  const { notices } = await run(specsIn({ echo: SPEC }), { stopEarly: true });
  expect(notices.map(({ code, message }) => [code, message])).toEqual([
    ['models_apart', 'Tests of models ran all their trials: what is settled early are scenarios.'],
  ]);
});

/** Models that answer right but for a share of the answers, by chance of their own. */
function anEntry(salt: number, wrong: Readonly<Record<string, number>>): string {
  return `
let calls = 0;
export async function generate({ model, input }) {
  const said = input.messages.at(-1).content[0].text;
  let state = (++calls * 2654435761 + ${salt} * 40503) >>> 0;
  for (let i = 0; i < 3; i++) state = Math.imul(state ^ (state >>> 15), 2246822519) >>> 0;
  const share = ${JSON.stringify(wrong)}[model + ' ' + said] ?? 0.1;
  const text = state / 2 ** 32 < share ? 'no idea' : said;
  return { message: { role: 'model', content: [{ text }] }, usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5 } };
}
`;
}

describe('a baseline of tests of models', () => {
  const spec = ['a', 'b', 'c'].map((name) => `- model: echo/${name}\n  tests:${says('one')}${says('two')}`).join('\n');

  test('tells a test that got worse from chance, and keeps the history of each', async () => {
    const cwd = specsIn({ echo: spec });
    const entry = path.join(cwd, 'specs', 'echo', 'entry.mjs');
    const options = { trials: 80, samples: '1/80', testConcurrency: 1, history: 'runs' } as const;
    writeFileSync(entry, anEntry(1, {}));
    const first = await run(cwd, { ...options, saveBaseline: path.join(cwd, 'base.json') });
    expect(first.gate.verdict).toBe('pass');
    const names = ['a', 'b', 'c'].flatMap((name) => ['one', 'two'].map((word) => `echo: echo/${name}: says ${word}`));
    const kept = JSON.parse(readFileSync(path.join(cwd, 'base.json'), 'utf8')) as {
      readonly scenarios: readonly { readonly name: string; readonly trials: number }[];
    };
    expect(kept.scenarios.map(({ name, trials }) => [name, trials])).toEqual(names.map((name) => [name, 80]));

    const compare = { ...options, baseline: path.join(cwd, 'base.json') };
    writeFileSync(entry, anEntry(2, {}));
    const { drift: same, gate } = await run(cwd, compare);
    expect(same?.scenarios.map(({ name, comparison, test: by }) => [name, comparison, by])).toEqual(
      names.map((name) => [name, 'unpaired', 'fisher']),
    );
    expect([same?.verdict, same?.reasons, gate.verdict]).toEqual(['pass', [], 'pass']);

    writeFileSync(entry, anEntry(3, { 'echo/b two': 0.5 }));
    const { drift: worse, gate: failed } = await run(cwd, compare);
    expect(worse?.scenarios.filter(({ status }) => status === 'regressed').map(({ name }) => name)).toEqual([
      'echo: echo/b: says two',
    ]);
    expect([worse?.verdict, failed.verdict]).toEqual(['fail', 'fail']);

    const runs = readdirSync(path.join(cwd, 'runs')).filter((name) => name.endsWith('.json'));
    const last = JSON.parse(readFileSync(path.join(cwd, 'runs', runs.toSorted().at(-1) ?? ''), 'utf8')) as {
      readonly run: { readonly scenarios: readonly Readonly<Record<string, unknown>>[] };
    };
    expect(runs).toHaveLength(3);
    expect(last.run.scenarios.map(({ name }) => name)).toEqual(names);
    expect(last.run.scenarios[3]).toMatchObject({
      trials: 80,
      tokens: 5,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('does not call a test changed that is only asked more at a time', async () => {
    const cwd = specsIn({ echo: spec });
    const compare = { baseline: path.join(cwd, 'base.json'), trials: 3 };
    await run(cwd, { trials: 3, testConcurrency: 1, saveBaseline: compare.baseline });
    const { drift } = await run(cwd, { ...compare, testConcurrency: 7, pluginConcurrency: 2 });
    expect(drift?.scenarios.map(({ changed }) => changed)).toEqual([false, false, false, false, false, false]);
    const { drift: other } = await run(cwd, { ...compare, compat: 'js' });
    expect(other?.scenarios.every(({ changed }) => changed === true)).toBe(true);
  });

  test('may be the JSON report of an earlier run', async () => {
    const cwd = specsIn({ echo: spec });
    const entry = path.join(cwd, 'specs', 'echo', 'entry.mjs');
    writeFileSync(entry, anEntry(1, {}));
    const report = await run(cwd, { trials: 40, samples: '1/40' });
    writeFileSync(path.join(cwd, 'report.json'), JSON.stringify(report));
    const compare = { trials: 40, samples: '1/40', baseline: path.join(cwd, 'report.json') };
    writeFileSync(entry, anEntry(2, { 'echo/a one': 0.7 }));
    const { drift } = await run(cwd, compare);
    expect(drift?.scenarios.map(({ before, status }) => [before.trials, status])).toEqual([
      [40, 'regressed'],
      ...Array.from({ length: 5 }, () => [40, 'unchanged']),
    ]);
  });
});
