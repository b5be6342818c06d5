import { expect, test } from 'vitest';
import { turnKeys, turnLabels } from '../../src/intelligence/turn-labels.ts';
import type { Turn } from '../../src/types/scenario.ts';

const turn = (given: Partial<Turn> = {}): Turn => ({ repeat: false, variants: [], ...given });

const turns = [
  turn(),
  turn({ node: 'x' }),
  turn({ id: 'greeting' }),
  turn({ id: 'named', node: 'x' }),
  turn({ node: 'x' }),
  turn(),
];

test('labels say where a turn is found, keys stay when turns with ids come and go', () => {
  expect([turnLabels(turns), turnKeys(turns)]).toEqual([
    ['turns[0]', 'node:x[0]', 'greeting', 'named', 'node:x[2]', 'turns[5]'],
    ['queue#0', 'node:x#0', 'id:greeting', 'id:named', 'node:x#1', 'queue#1'],
  ]);
});
