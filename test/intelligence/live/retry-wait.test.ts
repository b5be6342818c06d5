import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/intelligence/live/retry-wait.ts';
import { backoffMs, MAX_BACKOFF_MS } from '../../../src/random/backoff.ts';

test('a wait is drawn evenly from 0 to a bound that doubles up to 60 s', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (retry, random) => {
      const bound = Math.min(500 * 2 ** retry, MAX_BACKOFF_MS);
      expect(backoffMs(retry, random)).toBeCloseTo(bound * random, 6);
    }),
  );
});

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  [{}, null],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' }, 360_000],
  [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-remaining-requests': '3' }, null],
  [
    {
      'x-ratelimit-reset-requests': '1.5s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '120ms',
      'x-ratelimit-remaining-tokens': '0',
    },
    1500,
  ],
  [{ 'x-ratelimit-reset-tokens': '1 fortnight', 'x-ratelimit-remaining-tokens': '0' }, null],
])('headers %j ask to wait %j ms', (headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected);
});
