import { describe, expect, test } from 'vitest';
import { share, wholeNumber } from '../../src/settings/kinds.ts';

describe('a whole number', () => {
  test.each([
    ['0', 0, 0],
    ['12', 1, 12],
    ['1e6', 1, 1_000_000],
  ])('reads %s', (text, least, value) => {
    expect(wholeNumber(least).read?.(text)).toBe(value);
  });

  test.each(['', ' ', 'abc', '1.5', '-1', 'Infinity', 'NaN'])('refuses "%s"', (text) => {
    expect(() => wholeNumber(0).read?.(text)).toThrow('Expected a whole number of at least 0.');
  });

  test.each(['9007199254740993', '1e99'])('says the most that it may be, for %s', (text) => {
    expect(() => wholeNumber(0).read?.(text)).toThrow('Expected a whole number of at most 9,007,199,254,740,991.');
    expect(() => wholeNumber(1, 2 ** 32).read?.(text)).toThrow('Expected a whole number of at most 4,294,967,296.');
  });
});

describe('a share', () => {
  test.each([
    ['0', 0],
    ['0.95', 0.95],
    ['1', 1],
  ])('reads %s', (text, value) => {
    expect(share.read?.(text)).toBe(value);
  });

  test.each([
    ['95', 'Expected a number from 0 to 1; for 95 write 0.95.'],
    ['95%', 'Expected a number from 0 to 1; for 95% write 0.95.'],
    ['-1', 'Expected a number from 0 to 1.'],
    ['', 'Expected a number from 0 to 1.'],
    ['high', 'Expected a number from 0 to 1.'],
    ['250', 'Expected a number from 0 to 1.'],
  ])('refuses "%s"', (text, message) => {
    expect(() => share.read?.(text)).toThrow(message);
  });
});
