import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatMean, formatShort, formatSpeed } from '../../src/text/format-number.ts';

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

test('what is slow has a speed', () => {
  expect([0, 0.0312, 0.5, 3.24, 9.96, 77_300].map(formatSpeed)).toEqual(['0', '0.031', '0.50', '3.2', '10', '77 k']);
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
