import { describe, expect, test } from 'vitest';
import { barGate, describeGate } from '../../src/gate/describe-gate.ts';
import { ratePercent } from '../../src/gate/gate-text.ts';
import { aGate } from './a-gate.ts';
import { processorMs } from '../support/processor-time.ts';

const chanceAt = (text: string, trials: number, rate: number): number | undefined =>
  describeGate(aGate(text), { trials }).characteristic.find((point) => point.rate === rate)?.chance;

describe('a gate described', () => {
  test('keeps rates apart that are close to 100 %, and gives them no more digits than that takes', () => {
    expect([0.9999998, 0.99999995, 0.9738, 0.99346, 0.8, 0.005, 1].map(ratePercent)).toEqual([
      '99.99998 %',
      '99.999995 %',
      '97.4 %',
      '99.35 %',
      '80 %',
      '0.5 %',
      '100 %',
    ]);
  });

  test('G-06: says how often workflows of several true pass rates pass it', () => {
    expect(chanceAt('pass_rate >= 0.95', 20, 0.9)?.toFixed(4)).toBe('0.3917');
    expect(chanceAt('pass_rate >= 0.95', 20, 0.95)?.toFixed(4)).toBe('0.7358');
    expect(chanceAt('pass_rate >= 0.95', 1000, 0.9)?.toExponential(3)).toBe('5.995e-9');
    expect(chanceAt('pass_rate >= 0.93', 1000, 0.93)?.toFixed(2)).toBe('0.53');
  });

  test('says it in words, with the trials that wanted errors need', () => {
    expect(describeGate(aGate(), { trials: 20, scenarios: 12 }).sentences).toEqual([
      'pass_rate >= 0.95: of 20 trials, at least 19 must pass.',
      'A true pass rate of 90 % passes this gate 39 % of the time; one of 97.5 %, 91.2 %.',
      'Where all 12 have 97.5 %, all of them pass it 33 % of the time.',
      'With 103 trials of each, 90 % passes at most 5 % of the time and 97.5 % is stopped at most 5 %. More are not always as good: 21 numbers up to 139 miss it (119: 7.9 %); from 140 to 412 all keep it.',
    ]);
  });

  test('holds as a whole value', () => {
    const { characteristic, sentences, ...rest } = describeGate(aGate(), { trials: 20 });
    expect(rest).toEqual({
      gate: aGate(),
      trials: 20,
      scenarios: 1,
      passing: [19, 20],
      needed: {
        trials: 103,
        bad: 0.9,
        falsePass: expect.closeTo(0.0479488733732, 12),
        good: 0.975,
        falseFail: expect.closeTo(0.045020850078738, 12),
        lapses: {
          count: 21,
          last: 139,
          worst: { trials: 119, error: 'falseFail', chance: expect.closeTo(0.0789, 4) },
        },
        lookedTo: 412,
      },
    });
    expect(characteristic.map(({ rate }) => rate)).toEqual([0.9, 0.925, 0.95, 0.975, 0.99]);
    expect(sentences).toHaveLength(3);
  });

  test.each([
    [
      'pass_rate.lower(0.95) >= 0.9',
      20,
      'pass_rate.lower(0.95) >= 0.9: of 20 trials, no result passes; plan more trials.',
    ],
    ['pass^8 >= 0.9', 4, 'pass^8 >= 0.9: 4 trials cannot tell; it needs 8.'],
    ['pass^8 >= 0.9', 8, 'pass^8 >= 0.9: of 8 trials, all must pass.'],
    ['pass_rate <= 20%', 10, 'pass_rate <= 20%: of 10 trials, at most 2 may pass.'],
    ['pass_rate == 0.5', 10, 'pass_rate == 0.5: of 10 trials, exactly 5 must pass.'],
    ['pass_rate == 0.55', 10, 'pass_rate == 0.55: of 10 trials, no result passes; plan more trials.'],
    ['pass_rate >= 0', 10, 'pass_rate >= 0: of 10 trials, every result passes: this gate proves nothing.'],
    [
      'cost_per_success <= 2000',
      8,
      'cost_per_success <= 2000: it does not judge passes, so no chance to pass follows from the pass rate alone.',
    ],
    [
      'suite.pass^8 >= 0.5',
      8,
      'suite.pass^8 >= 0.5: it depends on how scenarios differ, so no chance to pass follows from the pass rate alone.',
    ],
    ['suite.pass_rate >= 0.95', 1000, "suite.pass_rate >= 0.95: of the suite's 1,000 trials, at least 950 must pass."],
  ])('%s with %d trials: %s', (text, trials, sentence) => {
    expect(describeGate(aGate(text), { trials }).sentences[0]).toBe(sentence);
  });

  test('a gate on a bound keeps out its own bar, by default', () => {
    const needed = describeGate(aGate('pass_rate.lower(0.95) >= 0.9'), { trials: 20 }).needed;
    expect([needed?.trials, needed?.bad, needed?.good]).toEqual([351, 0.9, 0.95]);
    expect(needed?.falsePass).toBeLessThan(0.03);
  });

  test('takes the errors that the user wants', () => {
    const wanted = { bad: 0.94, falsePass: 0.01, good: 0.96, falseFail: 0.01 };
    const needed = describeGate(aGate(), { trials: 20 }, wanted).needed;
    expect(needed).toMatchObject({ bad: 0.94, good: 0.96 });
    expect((needed?.falsePass ?? 1) <= 0.01 && (needed?.falseFail ?? 1) <= 0.01).toBe(true);
    expect(describeGate(aGate(), { trials: 20 }, { bad: 0.99, good: 0.9 }).needed).toBe(null);
  });

  test("a suite's trials are those of all scenarios", () => {
    const description = describeGate(aGate('suite.pass_rate >= 0.95'), { trials: 8, scenarios: 30 });
    expect([description.passing, description.needed?.trials]).toEqual([[228, 240], 4]);
  });

  test('describes the bars that scenarios declare, and the rule that every trial must pass', () => {
    expect(describeGate(barGate(null), { trials: 8 }).sentences).toEqual([
      'every trial passes: of 8 trials, all must pass.',
      'A true pass rate of 90 % passes this gate 43 % of the time; one of 99.9 %, 99.2 %.',
      'With 299 trials of each, 99 % passes at most 5 % of the time and 100 % always passes.',
    ]);
    expect(describeGate(barGate(0.95), { trials: 8 }).passing).toEqual([8, 8]);
  });

  test('answers for 1e9 trials', () => {
    const before = processorMs();
    expect(describeGate(aGate('pass_rate.lower(0.99) >= 0.999'), { trials: 1e9 }).characteristic).toHaveLength(5);
    expect(processorMs() - before).toBeLessThan(2000);
  });
});
