import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barTexts, formatBar, formatInterval, formatRate, formatUpper, rateTexts } from '../../src/text/format-rate.ts';

test('a rate below 1 never reads as 1 and one above 0 never as 0', () => {
  expect([0, 0.5, 0.625, 0.999, 0.9999999, 1e-7, 3.2e-20, 1].map(formatRate)).toEqual([
    '0.00',
    '0.50',
    '0.63',
    '0.999',
    '0.9999999',
    '0.0000001',
    '3e-20',
    '1.00',
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2 ** 32 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
      const passed = Math.min(trials - 1, Math.max(1, Math.round(share * trials)));
      expect(['0', '1']).not.toContain(String(Number(formatRate(passed / trials))));
    }),
  );
});

test('an interval keeps its ends apart from 0 and 1 the same way', () => {
  expect(formatInterval([0.67559, 1])).toBe('[0.68, 1.00]');
});

test('an interval that has a width shows it', () => {
  expect(formatInterval([0.49689, 0.50309])).toBe('[0.497, 0.503]');
  expect(formatInterval([0.25, 0.25])).toBe('[0.25, 0.25]');
});

test('an upper bound is never below what it bounds', () => {
  expect([0, 0.0106, 0.00299, 0.07, 0.0368, 0.215, 0.5, 1].map(formatUpper)).toEqual([
    '0.00',
    '0.011',
    '0.003',
    '0.07',
    '0.037',
    '0.22',
    '0.50',
    '1.00',
  ]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), (bound) => {
      expect(Number(formatUpper(bound)) - bound).toBeGreaterThan(-1e-6 * bound);
    }),
  );
});

test('a bar has all the decimals that somebody wrote, alone and beside rates', () => {
  expect([0, 0.9, 0.955, 0.9999999, 1].map(formatBar)).toEqual(['0.00', '0.90', '0.955', '0.9999999', '1.00']);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (millionths, rate) => {
      const bar = millionths / 1e6;
      expect([Number(formatBar(bar)), Number(barTexts(bar, rate)[0])]).toEqual([bar, bar]);
    }),
  );
});

test('a rate stays on its side of the bar beside it, and different rates stay different', () => {
  expect([barTexts(0.88, 0.875), barTexts(0.8, 0.7999999), rateTexts(0.5, 0.5004), rateTexts(0.25)]).toEqual([
    ['0.880', '0.875'],
    ['0.8000000', '0.7999999'],
    ['0.5000', '0.5004'],
    ['0.25'],
  ]);
});
