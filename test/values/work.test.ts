import { expect, test } from 'vitest';
import { countWork, isWorkLow, TooMuchWork, withWork } from '../../src/values/work.ts';

test('without an allowance any amount of work may be done', () => {
  expect(() => countWork(2 ** 50)).not.toThrow();
  expect(isWorkLow()).toBe(false);
});

test('an allowance is low when half of it is used up, and ends what takes more', () => {
  const seen: boolean[] = [];
  const run = () =>
    withWork(100, () => {
      for (let i = 0; i < 11; i++) {
        countWork(10);
        seen.push(isWorkLow());
      }
    });
  expect(run).toThrow(TooMuchWork);
  expect(seen).toEqual([false, false, false, false, false, true, true, true, true, true]);
});

test('an allowance ends with what it was given for, also by an error, and one inside another counts by itself', () => {
  withWork(10, () => {
    expect(() => withWork(5, () => countWork(6))).toThrow(TooMuchWork);
    countWork(10);
    expect(() => countWork(1)).toThrow(TooMuchWork);
  });
  expect(() => countWork(1000)).not.toThrow();
});
