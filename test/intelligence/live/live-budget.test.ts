import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LiveBudget, type Reservation } from '../../../src/intelligence/live/live-budget.ts';

test('whatever is asked and spent in whatever order, the limit is never passed', async () => {
  const calls = fc.array(
    fc.record({ most: fc.integer({ min: 1, max: 50 }), used: fc.double({ min: 0, max: 1, noNaN: true }) }),
  );
  await fc.assert(
    fc.asyncProperty(calls, fc.nat(200), async (asked, maxTokens) => {
      let told = 0;
      const budget = new LiveBudget({ maxTokens, maxNanoUsd: null }, () => told++);
      let spent = 0;
      let refused = 0;
      await Promise.all(
        asked.map(async ({ most, used }) => {
          const reservation = await budget.reserve({ tokens: most, nanoUsd: 0 });
          if (reservation === null) {
            refused++;
            return;
          }
          const tokens = Math.floor(most * used);
          await Promise.resolve();
          spent += tokens;
          reservation.settle({ tokens, nanoUsd: 0 });
        }),
      );
      expect(spent).toBeLessThanOrEqual(maxTokens);
      expect(told).toBe(refused > 0 ? 1 : 0);
    }),
  );
});

test('a call that does not fit waits for those in flight, which may spend less than they could', async () => {
  const budget = new LiveBudget({ maxTokens: null, maxNanoUsd: 100 }, () => undefined);
  const first = await budget.reserve({ tokens: 0, nanoUsd: 80 });
  const second = budget.reserve({ tokens: 0, nanoUsd: 80 });
  first?.settle({ tokens: 0, nanoUsd: 20 });
  expect(await second).not.toBeNull();
});

test('when it is used up, that is told once and nothing is granted any more', async () => {
  let told = 0;
  const budget = new LiveBudget({ maxTokens: 10, maxNanoUsd: null }, () => told++);
  const all: (Reservation | null)[] = [];
  for (const tokens of [11, 1, 1]) all.push(await budget.reserve({ tokens, nanoUsd: 0 }));
  expect([all, told, budget.isSpent]).toEqual([[null, null, null], 1, true]);
});
