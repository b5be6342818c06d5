import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { orAborted, unlessAborted } from '../../src/values/unless-aborted.ts';

const never = new Promise<never>(() => undefined);
const reason = new Error('it was stopped');

test('whoever comes first decides, and nobody listens afterwards', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(orAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  expect(getEventListeners(signal, 'abort')).toEqual([]);

  const stopped = new AbortController();
  const ends = [unlessAborted(never, stopped.signal), orAborted(never, stopped.signal)] as const;
  stopped.abort(reason);
  expect(await ends[0]).toBe('aborted');
  await expect(ends[1]).rejects.toBe(reason);
  expect(getEventListeners(stopped.signal, 'abort')).toEqual([]);
});

test('what has ended before its work is over, and how the work fails is nobody’s error', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  try {
    expect(await unlessAborted(Promise.reject(new Error('too late')), AbortSignal.abort(reason))).toBe('aborted');
    await expect(orAborted(Promise.resolve('done'), AbortSignal.abort(reason))).rejects.toBe(reason);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', hear);
  }
  expect(unheard).toEqual([]);
});
