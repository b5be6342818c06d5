import { describe, expect, test } from 'vitest';
import { describeStops, describeTest, USUAL_ERRORS } from '../../src/gate/describe-stops.ts';
import { parseGate } from '../../src/gate/parse-gate.ts';
import { undecidedChance } from '../../src/gate/undecided.ts';
import { binomialBetween } from '../../src/stats/binomial.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';
import { processorMs } from '../support/processor-time.ts';

describe('stopping early', () => {
  test('takes on average so many trials, under both rules', () => {
    const stops = describeStops({ bar: 0.95, trials: 103, block: 1 });
    expect([stops?.bad, stops?.good]).toEqual([0.9, 0.975]);
    expect(stops?.sprt?.bad.meanTrials).toBeLessThan(stops?.curtail.bad ?? 0);
    expect(stops?.sentences).toMatchInlineSnapshot(`
      [
        "With --stop-early it takes 59 trials on average at 90 % and 100 at 97.5 %; with --stop-early=sprt 44 and 60, and 13 % of runs at 97.5 % end undecided.",
      ]
    `);
  });

  test('a bar that every trial must meet ends with the first failure and has no test', () => {
    const stops = describeStops({ bar: null, trials: 100, block: 1 });
    expect(stops?.sprt).toBe(null);
    // The sum of 0.99^t: the trials before the first failure.
    expect(stops?.curtail).toEqual({ bad: expect.closeTo((1 - 0.99 ** 100) / 0.01, 9), good: 100 });
  });

  test('trials of one block save none', () => {
    expect(describeStops({ bar: 0.95, trials: 103, block: 4096 })?.sentences).toEqual([
      'Its 103 trials are one block, so stopping early saves none.',
    ]);
  });

  // numbers.md, section 4: 99 % of good runs of 100 trials at the bar 0.99 are undecided, and nothing warned.
  test('a test of too few trials says so, and how many are enough', () => {
    const few = describeTest({ bar: 0.99, trials: 100, block: 1 }, USUAL_ERRORS);
    expect(few?.good.undecided).toBeGreaterThan(0.98);
    const enough = describeTest({ bar: 0.99, trials: few?.needed ?? 0, block: 1 }, USUAL_ERRORS);
    expect(enough?.good.undecided).toBeLessThanOrEqual(0.05);
    expect(enough?.bad.undecided).toBeLessThanOrEqual(0.05);
  });

  test('a test that takes too long to work out is left out', () => {
    const started = processorMs();
    expect(describeTest({ bar: 0.9999999, trials: 2 ** 32, block: 1 }, USUAL_ERRORS)).toBe(null);
    expect(describeTest({ bar: 0.9999, trials: 2 ** 32, block: 4096 }, USUAL_ERRORS)?.good.undecided).toBeLessThan(
      1e-9,
    );
    expect(processorMs() - started).toBeLessThan(5000);
  });
});

describe('a gate stays undecided', () => {
  const chance = (text: string, trials: number) => {
    const parsed = parseGate(text);
    return parsed.ok ? undecidedChance(parsed.gate, trials) : undefined;
  };

  test('where no result proves or refutes it', () => {
    // Of 20 trials none proves 0.9; 12 failures would refute it.
    expect(chance('pass_rate.lower(0.95) >= 0.9', 20)?.chance).toBeGreaterThan(0.997);
    const at351 = chance('pass_rate.lower(0.95) >= 0.9', 351);
    expect(at351).toEqual({ rate: 0.95, chance: expect.closeTo(0.05, 2) });
  });

  test('for certain where it asks for more trials than there are, and never where a number is compared', () => {
    expect(chance('pass^16 >= 0.5', 8)?.chance).toBe(1);
    expect(chance('pass_rate >= 0.9', 8)?.chance).toBe(0);
    expect([chance('suite.pass_rate >= 0.9', 8), chance('tokens <= 5', 8)]).toEqual([null, null]);
  });

  test('as often as the pass counts between those that fail and those that pass', () => {
    const of = chance('pass_rate.lower(0.9) >= 0.8', 40);
    const ends = (passed: number) => wilsonInterval(40, passed, 0.9) ?? [0, 1];
    const counts = Array.from({ length: 41 }, (_, passed) => passed);
    const open = counts.filter((passed) => ends(passed)[0] < 0.8 && ends(passed)[1] >= 0.8);
    const sum = open.reduce((total, passed) => total + binomialBetween(40, 0.9, passed, passed), 0);
    expect(of?.chance).toBeCloseTo(sum, 12);
  });
});
