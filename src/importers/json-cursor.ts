import { ImportError } from '../plugin/importer-type.ts';

/** Reads bytes from … to − 1. */
export type ReadBytes = (from: number, to: number) => Uint8Array;

/** Bytes that are read at a time. */
export const CHUNK = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes that end a number, `true`, `false` or `null`: those of JSON itself. */
const ENDS = new Set([...'",:[]{}'].map((one) => one.charCodeAt(0)));

/** The text ends where more was to come. */
export class CutOff extends Error {}

/** A place in a JSON text of any length, of which only a chunk is held. */
export class JsonCursor {
  private readonly read: ReadBytes;
  private readonly bytes: number;
  private chunk: Uint8Array = new Uint8Array(0);
  /** Offset of the chunk's first byte. */
  private base = 0;
  private i = 0;
  /** Where the chunk's next backslash was found; below the position: it is to be looked for anew. */
  private escape = -1;

  constructor(read: ReadBytes, bytes: number) {
    this.read = read;
    this.bytes = bytes;
    const [a, b, c] = read(0, Math.min(3, bytes));
    // A byte order mark is no part of the text.
    if (a === 0xef && b === 0xbb && c === 0xbf) this.base = 3;
  }

  get offset(): number {
    return this.base + this.i;
  }

  get isAtEnd(): boolean {
    return this.i === this.chunk.length && !this.refill();
  }

  skipSpace(): void {
    for (;;) {
      if (this.i === this.chunk.length && !this.refill()) return;
      const byte = this.chunk[this.i] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.i++;
    }
  }

  /** Passes over the byte here. */
  pass(): void {
    this.i++;
  }

  peek(): number {
    if (this.i === this.chunk.length && !this.refill()) throw new CutOff();
    return this.chunk[this.i] as number;
  }

  /** A number, `true`, `false` or `null`, or what stands in its place. */
  skipWord(): void {
    const from = this.offset;
    while (!this.isAtEnd) {
      const byte = this.chunk[this.i] as number;
      if (byte <= 0x20 || ENDS.has(byte)) break;
      this.i++;
    }
    if (this.offset === from) throw new ImportError('A value is missing.', from);
  }

  /** Passes over the string that begins here. */
  skipString(): void {
    this.i++;
    for (;;) {
      const { chunk } = this;
      let quote = indexOrEnd(chunk, QUOTE, this.i);
      for (;;) {
        const slash = this.nextEscape();
        if (slash >= quote) break;
        this.i = slash + 2;
        if (quote < this.i) quote = indexOrEnd(chunk, QUOTE, this.i);
      }
      if (quote < chunk.length) {
        this.i = quote + 1;
        return;
      }
      // The last escape may reach over the end.
      const over = Math.max(0, this.i - chunk.length);
      this.i = chunk.length;
      if (!this.refill()) throw new CutOff();
      this.i = over;
    }
  }

  /** The next backslash of the chunk from here on; its length: there is none. Texts are full of them or have none at all. */
  private nextEscape(): number {
    if (this.escape < this.i) this.escape = indexOrEnd(this.chunk, BACKSLASH, this.i);
    return this.escape;
  }

  private refill(): boolean {
    const from = this.base + this.chunk.length;
    if (from >= this.bytes) return false;
    this.base = from;
    this.chunk = this.read(from, Math.min(this.bytes, from + CHUNK));
    this.i = 0;
    this.escape = -1;
    return true;
  }
}

function indexOrEnd(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}
