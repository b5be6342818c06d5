import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { withAnySignal } from '../../src/values/with-any-signal.ts';

const controllers = (count: number) => Array.from({ length: count }, () => new AbortController());

test.each([0, 1, 2])('signal %i of three aborts what is under way, with its reason', async (at) => {
  const all = controllers(3);
  const signals = all.map(({ signal }) => signal);
  const given = withAnySignal(
    signals,
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
  const reason = new Error(`reason ${at}`);
  all[at]?.abort(reason);
  all[(at + 1) % 3]?.abort(new Error('too late'));
  await expect(given).rejects.toBe(reason);
});

test('one that was aborted before is seen at once', async () => {
  const reason = new Error('before');
  const given = [new AbortController().signal, AbortSignal.abort(reason)];
  expect(await withAnySignal(given, async (signal) => [signal.aborted, signal.reason])).toEqual([true, reason]);
});

test('nobody listens afterwards, whether it went well or not', async () => {
  const signals = controllers(2).map(({ signal }) => signal);
  const listening = () => signals.map((signal) => getEventListeners(signal, 'abort').length);
  const during = await withAnySignal(signals, async () => listening());
  await expect(
    withAnySignal(signals, async () => {
      throw new Error('it failed');
    }),
  ).rejects.toThrow('it failed');
  expect([during, listening()]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

test('a signal of many calls keeps nothing of them', async () => {
  const { signal } = new AbortController();
  let seen: AbortSignal | undefined;
  for (let call = 0; call < 5; call++) await withAnySignal([signal], async (one) => (seen = one));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(seen?.aborted).toBe(false);
});
