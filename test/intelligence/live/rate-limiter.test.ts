import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RatePass, RateLimiter } from '../../../src/intelligence/live/rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const OPEN = { maxConcurrent: 100, requestsPerMinute: null, tokensPerMinute: null };

/** Enters one request after the other and notes when each was let in. */
function enterAll(
  limiter: RateLimiter,
  tokens: readonly number[],
): { readonly at: number[]; readonly passes: RatePass[] } {
  const at: number[] = [];
  const passes: RatePass[] = [];
  for (const [ticket, count] of tokens.entries()) {
    void limiter.enter(ticket, count, NEVER).then((pass) => {
      at.push(Math.round(performance.now()));
      passes.push(pass);
    });
  }
  return { at, passes };
}

test('no more than so many are in flight, and the next goes as soon as one leaves', async () => {
  const limiter = new RateLimiter({ ...OPEN, maxConcurrent: 2 });
  const { at, passes } = enterAll(limiter, [0, 0, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(2);
  passes[0]?.leave(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(at.length).toBe(3);
});

test('any 60 s see at most so many requests begin', async () => {
  const limiter = new RateLimiter({ ...OPEN, requestsPerMinute: 2 });
  const start = Math.round(performance.now());
  const { at } = enterAll(limiter, [0, 0, 0, 0, 0]);
  await vi.advanceTimersByTimeAsync(130_000);
  expect(at.map((time) => time - start)).toEqual([0, 0, 60_000, 60_000, 120_000]);
});

test('tokens really used make room that the estimate did not see', async () => {
  const limiter = new RateLimiter({ ...OPEN, tokensPerMinute: 100 });
  const { at, passes } = enterAll(limiter, [80, 80]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(1);
  passes[0]?.leave(10);
  await vi.advanceTimersByTimeAsync(0);
  expect(at.length).toBe(2);
});

test('a request larger than the limit goes alone', async () => {
  const limiter = new RateLimiter({ ...OPEN, tokensPerMinute: 100 });
  const start = Math.round(performance.now());
  const { at } = enterAll(limiter, [10, 500, 10]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(at.map((time) => time - start)).toEqual([0, 60_000, 120_000]);
});

test('a pause holds everybody back, and the lowest ticket goes first after it', async () => {
  const limiter = new RateLimiter({ ...OPEN, maxConcurrent: 1 });
  const order: number[] = [];
  limiter.pause(5000);
  for (const ticket of [7, 3, 5]) {
    void limiter.enter(ticket, 0, NEVER).then((pass) => {
      order.push(ticket);
      pass.leave(null);
    });
  }
  await vi.advanceTimersByTimeAsync(4999);
  expect(order).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect(order).toEqual([3, 5, 7]);
});

test('whoever gives up leaves the queue and holds nobody back', async () => {
  const limiter = new RateLimiter({ ...OPEN, maxConcurrent: 1 });
  const first = await limiter.enter(0, 0, NEVER);
  const stop = new AbortController();
  const given = limiter.enter(1, 0, stop.signal);
  const next = limiter.enter(2, 0, NEVER);
  stop.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  first.leave(null);
  await expect(next).resolves.toBeDefined();
});

test('models that share a limiter share the strictest limits', async () => {
  const limiter = new RateLimiter({ ...OPEN, requestsPerMinute: 10 });
  limiter.tighten({ maxConcurrent: 3, requestsPerMinute: null, tokensPerMinute: null });
  limiter.tighten({ maxConcurrent: 50, requestsPerMinute: 2, tokensPerMinute: null });
  const { at } = enterAll(limiter, [0, 0, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(2);
});
