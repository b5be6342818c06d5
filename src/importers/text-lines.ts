import { CHUNK, type ReadBytes } from './json-cursor.ts';

const NEWLINE = 0x0a;
const SHORT = 64;

/** A line that is not empty, without its end. */
export interface LinePlace {
  /** Bytes from … to − 1. */
  readonly from: number;
  readonly to: number;
}

/** Finds the lines of a text of any length; yields after each MiB. */
export function* textLines(read: ReadBytes, bytes: number, found: (line: LinePlace) => void): Generator<void, void> {
  const [a, b, c] = read(0, Math.min(3, bytes));
  // A byte order mark is no part of the text.
  let from = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  let base = 0;
  let chunk: Uint8Array = new Uint8Array(0);
  /** Whether the line is short and holds only spaces. */
  const isBlank = (to: number): boolean => {
    if (to - from >= SHORT) return false;
    const line = from < base ? read(from, to) : chunk.subarray(from - base, to - base);
    return line.every((byte) => byte <= 0x20);
  };
  const take = (to: number): void => {
    if (!isBlank(to)) found({ from, to });
    from = to + 1;
  };
  for (; base < bytes; base += CHUNK) {
    chunk = read(base, Math.min(bytes, base + CHUNK));
    for (let i = chunk.indexOf(NEWLINE); i !== -1; i = chunk.indexOf(NEWLINE, i + 1)) {
      take(base + i);
    }
    yield;
  }
  if (from < bytes) take(bytes);
}
