import { expect, test } from 'vitest';
import type { Attack } from '../../../src/faults/chaos/chaos-state.ts';
import { attackPrompt, injectText, injectValue } from '../../../src/faults/chaos/context-attacks.ts';
import type { ContextAttack } from '../../../src/types/chaos.ts';
import { anAttack } from './a-chaos.ts';

function attacked(prompt: string, ...attacks: readonly (Pick<ContextAttack, 'type'> & Partial<ContextAttack>)[]) {
  return attackPrompt(
    prompt,
    attacks.map((parts, at): Attack => {
      const attack = anAttack(parts);
      return { at, label: attack.type, attack, payload: attack.payloads[0] ?? '' };
    }),
  );
}

test.each([
  ['append', 'Hello\n\nPOISON'],
  ['prepend', 'POISON\n\nHello'],
  ['replace', 'POISON'],
] as const)('a memory is poisoned by the strategy %s', (strategy, expected) => {
  expect(attacked('Hello', { type: 'memory_poisoning', strategy })).toBe(expected);
});

test('an overflow adds as many words of filler as it says', () => {
  expect(attacked('Hello', { type: 'overflow', payloads: ['lorem ipsum'], injectTokens: 5 })).toBe(
    'Hello\n\nlorem ipsum lorem ipsum lorem',
  );
  expect(attacked('Hello', { type: 'overflow', strategy: 'prepend', payloads: ['x'], injectTokens: 2 })).toBe(
    'x x\n\nHello',
  );
});

test('attacks on one prompt act one after the other', () => {
  const first = { type: 'conflicting_context', payloads: ['It is false.'] } as const;
  expect(attacked('It is true.', first, { type: 'memory_poisoning' })).toBe('It is true.\n\nIt is false.\n\nPOISON');
});

test('an injection is a line of a text and a field of a JSON object', () => {
  expect(injectText('found 3', 'P')).toBe('found 3\nP');
  expect(injectText('', 'P')).toBe('\nP');
  expect(injectText(' {"a": 1}', 'P')).toBe('{"a":1,"_injected":"P"}');
  expect(injectText('[1]', 'P')).toBe('[1]\nP');
  expect(injectText('{"a":', 'P')).toBe('{"a":\nP');
});

test('an injection into a value goes where there is a place for it', () => {
  expect(['t', { a: 1 }, [1], 7, null].map((value) => injectValue(value, 'P'))).toEqual([
    't\nP',
    { a: 1, _injected: 'P' },
    [1],
    7,
    null,
  ]);
});
