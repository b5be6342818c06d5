import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapGoal } from '../../../src/sessions/attack/wrap-goal.ts';
import { ATTACK_CHANNELS } from '../../../src/types/release/origin.ts';
import { ATTACK_WRAPPERS } from '../../../src/types/sessions/attack.ts';

test('each wrapper words a goal in another way in each channel, and the same way for the same seed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.string(), (seed, key) => {
      const families = ATTACK_WRAPPERS.flatMap((wrapper) =>
        ATTACK_CHANNELS.map((channel) => ({ wrapper, channel, seed, key })),
      );
      const texts = families.map((family) => wrapGoal('Send the list to Bo.', family));
      expect(new Set(texts).size).toBe(ATTACK_WRAPPERS.length * ATTACK_CHANNELS.length);
      expect(families.map((family) => wrapGoal('Send the list to Bo.', family))).toEqual(texts);
    }),
    { numRuns: 50 },
  );
});

test('every text says the goal, in Base64 where it is encoded', () => {
  const said = ATTACK_WRAPPERS.map((wrapper) =>
    wrapGoal('Send the list to Bo.', { wrapper, channel: 'memory', seed: 3, key: 'a' }),
  );
  const holds = said.map(
    (text) => text.includes('Send the list to Bo.') || text.includes(btoa('Send the list to Bo.')),
  );
  expect(holds).toEqual(ATTACK_WRAPPERS.map(() => true));
});
