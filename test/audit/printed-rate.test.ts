import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exceeds,
  parsePrintedRate,
  type PrintedRate,
  printedInterval,
  quotientValue,
  rateKey,
  sumsWithin,
} from '../../src/audit/printed-rate.ts';

function rate(text: string): PrintedRate {
  const read = parsePrintedRate(text);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

const reading = { whole: 100n, decimals: null, tasks: 50 };

test.each([
  ['82.50', { digits: 8250n, exponent: -2, hasPercentSign: false }],
  ['82.5%', { digits: 825n, exponent: -1, hasPercentSign: true }],
  ['82 %', { digits: 82n, exponent: 0, hasPercentSign: true }],
  ['.5', { digits: 5n, exponent: -1, hasPercentSign: false }],
  ['1e-2', { digits: 1n, exponent: -2, hasPercentSign: false }],
  ['39.69072164948454', { digits: 3969072164948454n, exponent: -14, hasPercentSign: false }],
])('%s keeps the digits it was printed with', (text, read) => {
  expect(parsePrintedRate(text)).toEqual(read);
});

test.each([
  ['82,5', 'has a comma'],
  ['-3', 'is below 0, which no pass^k is'],
  ['x', 'is no number'],
  ['', 'is no number'],
  ['.', 'is no number'],
  ['1.2.3', 'is no number'],
  ['1e9999', 'is no number'],
  ['Infinity', 'is no number'],
  ['0x10', 'is no number'],
  ['1'.repeat(41), 'has more than 40 digits'],
])('%s is refused', (text, problem) => {
  expect(parsePrintedRate(text)).toMatchObject({ problem });
});

test('the whole sums that a printed value leaves are those that round to it, ties to either side', () => {
  const cases = fc.record({
    tasks: fc.integer({ min: 1, max: 200 }),
    decimals: fc.integer({ min: 0, max: 4 }),
    units: fc.nat(10_000),
    whole: fc.constantFrom(1n, 100n),
  });
  fc.assert(
    fc.property(cases, ({ tasks, decimals, units, whole }) => {
      const text = (units / 10 ** decimals).toFixed(decimals);
      fc.pre(!exceeds(rate(text), whole));
      const draws = BigInt(tasks * 6);
      const interval = printedInterval(rate(text), { whole, decimals: null, tasks });
      const [low, high] = sumsWithin(interval, draws);
      const fitting = Array.from({ length: Number(draws) + 1 }, (_, sum) => BigInt(sum)).filter((sum) => {
        // |sum/draws·whole − units/10^d| ≤ 1/2 · 10^-d, without a division.
        const apart = 2n * (sum * whole * 10n ** BigInt(decimals) - BigInt(units) * draws);
        return (apart < 0n ? -apart : apart) <= draws;
      });
      const found = low > high ? [] : Array.from({ length: high - low + 1 }, (_, i) => BigInt(low + i));
      expect(found).toEqual(fitting);
    }),
  );
});

test('a double written in full stands for what it was computed from, whatever its last digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
      const [sum, draws] = [Math.min(a, b), Math.max(a, b)];
      // A mean by running sum, as others compute it; no two orders agree on the last digit.
      let mean = 0;
      for (let i = 0; i < sum; i++) mean += 1 / draws;
      // Some are short all the same, such as 1 for 2 of 200.
      const interval = printedInterval(rate(String(100 * mean)), { ...reading, decimals: 12, tasks: draws });
      expect(sumsWithin(interval, BigInt(draws))).toEqual([sum, sum]);
    }),
  );
});

test('decimals that were said count where fewer are printed', () => {
  const bounds = (text: string, decimals: number | null) =>
    sumsWithin(printedInterval(rate(text), { whole: 1n, decimals, tasks: 50 }), 200n);
  expect(bounds('0.5', null)).toEqual([90, 110]);
  expect(bounds('0.5', 2)).toEqual([99, 101]);
  expect(bounds('0.500', 2)).toEqual([100, 100]);
  expect(bounds('0', null)).toEqual([0, 100]);
  expect(bounds('0', 3)).toEqual([0, 0]);
  expect(bounds('0.001', null)).toEqual([1, 0]);
});

test('an interval is known as numbers, too', () => {
  const [low, high] = printedInterval(rate('82.5'), reading).map(quotientValue);
  expect([low, high]).toEqual([expect.closeTo(0.8245, 12), expect.closeTo(0.8255, 12)]);
});

test('one share is one key, with zeros or without, in percent or not', () => {
  const keys = [
    rateKey(rate('82.50'), 100n),
    rateKey(rate('82.5'), 100n),
    rateKey(rate('.825'), 1n),
    rateKey(rate('8.25e-1'), 1n),
    rateKey(rate('825'), 1n),
  ];
  expect(keys).toEqual(['825e-3', '825e-3', '825e-3', '825e-3', '825e0']);
  expect([rateKey(rate('0.00'), 1n), rateKey(rate('0'), 100n)]).toEqual(['0', '0']);
});
