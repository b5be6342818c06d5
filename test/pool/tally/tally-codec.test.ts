import { decode, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PasskError } from '../../../src/errors.ts';
import { markBroken, markNotRun } from '../../../src/pool/repair/mark-broken.ts';
import { decodeTally, encodeTally, verdictsOf } from '../../../src/pool/tally/tally-codec.ts';
import { Tally } from '../../../src/trial/tally/tally.ts';
import type { TallyShape } from '../../../src/trial/tally/tally-shape.ts';

const SHAPE: TallyShape = {
  nodes: 4,
  edges: 30,
  checks: 5,
  variants: [2, 1, 3],
  faults: 4,
  rulings: 5,
  goals: 3,
  columns: '',
};
const EMPTY: TallyShape = { nodes: 0, edges: 0, checks: 0, variants: [], faults: 0, columns: '' };

interface FakeTrial {
  readonly trial: number;
  readonly verdict: 'passed' | 'failed' | 'broken';
  readonly checks: readonly number[];
  readonly amount: number;
}

const trialNumber = fc.oneof(fc.nat(200), fc.nat(2 ** 20 + 100), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const fakeTrials = fc.uniqueArray(
  fc.record<FakeTrial>({
    trial: trialNumber,
    verdict: fc.constantFrom('passed', 'failed', 'broken'),
    checks: fc.subarray([0, 1, 2, 3, 4]),
    amount: fc.nat(2 ** 31),
  }),
  { selector: ({ trial }) => trial, maxLength: 120 },
);

function run(trials: readonly FakeTrial[], shape = SHAPE): Tally {
  const tally = new Tally(shape);
  for (const { trial, verdict, checks, amount } of trials) {
    tally.counters[amount % 17] = (tally.counters[amount % 17] as number) + amount;
    tally.markUntold(trial, amount % 4 === 0 ? [amount % 17, 4] : []);
    tally.statuses[amount % 5] = (tally.statuses[amount % 5] as number) + 1;
    tally.addSquaredTokens(amount);
    tally.elapsedUs += amount;
    tally.maxElapsedUs = Math.max(tally.maxElapsedUs, amount);
    if (trial === 0) tally.first = Array.from({ length: 17 }, (_, i) => (i === 3 ? amount : 0));
    if (shape.edges > 0) tally.edgeVisits[amount % 30] = (tally.edgeVisits[amount % 30] as number) + 1;
    if (shape.variants.length > 0) tally.served[amount % 6] = (tally.served[amount % 6] as number) + 1;
    if (shape.faults > 0)
      tally.strikes.add({
        fired: Float64Array.of(amount % 3, 0, amount % 2, 1),
        calls: new Set([`call ${amount % 50}`]),
      });
    if (shape.checks > 0) tally.strikes.addRuling(amount % 5, amount % 64);
    const turns = [amount % 2 === 0 ? 1 : null, amount % 3 === 0 ? 4 : null, null];
    tally.sessions?.add(
      {
        end: 'user_done',
        tools: [],
        validCalls: amount % 5,
        emptyAnswers: amount % 2,
        gold: null,
        progress: { goals: turns.map((turn, at) => ({ name: `goal ${at}`, turn })), most: amount % 3 },
      },
      amount % 7,
      verdict === 'passed',
    );
    const call = { message: amount % 3 === 0 ? null : 1, tool: 'pay', args: `{"cents":${amount}}` };
    tally.sessions?.keepTrail(verdict === 'passed', trial, () => {
      const calls = [call, { ...call, by: 'cashier' }].slice(0, amount % 3);
      return { trial, made: amount, digest: '0123456789abcdef', calls };
    });
    if (verdict === 'passed') {
      tally.markPassed(trial);
      tally.observedLow |= 1 << (amount % 32);
    } else if (verdict === 'broken') (amount % 3 === 0 ? markNotRun : markBroken)(tally, trial, aCause(amount));
    else tally.markFailed(trial, shape.checks === 0 ? [] : checks);
  }
  return tally;
}

/** Short and long causes, many trials with each. */
function aCause(amount: number): string {
  return amount % 2 === 0 ? `cause ${amount % 90} ä€😀` : '😀'.repeat(100 + (amount % 90));
}

/** Words up to the last that is not 0. */
const lastWord = ({ verdicts }: Tally) => verdicts.words.findLastIndex((word) => word !== 0) + 1;
const bytes = (tally: Tally) => Buffer.from(encodeTally(tally)).toString('hex');
const merge = (...tallies: readonly Tally[]) => {
  const sum = new Tally(SHAPE);
  for (const tally of tallies) sum.merge(decodeTally(encodeTally(tally), SHAPE));
  return sum;
};
/** Splits by position into three, so that the parts cover different trials. */
const parts = (trials: readonly FakeTrial[]) =>
  [0, 1, 2].map((part) => run(trials.filter((_, index) => index % 3 === part))) as [Tally, Tally, Tally];

describe('an encoded tally', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(fakeTrials, fc.constantFrom(SHAPE, EMPTY), (trials, shape) => {
        const tally = run(trials, shape);
        expect(bytes(decodeTally(encodeTally(tally), shape))).toBe(bytes(tally));
        expect(verdictsOf(encodeTally(tally))).toEqual({
          passed: tally.passed,
          failed: tally.failed,
          broken: tally.broken,
        });
      }),
    );
  });

  test('is a commutative monoid under merge, with the empty tally as identity', () => {
    fc.assert(
      fc.property(fakeTrials, (trials) => {
        const [a, b, c] = parts(trials);
        expect(bytes(merge(a, b))).toBe(bytes(merge(b, a)));
        expect(bytes(merge(merge(a, b), c))).toBe(bytes(merge(a, merge(b, c))));
        expect(bytes(merge(a, new Tally(SHAPE)))).toBe(bytes(a));
        expect(bytes(merge(new Tally(SHAPE), a))).toBe(bytes(a));
      }),
    );
  });

  test('of a whole range equals the merge of its parts', () => {
    fc.assert(
      fc.property(fakeTrials, (trials) => {
        const ascending = [...trials].sort((a, b) => a.trial - b.trial);
        expect(bytes(merge(...parts(trials)))).toBe(bytes(run(ascending)));
      }),
    );
  });

  test('ships no slack and leaves zeros out', () => {
    const tally = new Tally({ nodes: 5000, edges: 5000, checks: 0, variants: [], faults: 0, columns: '' });
    tally.markPassed(1_000_000);
    const encoded = encodeTally(tally);
    expect(encoded.byteLength).toBeLessThan(100);
    expect(encoded.buffer.byteLength).toBe(encoded.byteLength);
  });

  test('of another shape, cut short or made up is an integrity error', () => {
    const whole = encodeTally(run([{ trial: 3, verdict: 'failed', checks: [1], amount: 7 }]));
    const refused = (data: Uint8Array, shape = SHAPE) => {
      expect(() => decodeTally(data, shape)).toThrow(
        expect.objectContaining({ name: 'PasskError', code: 'INTEGRITY' }),
      );
    };
    refused(whole, EMPTY);
    refused(whole, { ...SHAPE, variants: [2, 1, 4] });
    refused(whole, { ...SHAPE, faults: 5 });
    refused(whole, { ...SHAPE, columns: 'another digest' });
    refused(new Uint8Array(0));
    refused(encode([1, 2, 3]));
    for (let length = 0; length < whole.length; length++) refused(whole.subarray(0, length));
  });

  test('with a half of a number that is no half is refused: a sum would be another number', () => {
    const fields = decode(encodeTally(run([]))) as unknown[];
    const withLow = (low: number): Uint8Array => encode(fields.map((field, at) => (at === 9 ? low : field)));
    expect(decodeTally(withLow(2 ** 32 - 1), SHAPE).tokensSquaredLow).toBe(2 ** 32 - 1);
    expect(() => decodeTally(withLow(2 ** 32), SHAPE)).toThrow(PasskError);
  });

  test('with one verdict bit more than trials that passed is refused', () => {
    fc.assert(
      fc.property(fakeTrials, (trials) => {
        const tally = run(trials);
        for (let trial = 0; trial < tally.passed; trial++) tally.notePassed(trial * 97);
        const set = tally.verdicts.words.reduce((sum, word) => sum + word.toString(2).replaceAll('0', '').length, 0);
        tally.passed = set;
        expect(decodeTally(encodeTally(tally), SHAPE).verdicts.words).toEqual(
          tally.verdicts.words.subarray(0, lastWord(tally)),
        );
        tally.passed = set - 1;
        if (set > 0) expect(() => decodeTally(encodeTally(tally), SHAPE)).toThrow('more verdict bits are set');
      }),
    );
  });

  test('of an older format is refused by its number', () => {
    const fields = decode(encodeTally(run([]))) as unknown[];
    expect(fields[0]).toBe(17);
    expect(() => decodeTally(encode([3, ...fields.slice(2)]), SHAPE)).toThrow('they are of version 3, not 17');
  });

  test('that was tampered with is refused or still a tally, never a crash', () => {
    fc.assert(
      fc.property(fakeTrials, fc.nat(), fc.nat(255), (trials, at, byte) => {
        const data = encodeTally(run(trials));
        data[at % data.length] = byte;
        try {
          encodeTally(decodeTally(data, SHAPE));
        } catch (error) {
          if (!(error instanceof PasskError) || error.code !== 'INTEGRITY') throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});
