import { ImportError } from '../../plugin/importer-type.ts';
import { CHUNK, type ReadBytes } from '../json-cursor.ts';

/** A tag of an XML text. */
export interface XmlTag {
  readonly kind: 'open' | 'close' | 'empty';
  readonly name: string;
  /** Bytes from … to − 1, brackets included. */
  readonly from: number;
  readonly to: number;
}

/** Most bytes of a tag: no program writes a longer one. */
const MOST_TAG = 16 * 1024 * 1024;

const OPEN = 0x3c;
const CLOSE = 0x3e;
const SLASH = 0x2f;
const QUOTES = [0x22, 0x27];

/** Sections that hold no tags, by their begin and end. */
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
].map(([begin = '', end = '']) => ({ begin: Buffer.from(begin), end: Buffer.from(end) }));

/**
 * Finds the tags of an XML text of any length, in memory that does not grow with it; yields after each MiB. It does not check
 * that tags fit together. Returns why the text is cut off; null: it is whole. Throws an `ImportError` for a document type:
 * its entities can grow without end, and no writer of results needs one.
 */
export function* xmlTags(
  { read, bytes }: { readonly read: ReadBytes; readonly bytes: number },
  found: (tag: XmlTag) => void,
): Generator<void, ImportError | null> {
  const text = new Window(read, bytes);
  for (let at = yield* text.indexOf(LESS, 0); at !== -1; at = yield* text.indexOf(LESS, at)) {
    const head = text.slice(at, at + 9);
    const section = PASSED_OVER.find(({ begin }) => begin.equals(head.subarray(0, begin.length)));
    if (section === undefined && head[1] === BANG) {
      throw new ImportError('It declares a document type (DTD), which is not read.', at);
    }
    const end = section === undefined ? tagEnd(text, at) : yield* text.indexOf(section.end, at + section.begin.length);
    if (end === -1) return new ImportError('The file ends in the middle of an element.', at);
    if (section === undefined) found(tagOf(text.slice(at, end), at));
    at = section === undefined ? end : end + section.end.length;
  }
  return null;
}

const LESS = Buffer.from([OPEN]);
const BANG = 0x21;

/** Position behind the tag that begins here; -1: the text ends within it. */
function tagEnd(text: Window, from: number): number {
  let quote: number | null = null;
  for (let length = 1024; ; length *= 4) {
    const bytes = text.slice(from, from + length);
    quote = null;
    for (let i = 1; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (quote !== null) {
        if (byte === quote) quote = null;
      } else if (byte === CLOSE) return from + i + 1;
      else if (QUOTES.includes(byte)) quote = byte;
    }
    if (bytes.length < length) return -1;
    if (length >= MOST_TAG) throw new ImportError('A tag is longer than 16 MiB.', from);
  }
}

function tagOf(tag: Uint8Array, from: number): XmlTag {
  const begin = tag[1] === SLASH ? 2 : 1;
  let end = begin;
  while (end < tag.length && (tag[end] as number) > 0x20 && tag[end] !== SLASH && tag[end] !== CLOSE) end++;
  return {
    kind: begin === 2 ? 'close' : tag.at(-2) === SLASH ? 'empty' : 'open',
    name: Buffer.from(tag.subarray(begin, end)).toString('latin1'),
    from,
    to: from + tag.length,
  };
}

/** A text of any length, of which a chunk is held. */
class Window {
  private readonly read: ReadBytes;
  private readonly bytes: number;
  private base = 0;
  private chunk: Buffer = Buffer.alloc(0);

  constructor(read: ReadBytes, bytes: number) {
    this.read = read;
    this.bytes = bytes;
  }

  /** Where the pattern stands next; -1: nowhere. */
  *indexOf(pattern: Uint8Array, from: number): Generator<void, number> {
    for (let at = from; at < this.bytes; ) {
      if (at < this.base || at + pattern.length > this.base + this.chunk.length) {
        this.load(at, Math.min(this.bytes, at + CHUNK));
        yield;
      }
      const position = this.chunk.indexOf(pattern, at - this.base);
      if (position !== -1) return this.base + position;
      if (this.base + this.chunk.length === this.bytes) return -1;
      // A pattern may stand across the end of the chunk.
      at = this.base + this.chunk.length - pattern.length + 1;
    }
    return -1;
  }

  /** Bytes from … to − 1, or as many as there are. */
  slice(from: number, to: number): Buffer {
    const end = Math.min(to, this.bytes);
    if (from < this.base || end > this.base + this.chunk.length)
      this.load(from, Math.min(this.bytes, Math.max(end, from + CHUNK)));
    return this.chunk.subarray(from - this.base, end - this.base);
  }

  private load(from: number, to: number): void {
    const bytes = this.read(from, to);
    this.base = from;
    this.chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
