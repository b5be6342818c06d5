import { expect, test } from 'vitest';
import { PasskError, planSuite, renderPlan } from '../../src/index.ts';
import { aRouter } from './scenarios.ts';

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
      A workflow that passes 90 % of trials passes this gate 43 % of the time; one
      that passes 99.9 %, 99.2 %.
      With 299 trials, 99 % passes at most 5 % of the time and 100 % always passes.

    tolerant, likewise
      min_pass_rate = 0.95: of 20 trials, at least 19 must pass.
      A workflow that passes 90 % of trials passes this gate 39 % of the time; one
      that passes 97.5 %, 91.2 %.
      With 103 trials, 90 % passes at most 5 % of the time and 97.5 % is stopped at
      most 5 %.

    gate scenario(tolerant).pass^8 >= 0.9
      Of 20 trials, all must pass.
      A workflow that passes 97.38 % of trials passes this gate 59 % of the time;
      one that passes 99.346 %, 88 %.
      With 399 trials, 97.38 % passes at most 5 % of the time and 99.346 % is
      stopped at most 5 %.

    gate suite.pass_rate >= 0.9
      Scenarios differ in trials, so no chance to pass follows from the pass rate
      alone.

    gate suite.tokens <= 1e6
      It does not judge passes, so no chance to pass follows from the pass rate
      alone.

    3 scenarios, 48 trials; nothing was run.
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
