import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatInterval,
  formatMean,
  formatRate,
  formatShort,
  formatUpper,
} from '../../src/report/format-number.ts';

test('a rate below 1 never reads as 1 and one above 0 never as 0', () => {
  expect([0, 0.5, 0.625, 0.999, 0.9999999, 1e-7, 1].map(formatRate)).toEqual([
    '0.00',
    '0.50',
    '0.63',
    '0.999',
    '0.9999999',
    '0.0000001',
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

test('counts have separators in every locale', () => {
  expect([0, 999, 1000, 1_234_567, 2 ** 53 - 1].map(formatCount)).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
    '9,007,199,254,740,991',
  ]);
});

test('means show as many decimals as say something', () => {
  expect([128, 1.5, 1.125, 72.04545, 1234.56, 9.999].map(formatMean)).toEqual([
    '128',
    '1.5',
    '1.13',
    '72.0',
    '1,234.6',
    '10.0',
  ]);
});

test('large numbers are short', () => {
  expect([0, 843, 999.6, 1234, 15_000, 1_234_567, 4e9, 5e15].map(formatShort)).toEqual([
    '0',
    '843',
    '1.0 k',
    '1.2 k',
    '15 k',
    '1.2 M',
    '4.0 G',
    '5,000 T',
  ]);
});

test('durations are said as people say them', () => {
  expect([0.4, 85, 999.7, 1234, 59_999, 125_000, 3_725_000].map(formatDuration)).toEqual([
    '0 ms',
    '85 ms',
    '1.00 s',
    '1.23 s',
    '1 min 00 s',
    '2 min 05 s',
    '1 h 02 min',
  ]);
});
