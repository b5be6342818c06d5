import { CHUNK, type ReadBytes } from './json-cursor.ts';

const NEWLINE = 0x0a;

/** A line that is not empty, without its end. */
export interface LinePlace {
  /** Bytes from … to − 1. */
  readonly from: number;
  readonly to: number;
}

/** Finds the lines of a text of any length; yields after each MiB. */
export function* textLines(read: ReadBytes, bytes: number, found: (line: LinePlace) => void): Generator<void, void> {
  let from = 0;
  const tell = (to: number): void => {
    if (to > from && !isBlank(read(from, Math.min(to, from + 64)))) found({ from, to });
    from = to + 1;
  };
  for (let base = 0; base < bytes; base += CHUNK) {
    const chunk = read(base, Math.min(bytes, base + CHUNK));
    for (let i = chunk.indexOf(NEWLINE); i !== -1; i = chunk.indexOf(NEWLINE, i + 1)) {
      tell(base + i);
    }
    yield;
  }
  tell(bytes);
}

/** Lines of spaces are short. */
function isBlank(line: Uint8Array): boolean {
  return line.length < 64 && line.every((byte) => byte <= 0x20);
}
