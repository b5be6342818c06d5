import { expect, test } from 'vitest';
import { halfSipHash } from '../../src/random/half-sip-hash.ts';

/** Bytes 0, 1, 2, … as the code units that hold them. */
function countingText(bytes: number): string {
  return String.fromCharCode(...Array.from({ length: bytes / 2 }, (_, i) => (2 * i) | ((2 * i + 1) << 8)));
}

function hexOf([low, high]: readonly [number, number]): string {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(high, 4);
  return bytes.toString('hex');
}

test('the published vectors of HalfSipHash-2-4-64 with an even number of bytes', () => {
  const lengths = [0, 2, 4, 6, 8, 10, 12, 14];
  expect(lengths.map((bytes) => hexOf(halfSipHash([0x03020100, 0x07060504], countingText(bytes))))).toEqual([
    '218d1f59b9b83cc8',
    '064f39ef7c50eb57',
    'd5e78a175be52ea1',
    'ce3e91358aa2bc25',
    'edfee820bce4858c',
    '95b0469f06a6f2ee',
    '7bc71f9faef5c799',
    '3bb1a870eae8e658',
  ]);
});
