import { expect, test } from 'vitest';
import { criterionText } from '../../src/canary/canary-texts.ts';

test('a criterion of which nothing is known yet says so, and one that is measured has its bounds', () => {
  const criterion = {
    state: 'open',
    low: null,
    high: null,
    value: null,
    bar: 0.95,
    outcomes: 0,
    isExtrapolated: false,
  } as const;
  expect([
    criterionText({ ...criterion, measure: 'pass_rate' }),
    criterionText({ ...criterion, measure: 'drop', bar: 0.05 }),
    criterionText({ ...criterion, measure: 'pass_rate', value: 0.99, low: 0.98, high: 1, outcomes: 1800 }),
  ]).toEqual([
    'pass rate: nothing tells of it yet; floor 0.95',
    'drop against the baseline: nothing tells of it yet; ceiling 0.05',
    'pass rate 0.99 [0.98, 1.00] of 1,800, floor 0.95',
  ]);
});
