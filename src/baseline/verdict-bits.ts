import { Buffer } from 'node:buffer';

/** Verdicts are kept for so many first trials. */
export const MOST_VERDICTS = 1 << 20;

/** Words of 32 verdicts as base64 of their bytes, low bits first; zero bytes at the end are dropped. */
export function encodeVerdicts(words: Uint32Array): string {
  const bytes = new Uint8Array(words.length * 4);
  for (const [i, word] of words.entries()) {
    for (let byte = 0; byte < 4; byte++) bytes[i * 4 + byte] = (word >>> (byte * 8)) & 0xff;
  }
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  return Buffer.from(bytes.buffer, 0, length).toString('base64');
}

/** The bytes that `encodeVerdicts` wrote; null for any other text. */
export function decodeVerdicts(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text || bytes.length > MOST_VERDICTS / 8) return null;
  return bytes.length > 0 && bytes[bytes.length - 1] === 0 ? null : bytes;
}

/** How many of the first `trials` verdicts are set. */
export function countVerdicts(bytes: Uint8Array, trials: number): number {
  let set = 0;
  for (let i = 0; i * 8 < trials; i++) set += bitsIn((bytes[i] ?? 0) & maskOf(trials - i * 8));
  return set;
}

/** Of the first `trials` verdicts: set before only, and after only. */
export function compareVerdicts(
  before: Uint8Array,
  after: Uint8Array,
  trials: number,
): { readonly lost: number; readonly gained: number } {
  let lost = 0;
  let gained = 0;
  for (let i = 0; i * 8 < trials; i++) {
    const was = before[i] ?? 0;
    const is = after[i] ?? 0;
    if (was === is) continue;
    const mask = maskOf(trials - i * 8);
    lost += bitsIn(was & ~is & mask);
    gained += bitsIn(is & ~was & mask);
  }
  return { lost, gained };
}

/** The low `count` bits of a byte. */
function maskOf(count: number): number {
  return count >= 8 ? 0xff : (1 << count) - 1;
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}
