import { describe, expect, test } from 'vitest';
import { describeRun, type JudgedScenario } from '../../src/gate/describe-run.ts';
import { parseGate } from '../../src/gate/parse-gate.ts';
import { binomialAtLeast } from '../../src/stats/binomial.ts';
import type { Gate } from '../../src/types/reports/gate.ts';
import { aWorld, SCALE } from '../stats/a-world.ts';

function gate(text: string): Gate {
  const parsed = parseGate(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.gate;
}

const many = (count: number, trials: number, bar: number | null): readonly JudgedScenario[] =>
  Array.from({ length: count }, (_, at) => ({ name: `s${at}`, trials, bar }));

const describeSuite = (
  scenarios: readonly JudgedScenario[],
  gates: readonly string[] = [],
  others: readonly string[] = [],
) => describeRun({ scenarios, gates: gates.map(gate), others });

describe('the run as a whole', () => {
  // numbers.md, section 4: 103 trials are enough for one scenario, and stop 60 % of good runs of 20.
  test('passes when every scenario does', () => {
    const run = describeSuite(many(20, 103, 0.95));
    const [one, bad] = [binomialAtLeast(103, 0.975, 98), binomialAtLeast(103, 0.9, 98)];
    expect(run?.good).toBeCloseTo(one ** 20, 12);
    expect(run?.good).toBeCloseTo(0.4, 2);
    expect(run?.oneBad).toBeCloseTo(one ** 19 * bad, 12);
  });

  test('says bounds of chances as bounds', () => {
    const [sentence] = describeSuite(many(2, 1000, null), ['pass_rate >= 0.9999999'])?.sentences ?? [];
    expect(sentence).toMatch(/at most (?:\d+(?:\.\d+)?|100) %\.$/);
    const rare = describeRun(
      { scenarios: many(20, 1000, 0.9), gates: [], others: [] },
      { falsePass: 1e-4, falseFail: 1e-4 },
    );
    expect(rare?.sentences.join(' ')).toContain(
      'at least 99.9 % of the time when all are good, and at most 0.1 % when',
    );
    expect(rare?.sentences.join(' ')).not.toMatch(/at (?:most|least) (?:less|more)/);
  });

  test('needs more trials than one scenario, and the fewest that keep both errors', () => {
    const needed = describeSuite(many(20, 103, 0.95))?.needed;
    const errors = (trials: number): readonly [number, number] => {
      const least = Math.ceil(0.95 * trials - 1e-9);
      const [good, bad] = [binomialAtLeast(trials, 0.975, least), binomialAtLeast(trials, 0.9, least)];
      return [good ** 19 * bad, 1 - good ** 20];
    };
    const enough = (trials: number) => errors(trials).every((error) => error <= 0.05);
    const first = Array.from({ length: 1000 }, (_, i) => i + 1).find(enough);
    expect(needed?.trials).toBe(first);
    expect(first).toBeGreaterThan(206);
    const lapses = Array.from({ length: 3 * (first ?? 0) }, (_, i) => (first ?? 0) + 1 + i).filter((n) => !enough(n));
    expect(needed?.lapses).toMatchObject({ count: lapses.length, last: lapses.at(-1) });
  });

  test('keeps the errors that are wanted of it', () => {
    const needed = describeRun(
      { scenarios: many(20, 103, 0.95), gates: [], others: [] },
      { falsePass: 0.01, falseFail: 0.2 },
    )?.needed;
    expect(needed?.falsePass).toBeLessThanOrEqual(0.01);
    expect(needed?.falseFail).toBeLessThanOrEqual(0.2);
    expect(needed?.falseFail).toBeGreaterThan(0.05);
  });

  test('several gates on one scenario are met together, not each for itself', () => {
    const run = describeSuite(many(3, 200, 0.8), [
      'pass_rate >= 0.95',
      'pass_rate >= 0.9',
      'scenario(s1).pass^8 >= 0.9',
    ]);
    // Of 200 trials 190 are asked for; of s1, 198 for pass^8. Rates are those of the strictest.
    const plain = binomialAtLeast(200, 0.975, 190);
    const strict = run?.good ?? 0;
    const s1 = strict / plain ** 2;
    expect(s1).toBeCloseTo(binomialAtLeast(200, 1 - (1 - 0.9 ** (1 / 8)) / 2, 198), 3);
  });

  test('a scenario that must pass every trial is bad when 1 % of them fail, and never stops a good run', () => {
    const run = describeSuite(many(5, 8, null));
    expect([run?.good, run?.oneBad]).toEqual([1, 0.99 ** 8]);
    expect(run?.needed?.trials).toBe(299);
  });

  test('a gate on the mean of the suite lowers the chance by a bound that holds', () => {
    const scenarios = many(4, 40, 0.8);
    const run = describeSuite(scenarios, ['suite.pass_rate >= 0.88']);
    const { uniform } = aWorld(5);
    const times = 20_000 * SCALE;
    let passed = 0;
    for (let i = 0; i < times; i++) {
      const counts = scenarios.map(() => Array.from({ length: 40 }, uniform).filter((one) => one < 0.9).length);
      const mean = counts.reduce((sum, count) => sum + count, 0) / 160;
      if (mean >= 0.88 && counts.every((count) => count >= 32)) passed++;
    }
    expect(run?.good).toBeLessThan(passed / times + 0.01);
    expect(run?.good).toBeGreaterThan(passed / times - 0.1);
    expect(run?.sentences[0]).toContain('the run passes at least ');
  });

  test('names what it leaves out', () => {
    const run = describeSuite(many(2, 40, 0.8), ['suite.tokens <= 1e6', 'pass_rate <= 0.99'], ['contract Shop']);
    expect(run?.leftOut).toEqual(['suite.tokens <= 1e6', 'pass_rate <= 0.99', 'contract Shop']);
    expect(run?.sentences.at(-1)).toBe(
      'Left out, because no chance follows from pass rates alone: suite.tokens <= 1e6, pass_rate <= 0.99, contract Shop.',
    );
    const uneven = [...many(1, 10, 0.8), ...many(1, 20, 0.8)];
    expect(describeSuite(uneven, ['suite.pass_rate >= 0.8'])?.leftOut).toEqual(['suite.pass_rate >= 0.8']);
  });

  test('is not described where one bar is all there is, or nothing is sampled', () => {
    expect([describeSuite(many(1, 20, 0.9)), describeSuite([], ['pass_rate >= 0.9'])]).toEqual([null, null]);
  });

  test('says so where a scenario has too few trials for a gate', () => {
    const run = describeSuite(many(2, 4, 0.5), ['pass^8 >= 0.1']);
    expect([run?.good, run?.oneBad]).toEqual([0, 0]);
  });
});
