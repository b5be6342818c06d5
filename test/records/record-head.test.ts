import { expect, test } from 'vitest';
import { FrameReader } from '../../src/records/frame.ts';
import {
  encodeHead,
  identityFields,
  readHead,
  readIdentity,
  type RecordFormat,
} from '../../src/records/record-head.ts';
import { Type } from '../../src/source/schema-type.ts';

const FORMAT: RecordFormat = {
  kind: 'passk-toy',
  noun: 'a toy',
  format: 2,
  schema: Type.Object({ size: Type.Integer() }),
};
const IDENTITY = { passk: '1.0.0', seed: 7, bail: 0, plugins: [], scenarios: [] };

function written(bytes: Uint8Array): unknown {
  return new FrameReader().push(bytes)[0];
}

test('a head is read as it was written', () => {
  expect(readHead(FORMAT, written(encodeHead(FORMAT, { size: 3 })))).toMatchObject({ size: 3 });
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'is not a toy of passk, or its beginning is damaged'],
  ['another kind', { kind: 'passk-shard', format: 2, size: 3 }, 'is not a toy of passk'],
  ['a text', 'passk-toy', 'is not a toy of passk'],
  [
    'another format, whatever else it says',
    { kind: 'passk-toy', format: 3 },
    'is of format 3; this passk reads format 2',
  ],
  ['other contents', { kind: 'passk-toy', format: 2, size: 'large' }, 'does not fit together'],
])('a first frame with %s is no head', (_, value, why) => {
  expect(readHead(FORMAT, value)).toBe(why);
});

test('the run in a head is the one whose digest stands beside it', () => {
  const fields = identityFields(IDENTITY);
  expect(readIdentity(fields)).toEqual(IDENTITY);
  expect(readIdentity({ ...fields, digest: identityFields({ ...IDENTITY, seed: 1 }).digest })).toBeNull();
  expect(readIdentity({ ...fields, identity: 'none' })).toBeNull();
});
