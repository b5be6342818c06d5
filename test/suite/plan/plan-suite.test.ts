import { expect, test } from 'vitest';
import { PasskError, planSuite, renderPlan, runSuite } from '../../../src/index.ts';
import { aRouter } from '../scenarios.ts';

const scenarios = [
  aRouter({ name: 'strict', trials: 8 }),
  aRouter({ name: 'tolerant', trials: 20, minPassRate: 0.95 }),
  aRouter({ name: 'likewise', trials: 20, minPassRate: 0.95 }),
];

test('a plan says what every bar and gate can tell and the trials it needs, in 80 columns', async () => {
  const gates = ['scenario(tolerant).pass^8 >= 0.9', 'suite.pass_rate >= 0.9', 'suite.tokens <= 1e6'];
  const text = renderPlan(await planSuite({ scenarios, gates }));
  expect(text).toMatchInlineSnapshot(`
    "strict
      every trial passes: of 8 trials, all must pass.
      A true pass rate of 90 % passes this gate 43 % of the time; one of 99.9 %,
      99.2 %.
      With 299 trials, 99 % passes at most 5 % of the time and 100 % always passes.

    tolerant, likewise
      min_pass_rate = 0.95: of 20 trials, at least 19 must pass.
      A true pass rate of 90 % passes this gate 39 % of the time; one of 97.5 %,
      91.2 %.
      With 103 trials, 90 % passes at most 5 % of the time and 97.5 % is stopped at
      most 5 %. More are not always as good: 21 numbers up to 139 miss it (119:
      7.9 %); from 140 to 412 all keep it.

    gate scenario(tolerant).pass^8 >= 0.9
      Of 20 trials, all must pass.
      A true pass rate of 97.4 % passes this gate 59 % of the time; one of 99.35 %,
      88 %.
      With 399 trials, 97.4 % passes at most 5 % of the time and 99.35 % is stopped
      at most 5 %. More are not always as good: 101 numbers up to 614 miss it (462:
      8.5 %); from 615 to 1,596 all keep it.

    gate suite.pass_rate >= 0.9
      Scenarios differ in trials, so no chance to pass follows from the pass rate
      alone.

    gate suite.tokens <= 1e6
      It does not judge passes, so no chance to pass follows from the pass rate
      alone.

    the run as a whole
      When every scenario is good (half the failures that its strictest bar or gate
      allows), the run passes 80 % of the time; when one is bad (twice as many
      failures; 1 % where every trial must pass), at most 74 %.
      With 463 trials of each scenario the run passes at least 95 % of the time when
      all are good, and at most 5 % when one is bad. More are not always as good: 41
      numbers up to 614 miss it (538: 6.7 %); from 615 to 1,852 all keep it.
      Left out, because no chance follows from pass rates alone: suite.pass_rate >=
      0.9, suite.tokens <= 1e6.

    3 bars, 48 trials; nothing was run.
    "
  `);
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
});

test('the trials needed keep the wanted errors', async () => {
  const needed = async (falsePass: number, falseFail: number): Promise<number | undefined> =>
    (await planSuite({ scenarios, falsePass, falseFail })).scenarios[1]?.bar.needed?.trials;
  expect(await needed(0.05, 0.05)).toBe(103);
  expect(await needed(0.2, 0.2)).toBeLessThan(103);
});

test('a floor raises a bar, and trials replace the number of every scenario', async () => {
  const plan = await planSuite({ scenarios, minPassRate: 0.99, trials: 50 });
  expect(plan.trials).toBe(150);
  expect(plan.scenarios.map(({ name, trials, bar }) => [name, trials, bar.gate.text])).toEqual([
    ['strict', 50, 'every trial passes'],
    ['tolerant', 50, 'min_pass_rate = 0.99'],
    ['likewise', 50, 'min_pass_rate = 0.99'],
  ]);
});

test('an error rate that is none is refused', async () => {
  const error = await planSuite({ scenarios, falsePass: 5 }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(PasskError);
  expect(error).toMatchObject({ code: 'USAGE', message: '`falsePass` must be between 0 and 1, got 5.' });
});

test('says what stopping early would save, and warns of what will stay undecided', async () => {
  const [strict, tolerant] = [
    aRouter({ name: 'strict', trials: 8 }),
    aRouter({ name: 'tolerant', trials: 100, minPassRate: 0.99 }),
  ];
  const plan = await planSuite({
    scenarios: [strict, tolerant],
    gates: ['pass_rate.lower(0.95) >= 0.9'],
    stopEarly: 'sprt',
  });
  expect(plan.scenarios.map(({ stops }) => stops?.sentences)).toEqual([
    ['Its 8 trials are one block, so stopping early saves none.'],
    ['Its 100 trials are one block, so stopping early saves none.'],
  ]);
  expect(plan.warnings.map(({ code, message, hint }) => [code, message, hint])).toEqual([
    [
      'likely_undecided',
      'tolerant: with 100 trials the sequential test of its bar leaves 99.8 % of good runs undecided (exit code 3).',
      expect.stringMatching(/^Plan [\d,]+ trials or more\.$/),
    ],
    [
      'likely_undecided',
      'pass_rate.lower(0.95) >= 0.9: with 8 trials of strict it stays undecided in 99.4 % of runs at 95 % (exit code 3).',
      'Plan 351 trials or more.',
    ],
  ]);
  expect(renderPlan(plan)).toContain('! 2 notices\n');
  // Without the rule there is nothing to say of it.
  expect((await planSuite({ scenarios: [strict, tolerant] })).warnings).toEqual([]);
});

test('gates that every run meets are named', async () => {
  const gates = ['pass_rate >= 0', 'failed >= 0', 'suite.coverage <= 1', 'failed <= 1', 'pass_rate >= 0.1'];
  const { notices, gate } = await runSuite({ scenarios: [aRouter({ trials: 8 })], workers: 0, gates });
  expect(notices.filter(({ code }) => code === 'idle_gate').map(({ message }) => message)).toEqual([
    'pass_rate >= 0: every run meets this gate, so it proves nothing.',
    'failed >= 0: every run meets this gate, so it proves nothing.',
    'suite.coverage <= 1: every run meets this gate, so it proves nothing.',
  ]);
  expect(gate.expressions.map(({ verdict }) => verdict).slice(0, 3)).toEqual(['pass', 'pass', 'pass']);
});

test('a run is told of it before it begins, and its report keeps it', async () => {
  const told: string[] = [];
  const report = await runSuite({
    scenarios: [aRouter({ trials: 8, minPassRate: 0.3 })],
    workers: 0,
    gates: ['pass^16 >= 0.1'],
    onProgress: (event) => {
      if (event.kind === 'planned') told.push(...event.issues.map(({ message }) => message));
    },
  });
  expect(told).toEqual([
    'pass^16 >= 0.1: with 8 trials of router it stays undecided in 100 % of runs at 93.3 % (exit code 3).',
  ]);
  expect(report.notices.filter(({ code }) => code === 'likely_undecided').map(({ message }) => message)).toEqual(told);
  expect(report.gate.verdict).toBe('insufficient');
});

test('a bound over trials that are all the same is a warning, and none where something is drawn', async () => {
  const same = aRouter({ name: 'same', intel: { turns: [{ content: '{"way": "left"}' }] } });
  const gates = ['scenario(same).pass_rate.lower(0.95) >= 0.9', 'scenario(router).pass_rate.lower(0.95) >= 0.3'];
  const { notices } = await runSuite({ scenarios: [same, aRouter()], trials: 64, gates, workers: 0 });
  expect(notices.filter(({ code }) => code === 'same_trials_bound').map(({ message }) => message)).toEqual([
    'scenario(same).pass_rate.lower(0.95) >= 0.9: nothing is drawn in the scenario same, so that its trials are all the same, and a bound of them says nothing of a model.',
  ]);
});
