import { expect, test } from 'vitest';
import { joinParts, wrapText } from '../../../src/report/text/wrap-text.ts';

test('a number stays on a line with its percent sign', () => {
  expect(wrapText('the interval at 95 % holds', 19)).toEqual(['the interval at', '95 % holds']);
});

test('a dot between parts never stands on a line of its own', () => {
  const parts = joinParts(['95 % of change −0.39 to −0.15', 'scenario changed']);
  expect(wrapText(parts, 30)).toEqual(['95 % of change −0.39 to', '−0.15 · scenario changed']);
});
