import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { cutRecord } from '../../src/trial/record/cut-record.ts';
import { brokenRecord } from '../../src/trial/record/record-trial.ts';
import type { Json } from '../../src/types/json.ts';
import type { Call, TrialRecord } from '../../src/types/record.ts';
import { processorMs } from '../support/processor-time.ts';

const MOST_BYTES = 256 * 1024;
const aCall = (args: Json): Call => ({
  port: 'model',
  names: ['default'],
  by: 'n',
  turn: 0,
  args,
  result: null,
  problem: null,
  denied: false,
  struckBy: [],
});
const aRecord = (parts: Partial<TrialRecord>): TrialRecord => ({ ...brokenRecord(0, 'x'), ...parts });
const bytesOf = (record: TrialRecord): number => Buffer.byteLength(JSON.stringify(record));

test('a record that fits is whole', () => {
  const record = aRecord({ calls: Array.from({ length: 500 }, (_, at) => aCall({ at })) });
  expect(cutRecord(record)).toEqual(record);
});

test('long texts are cut before lists are, each with the digest of the whole', () => {
  const record = cutRecord(aRecord({ calls: [aCall({ text: 'x'.repeat(300_000) }), aCall({ list: [1, 2, 3] })] }));
  expect(record.calls?.[1]).toEqual(aCall({ list: [1, 2, 3] }));
  expect(record.calls?.[0]?.args).toEqual({ text: `${'x'.repeat(64 * 1024)}…` });
  expect(record.cuts).toEqual([
    { at: '/calls/0/args/text', bytes: 300_000, sha256: expect.stringMatching(/^\w{64}$/) },
  ]);
});

test('long lists are cut to their first entries, and say how many they had', () => {
  const record = cutRecord(aRecord({ calls: Array.from({ length: 50_000 }, (_, at) => aCall({ at })) }));
  expect(bytesOf(record)).toBeLessThanOrEqual(MOST_BYTES);
  expect(record.calls?.length).toBe(1000);
  expect(record.calls?.at(-1)).toEqual(aCall({ at: 999 }));
  expect(record.cuts).toEqual([{ at: '/calls', entries: 50_000 }]);
});

test('a conversation that repeats itself in each of ten thousand requests is no more work than its start', () => {
  const messages: Json[] = [];
  const calls: Call[] = [];
  for (let at = 0; at < 10_000; at++) {
    messages.push({ role: 'user', parts: [{ kind: 'text', text: 'again' }] });
    calls.push(aCall({ messages: [...messages] }));
  }
  const started = processorMs();
  const record = cutRecord(aRecord({ calls }));
  expect(processorMs() - started).toBeLessThan(5000);
  expect(bytesOf(record)).toBeLessThanOrEqual(MOST_BYTES);
  expect(record.cuts).toContainEqual({ at: '/calls', entries: 10_000 });
});
