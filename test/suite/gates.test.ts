import { expect, test } from 'vitest';
import { exitCode, PasskError, renderReport, runSuite, type SuiteReport } from '../../src/index.ts';
import { aRouter } from './scenarios.ts';

const scenarios = [aRouter({ trials: 40 }), aRouter({ name: 'short', trials: 20 })];

function run(...gates: readonly string[]): Promise<SuiteReport> {
  return runSuite({ scenarios, gates, workers: 0 });
}

async function refusalOf(...gates: readonly string[]): Promise<PasskError> {
  const error = await run(...gates).catch((cause: unknown) => cause);
  if (error instanceof PasskError) return error;
  throw new Error('It ran.');
}

test('gates are judged with the bars, and say what they found and what they can tell', async () => {
  const { gate } = await run('pass_rate >= 0.01', 'suite.policy_denials == 0', 'scenario(short).pass_rate > 0.999');
  expect(gate.verdict).toBe('fail');
  expect(gate.expressions.map(({ gate: { text }, verdict, results }) => [text, verdict, results.length])).toEqual([
    ['pass_rate >= 0.01', 'pass', 2],
    ['suite.policy_denials == 0', 'pass', 1],
    ['scenario(short).pass_rate > 0.999', 'fail', 1],
  ]);
  expect(gate.expressions[0]?.tells.at(-1)).toBe('Scenarios have 20 to 40 trials; this is for the fewest.');
  expect(gate.expressions[1]?.tells).toEqual([]);
  expect(gate.reasons.at(-1)).toBe(gate.expressions[2]?.reason);
});

test('a gate that fails or stays open decides the exit code', async () => {
  const tolerant = aRouter({ trials: 20, minPassRate: 0 });
  const codeOf = async (...gates: readonly string[]): Promise<number> =>
    exitCode(await runSuite({ scenarios: [tolerant], workers: 0, gates }));
  expect([await codeOf(), await codeOf('failed >= 0')].join()).toBe('0,0');
  expect(await codeOf('suite.pass_rate >= 0.999')).toBe(1);
  expect(await codeOf('pass^64 >= 0.1')).toBe(3);
});

test('the text report shows each gate with its verdict, number and operating characteristic', async () => {
  const text = renderReport(await run('scenario(short).pass_rate.lower >= 0.95', 'suite.broken == 0'));
  const from = text.indexOf('✗ FAIL  scenario(short)');
  const end = text.indexOf('\n\n', from);
  expect(text.slice(from, end).replace(/is 0\.\d+ \(\d+/, 'is R (N')).toMatchInlineSnapshot(`
    "✗ FAIL  scenario(short).pass_rate.lower >= 0.95
              short: pass_rate.lower(0.95) is R (N of 20 trials passed); it must
              be at least 0.95.
              Of 20 trials, no result passes; plan more trials.
      ✓ pass  suite.broken == 0
              the suite: broken is 0 (over 2 scenarios); it must be exactly 0."
  `);
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
});

test('all gates that cannot be used are refused together, with their columns, frames and hints', async () => {
  const error = await refusalOf('pas_rate >= 0.9', 'pass_rate >= 0.9', 'pass_rate >= 95', '');
  expect(error.code).toBe('USAGE');
  expect(error.issues.map(({ message, hint }) => [message, hint])).toMatchInlineSnapshot(`
    [
      [
        "Gate 1, column 1: There is no metric "pas_rate".",
        "Did you mean "pass_rate"?",
      ],
      [
        "Gate 3, column 14: 95 is out of reach: the metric is between 0 and 1.",
        "Write 95% for a share.",
      ],
      [
        "Gate 4, column 1: There is no gate here.",
        "Write one, such as pass_rate >= 0.95.",
      ],
    ]
  `);
  expect(error.issues[0]?.at).toMatchInlineSnapshot(`
    {
      "column": 1,
      "endColumn": 9,
      "file": "gates[0]",
      "frame": "1 | pas_rate >= 0.9
      | ^~~~~~~~",
      "line": 1,
    }
  `);
});

test('a gate on a scenario that is not in the run is refused before anything runs', async () => {
  const error = await refusalOf('scenario(shrot).pass_rate >= 0.9');
  expect([error.code, error.message, error.issues[0]?.hint]).toMatchInlineSnapshot(`
    [
      "USAGE",
      "Gate 1, column 10: There is no scenario "shrot" in this run.",
      "Did you mean "short"?",
    ]
  `);
});
