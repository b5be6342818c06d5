import { expect, test } from 'vitest';
import { encodeCassetteHead } from '../../src/records/cassette-head.ts';
import { encodeFrame } from '../../src/records/frame.ts';
import { encodeJournalHead } from '../../src/records/journal-head.ts';
import { encodeHead } from '../../src/records/record-head.ts';
import { recordKind } from '../../src/records/record-kind.ts';
import { SHARD } from '../../src/records/shard-file.ts';

const IDENTITY = { passk: '1.0.0', seed: 7, bail: 0, plugins: [], scenarios: [] };
const HEADS = {
  shard: encodeHead(SHARD, { index: 1, count: 2 }),
  journal: encodeJournalHead({ identity: IDENTITY, shard: null }, 0),
  cassette: encodeCassetteHead({ passk: '1.0.0', settings: '{}', scenarios: [] }, 0),
};

test.each(Object.entries(HEADS))('the head of a %s tells its kind, also when the rest is missing', (kind, head) => {
  expect(recordKind(head)).toBe(kind);
  expect(recordKind(head.subarray(0, 40))).toBe(kind);
  expect(recordKind(head.subarray(0, 20))).toBeNull();
});

test('a head of an older format tells its kind as well', () => {
  expect(recordKind(encodeHead({ ...SHARD, format: 1 }, {}))).toBe('shard');
});

test.each([
  ['nothing', new Uint8Array(0)],
  ['a text', Buffer.from('{"kind": "passk-shard", "format": 3}')],
  ['a frame of another kind', encodeFrame({ kind: 'passk-toy', format: 1 })],
  ['a frame that names the kind later', encodeFrame({ format: 3, kind: 'passk-shard' })],
])('%s is none of them', (_, bytes) => {
  expect(recordKind(bytes)).toBeNull();
});
