import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LanePass, RateLane } from '../../../src/intelligence/live/rate-lane.ts';

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
function enterAll(lane: RateLane, tokens: readonly number[]): { readonly at: number[]; readonly passes: LanePass[] } {
  const at: number[] = [];
  const passes: LanePass[] = [];
  for (const [ticket, count] of tokens.entries()) {
    void lane.enter(ticket, count, NEVER).then((pass) => {
      at.push(Math.round(performance.now()));
      passes.push(pass);
    });
  }
  return { at, passes };
}

test('no more than so many are in flight, and the next goes as soon as one leaves', async () => {
  const lane = new RateLane({ ...OPEN, maxConcurrent: 2 });
  const { at, passes } = enterAll(lane, [0, 0, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(2);
  passes[0]?.leave(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(at.length).toBe(3);
});

test('any 60 s see at most so many requests begin', async () => {
  const lane = new RateLane({ ...OPEN, requestsPerMinute: 2 });
  const start = Math.round(performance.now());
  const { at } = enterAll(lane, [0, 0, 0, 0, 0]);
  await vi.advanceTimersByTimeAsync(130_000);
  expect(at.map((time) => time - start)).toEqual([0, 0, 60_000, 60_000, 120_000]);
});

test('tokens really used make room that the estimate did not see', async () => {
  const lane = new RateLane({ ...OPEN, tokensPerMinute: 100 });
  const { at, passes } = enterAll(lane, [80, 80]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(1);
  passes[0]?.leave(10);
  await vi.advanceTimersByTimeAsync(0);
  expect(at.length).toBe(2);
});

test('a request larger than the limit goes alone', async () => {
  const lane = new RateLane({ ...OPEN, tokensPerMinute: 100 });
  const start = Math.round(performance.now());
  const { at } = enterAll(lane, [10, 500, 10]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(at.map((time) => time - start)).toEqual([0, 60_000, 120_000]);
});

test('a pause holds everybody back, and the lowest ticket goes first after it', async () => {
  const lane = new RateLane({ ...OPEN, maxConcurrent: 1 });
  const order: number[] = [];
  lane.pause(5000);
  for (const ticket of [7, 3, 5]) {
    void lane.enter(ticket, 0, NEVER).then((pass) => {
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
  const lane = new RateLane({ ...OPEN, maxConcurrent: 1 });
  const first = await lane.enter(0, 0, NEVER);
  const stop = new AbortController();
  const given = lane.enter(1, 0, stop.signal);
  const next = lane.enter(2, 0, NEVER);
  stop.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  first.leave(null);
  await expect(next).resolves.toBeDefined();
});

test('models that share a lane share the strictest limits', async () => {
  const lane = new RateLane({ ...OPEN, requestsPerMinute: 10 });
  lane.tighten({ maxConcurrent: 3, requestsPerMinute: null, tokensPerMinute: null });
  lane.tighten({ maxConcurrent: 50, requestsPerMinute: 2, tokensPerMinute: null });
  const { at } = enterAll(lane, [0, 0, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at.length).toBe(2);
});
