import { expect, test } from 'vitest';
import { referenceVariant } from '../../src/random/reference-variant.ts';

function row(variants: number, turn: number): string {
  return Array.from({ length: 12 }, (_, trial) => referenceVariant(trial, turn, variants)).join(' ');
}

test('picks what agentd-conformance picks', () => {
  expect([row(2, 0), row(2, 1), row(3, 0), row(3, 1), row(3, 2), row(4, 0), row(4, 1), row(5, 0), row(7, 0)]).toEqual([
    '0 1 0 1 0 1 0 1 0 1 0 1',
    '1 0 1 0 1 0 1 0 1 0 1 0',
    '0 1 1 2 2 2 0 0 1 1 1 2',
    '2 2 1 0 2 2 2 1 1 1 0 2',
    '0 2 1 0 1 0 0 2 0 2 0 2',
    '0 1 2 3 0 1 2 3 0 1 2 3',
    '3 2 1 0 3 2 1 0 3 2 1 0',
    '0 0 4 4 3 2 2 1 1 0 4 4',
    '0 4 6 3 5 0 4 6 3 5 0 4',
  ]);
});

test('a turn without a choice gives its only variant', () => {
  expect([referenceVariant(5, 3, 1), referenceVariant(5, 3, 0), referenceVariant(2 ** 32 - 1, 1, 2)]).toEqual([
    0, 0, 0,
  ]);
});
