/** Text, or where the bytes stop being UTF-8: `byte` counts from 0, `line` and `column` from 1. */
export type Decoded =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly byte: number;
      readonly line: number;
      readonly column: number;
      readonly hint: string;
    };

const strict = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 strictly; a leading byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    return { ok: true, text: strict.decode(bytes) };
  } catch {
    // Only the position is missing now; bytes are decoded again leniently below to find it.
  }
  const byte = firstInvalidByte(bytes);
  const before = new TextDecoder().decode(bytes.subarray(0, byte));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return { ok: false, byte, line, column, hint: hintFor(bytes) };
}

function hintFor(bytes: Uint8Array): string {
  return looksLikeUtf16(bytes) ? UTF16_HINT : 'Save the file as UTF-8.';
}

/** What to do with a file in UTF-16. */
export const UTF16_HINT = 'It looks like UTF-16. Save it as UTF-8.';

/** Whether bytes begin with the byte order mark of UTF-16, as what Windows PowerShell writes to a file does. */
export function looksLikeUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Start of the first ill-formed sequence (Unicode 15, table 3-7). */
function firstInvalidByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let i = 2; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}
