import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { connectHost, exposeHostFunctions, type HostFunction } from '../../src/pool/host-functions.ts';
import { plainJsonText } from '../../src/values/plain-json.ts';
import type { Json } from '../../src/types/json.ts';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

function connected(functions: Readonly<Record<string, HostFunction>>) {
  const channel = new MessageChannel();
  channels.push(channel);
  exposeHostFunctions(channel.port1, functions);
  return { call: connectHost(channel.port2), hangUp: () => channel.port1.close() };
}

test('a call brings plain data there and back', async () => {
  const { call } = connected({ double: (payload) => ({ twice: [payload, payload] }) });
  expect(await call('double', { a: [1, null, 'ä'] }, 1000)).toEqual({
    twice: [{ a: [1, null, 'ä'] }, { a: [1, null, 'ä'] }],
  });
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

test.each<[string, HostFunction, string | RegExp]>([
  [
    'throws',
    () => {
      throw new TypeError('no');
    },
    /^Function "f" failed at host-functions\.test\.ts:\d+:\d+: no\.$/,
  ],
  ['rejects with a value', () => Promise.reject(7), 'Function "f" failed: 7.'],
  ['answers a function', () => () => 1, 'Function "f" answered with something that is not JSON: it holds a function.'],
  ['answers nothing', () => undefined, 'Function "f" answered with something that is not JSON: it holds undefined.'],
  [
    'answers a cycle',
    () => cyclic,
    'Function "f" answered with something that is not JSON: it is nested deeper than 1000 levels or contains itself.',
  ],
  [
    'answers NaN',
    () => [Number.NaN],
    'Function "f" answered with something that is not JSON: it holds the number NaN at "0".',
  ],
  [
    'answers an object with a behaviour',
    () => new Date(0),
    'Function "f" answered with something that is not JSON: it holds an object that is not plain data.',
  ],
  [
    'answers too much',
    () => 'x'.repeat(2 ** 20),
    'Function "f" answered with something that is not JSON: its JSON text is longer than 1048576 characters.',
  ],
])('a function that %s becomes a message', async (_, f, message) => {
  const { call } = connected({ f });
  await expect(call('f', null, 1000)).rejects.toThrow(message);
});

test('a function that does not exist is named with those that do', async () => {
  const { call } = connected({ one: () => 1 });
  await expect(call('toString', null, 1000)).rejects.toThrow(
    'Function "toString" does not exist. Known functions: one.',
  );
});

test('a call ends at its deadline', async () => {
  const { call } = connected({ never: () => new Promise(() => {}) });
  await expect(call('never', null, 20)).rejects.toThrow('Function "never" did not answer within 20 ms.');
});

test('a call ends when the host goes away', async () => {
  const { call, hangUp } = connected({ never: () => new Promise(() => {}) });
  const waiting = call('never', null, 60_000);
  setTimeout(hangUp, 10);
  await expect(waiting).rejects.toThrow('The host is gone.');
  await expect(call('never', null, 60_000)).rejects.toThrow('The host is gone.');
});

test('every JSON value is plain and comes back equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = plainJsonText(value as Json, 2 ** 20);
      expect(text).toEqual({ ok: true, text: JSON.stringify(value) });
    }),
  );
});
