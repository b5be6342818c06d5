import { ImportError } from '../plugin/importer-type.ts';

/** Reads bytes from … to − 1. */
export type ReadBytes = (from: number, to: number) => Uint8Array;

/** Bytes that are read at a time. */
export const CHUNK = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes of a string that are checked one by one. */
const NEAR = 48;
/** Bytes that end a number, `true`, `false` or `null`: those of JSON itself. */
const ENDS = new Set([...'",:[]{}'].map((one) => one.charCodeAt(0)));

/** Thrown where the text ends in the middle of a value. */
export class CutOff extends Error {}

/** A place in a JSON text of any length, of which only a chunk is held. */
export class JsonCursor {
  private readonly read: ReadBytes;
  private readonly bytes: number;
  private chunk: Uint8Array = new Uint8Array(0);
  /** Offset of the chunk's first byte. */
  private base = 0;
  private i = 0;
  /** The next backslash of the chunk; below the position: it is not known. */
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

  /** Passes over a number, `true`, `false` or `null`, or over any other word. */
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
    while (!this.skipStringInChunk()) {
      // An escape may reach over the end of the chunk.
      const over = Math.max(0, this.i - this.chunk.length);
      this.i = this.chunk.length;
      if (!this.refill()) throw new CutOff();
      this.i = over;
    }
  }

  /**
   * Passes over the content of lists and objects of which `depth` are open, up to the end of the outermost or of the chunk.
   * Returns how many are open there. It checks strings and brackets alone.
   */
  skipInside(depth: number): number {
    let open = depth;
    if (this.i === this.chunk.length && !this.refill()) throw new CutOff();
    let { chunk, i } = this;
    while (i < chunk.length) {
      const byte = chunk[i++] as number;
      if (byte === QUOTE) {
        this.i = i - 1;
        this.skipString();
        ({ chunk, i } = this);
      } else if (isOpening(byte)) open++;
      else if (isClosing(byte) && --open === 0) break;
    }
    this.i = i;
    return open;
  }

  /** Bytes from … to − 1, over which the cursor has passed. */
  passed(from: number, to: number): Uint8Array {
    return from >= this.base && to <= this.base + this.chunk.length
      ? this.chunk.subarray(from - this.base, to - this.base)
      : this.read(from, to);
  }

  /** Whether the string has ended. If not, it goes on after the chunk, or one byte further where an escape reaches over. */
  private skipStringInChunk(): boolean {
    const { chunk } = this;
    for (;;) {
      // Most strings are short: a loop over a few bytes is faster than a call.
      const near = Math.min(chunk.length, this.i + NEAR);
      let { i } = this;
      let byte = 0;
      while (i < near) {
        byte = chunk[i] as number;
        if (byte === QUOTE || byte === BACKSLASH) break;
        i++;
      }
      if (i === near && i < chunk.length) {
        this.i = i;
        i = Math.min(indexOrEnd(chunk, QUOTE, i), this.nextEscape());
        byte = i < chunk.length ? (chunk[i] as number) : 0;
      }
      if (i >= chunk.length) {
        this.i = Math.max(i, this.i);
        return false;
      }
      if (byte === QUOTE) {
        this.i = i + 1;
        return true;
      }
      this.i = i + 2;
    }
  }

  /** Position of the next backslash in the chunk, or the chunk's length. It is remembered: many texts have none. */
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

/** `[` or `{`, which differ by one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}

function indexOrEnd(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}
