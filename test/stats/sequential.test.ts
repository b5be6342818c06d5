import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confidenceSequence } from '../../src/stats/confidence-sequence.ts';
import { curtailed } from '../../src/stats/curtailment.ts';
import { firstDecided } from './first-decided.ts';
import { sprt, sprtDecision } from '../../src/stats/sprt.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';
import { boundsError, decimals } from './relative-error.ts';

const runs = fc
  .integer({ min: 1, max: 40 })
  .chain((trials) =>
    fc.tuple(fc.array(fc.boolean(), { minLength: trials, maxLength: trials }), fc.nat({ max: trials }), fc.nat()),
  );

describe('curtailment', () => {
  test('F-17: stops when failures exceed what the bar leaves, or passes reach it', () => {
    const passing = [19, 20] as const;
    expect(curtailed({ trials: 20, passed: 0, failed: 1 }, passing)).toBe(null);
    expect(curtailed({ trials: 20, passed: 10, failed: 2 }, passing)).toBe('fail');
    expect(curtailed({ trials: 20, passed: 18, failed: 1 }, passing)).toBe(null);
    expect(curtailed({ trials: 20, passed: 19, failed: 0 }, passing)).toBe('pass');
  });

  test('F-17: under the strict rule the first failure decides', () => {
    const verdicts = [true, true, false, true, false];
    const decide = (passed: number, failed: number) => curtailed({ trials: 5, passed, failed }, [5, 5]);
    expect(firstDecided(verdicts, decide)).toEqual({ decision: 'fail', trials: 3 });
  });

  test('a gate that no count, or every count, passes is decided before the first trial', () => {
    expect(curtailed({ trials: 4, passed: 0, failed: 0 }, null)).toBe('fail');
    expect(curtailed({ trials: 4, passed: 0, failed: 0 }, [0, 4])).toBe('pass');
    expect(firstDecided([], () => 'pass')).toBe(null);
  });

  test('the decision is that of the full run, and the prefix the smallest that allows it', () => {
    fc.assert(
      fc.property(runs, ([verdicts, least, spread]) => {
        const trials = verdicts.length;
        const most = Math.min(trials, least + (spread % (trials + 1)));
        const passed = verdicts.filter(Boolean).length;
        const full = passed >= least && passed <= most ? 'pass' : 'fail';
        const decide = (p: number, f: number) => curtailed({ trials, passed: p, failed: f }, [least, most]);
        expect(curtailed({ trials, passed, failed: trials - passed }, [least, most])).toBe(full);
        const stop = firstDecided(verdicts, decide);
        expect(stop?.decision).toBe(full);
        // One trial less, and both endings were possible (unless nothing needed to run).
        const before = (stop?.trials ?? 0) - 1;
        const sofar = verdicts.slice(0, before).filter(Boolean).length;
        if (before > 0) {
          const ends = new Set(
            Array.from({ length: trials - before + 1 }, (_, more) => sofar + more >= least && sofar + more <= most),
          );
          expect(ends.size).toBe(2);
        }
      }),
    );
  });
});

describe("Wald's test", () => {
  const test9095 = sprt({ bad: 0.9, good: 0.95 });

  test('F-17: increments, bounds and mean trials of 0.90 against 0.95', () => {
    const { onPass, onFail, acceptAt, rejectAt, meanTrials } = test9095;
    expect(decimals([onPass, onFail, acceptAt, rejectAt], 7)).toEqual([
      '0.0540672',
      '-0.6931472',
      '2.9444390',
      '-2.9444390',
    ]);
    expect(decimals([meanTrials.good, meanTrials.bad], 1)).toEqual(['158.6', '128.3']);
  });

  test('F-17: 55 straight passes accept, 5 straight failures reject, 68 + 1 accepts, 67 + 1 does not', () => {
    const decisions = [
      [54, 0],
      [55, 0],
      [0, 4],
      [0, 5],
      [67, 1],
      [68, 1],
    ].map(([passed = 0, failed = 0]) => sprtDecision(test9095, passed, failed));
    expect(decisions).toEqual([null, 'accept', null, 'reject', null, 'accept']);
  });

  test('refuses rates and errors that cannot be told apart', () => {
    expect(() => sprt({ bad: 0.95, good: 0.9 })).toThrow(
      'A test between 0.95 and 0.9 is impossible: give 0 < bad < good < 1.',
    );
    expect(() => sprt({ bad: 0.5, good: 0.9, falseAccept: 0.6, falseReject: 0.5 })).toThrow(
      'Error rates 0.6 and 0.5 are impossible: give positive ones, sum below 1.',
    );
  });
});

describe('confidence sequences', () => {
  test.each([
    [8, 8, ['0.522506', '1.000000']],
    [95, 100, ['0.839741', '0.993423']],
    [950, 1000, ['0.919829', '0.971765']],
    [84, 200, ['0.309308', '0.536396']],
    [0, 100, ['0.000000', '0.073284']],
  ])('F-17: %d of %d: %j', (passed, trials, bounds) => {
    expect(decimals(confidenceSequence(trials, passed) ?? [], 6)).toEqual(bounds);
  });

  // 40 digits of mpmath, rounded.
  test.each<[number, number, readonly [number, number]]>([
    [95, 100, [0.8397411262328004, 0.993422873833361]],
    [84, 200, [0.3093083737875954, 0.5363957479337182]],
    [999_999_000, 1e9, [0.9999987901934622, 0.9999991840228736]],
    [5e8, 1e9, [0.4999189704570305, 0.5000810295429695]],
    [1, 1e9, [4.99999999525e-20, 2.7015405033702214e-8]],
  ])('holds its digits: %d of %d', (passed, trials, exact) => {
    expect(boundsError(confidenceSequence(trials, passed), exact)).toBeLessThan(1e-11);
  });

  test('F-17: looked at every 10 trials, 97 %% of passes clear 0.95 first at 1,510', () => {
    let trials = 10;
    while ((confidenceSequence(trials, Math.round(0.97 * trials))?.[0] ?? 0) < 0.95) trials += 10;
    expect(trials).toBe(1510);
  });

  test('holds the rate, mirrors, and is wider than Wilson, which may be looked at only once', () => {
    const counts = fc
      .tuple(fc.double({ min: 0, max: 9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([magnitude, rate]) => {
        const trials = Math.round(10 ** magnitude);
        return [Math.round(rate * trials), trials] as const;
      });
    fc.assert(
      fc.property(counts, fc.constantFrom(0.8, 0.95, 0.999), ([passed, trials], confidence) => {
        const [low = 2, high = -1] = confidenceSequence(trials, passed, confidence) ?? [];
        expect(0 <= low && low <= passed / trials && passed / trials <= high && high <= 1).toBe(true);
        const [mirrorLow = 0, mirrorHigh = 0] = confidenceSequence(trials, trials - passed, confidence) ?? [];
        expect(Math.abs(1 - mirrorHigh - low)).toBeLessThan(1e-12);
        expect(Math.abs(1 - mirrorLow - high)).toBeLessThan(1e-12);
        const [wilsonLow = 0, wilsonHigh = 0] = wilsonInterval(trials, passed, confidence) ?? [];
        expect(high - low).toBeGreaterThan((wilsonHigh - wilsonLow) * 0.9);
      }),
    );
    expect(confidenceSequence(0, 0)).toBe(null);
  });
});
