import { ImportError } from '../plugin/importer-type.ts';
import { CHUNK, CutOff, JsonCursor, type ReadBytes } from './json-cursor.ts';

/** A value in a JSON text. */
export interface JsonPlace {
  /** Position of its path among `paths`. */
  readonly path: number;
  /** Bytes from … to − 1. */
  readonly from: number;
  readonly to: number;
}

/** Keys and, for all elements of a list, `*`: `['samples', '*']`. */
export type JsonPath = readonly string[];

/** A JSON text without the values at the places: each is `null`. */
export interface JsonRest {
  readonly text: string;
  /** Why and where the text is cut off; null: it is whole. Places before that are valid. */
  readonly cut: ImportError | null;
}

export interface JsonPlacesOptions {
  readonly read: ReadBytes;
  /** Bytes of the whole text. */
  readonly bytes: number;
  readonly paths: readonly JsonPath[];
  /** Called for each value in the order of the text, also for one that is cut off. */
  readonly found: (place: JsonPlace) => void;
  /** Called where an element of a list begins that a path leads into, with the steps of the path up to it. */
  readonly entered?: (depth: number) => void;
  /** True: the rest of the text is not needed, and may be of any length. */
  readonly withoutRest?: true;
}

/** Most bytes of the rest of a text. */
const MOST_REST = 256 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds values in a JSON text of any length without parsing them, in memory that does not grow with the text; yields after
 * each MiB. It does not check that the values are JSON. Throws an `ImportError` for a text that is not JSON around the
 * places.
 */
export function* jsonPlaces(options: JsonPlacesOptions): Generator<void, JsonRest> {
  const scan = new Scan(options);
  try {
    yield* scan.value([...options.paths.keys()], 0);
    scan.cursor.skipSpace();
    if (!scan.cursor.isAtEnd) throw new ImportError('Something follows the end of the JSON text.', scan.cursor.offset);
    return { text: scan.rest(), cut: null };
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    return { text: '', cut: new ImportError('The file ends in the middle of a value.', scan.cursor.offset) };
  }
}

class Scan {
  readonly cursor: JsonCursor;
  private readonly options: JsonPlacesOptions;
  private yieldedAt = 0;
  private readonly restParts: string[] = [];
  private restBytes = 0;
  /** Bytes from here on are not in `restParts` yet. */
  private restFrom: number;

  constructor(options: JsonPlacesOptions) {
    this.options = options;
    this.cursor = new JsonCursor(options.read, options.bytes);
    this.restFrom = this.cursor.offset;
  }

  /** Reads a value. `candidates` are the paths that lead here or further; `depth` is how many of their steps are done. */
  *value(candidates: readonly number[], depth: number): Generator<void, void> {
    this.cursor.skipSpace();
    const { paths } = this.options;
    const here = candidates.find((path) => paths[path]?.length === depth);
    if (here !== undefined) {
      yield* this.place(here);
      return;
    }
    const first = this.cursor.peek();
    if (candidates.length > 0 && first === OPEN_OBJECT) yield* this.object(candidates, depth);
    else if (candidates.length > 0 && first === OPEN_LIST) yield* this.list(candidates, depth);
    else yield* this.skipValue();
  }

  /** The text outside of all places. */
  rest(): string {
    this.keep(this.cursor.offset);
    return this.restParts.join('');
  }

  private *place(path: number): Generator<void, void> {
    const from = this.cursor.offset;
    this.keep(from);
    try {
      yield* this.skipValue();
    } catch (error) {
      // The caller gets a value that is cut off too, so that it is counted.
      if (error instanceof CutOff && this.cursor.offset > from)
        this.options.found({ path, from, to: this.cursor.offset });
      throw error;
    }
    if (this.options.withoutRest !== true) this.restParts.push('null');
    this.restFrom = this.cursor.offset;
    this.options.found({ path, from, to: this.cursor.offset });
  }

  private *object(candidates: readonly number[], depth: number): Generator<void, void> {
    this.cursor.pass();
    this.cursor.skipSpace();
    if (this.cursor.peek() === CLOSE_OBJECT) {
      this.cursor.pass();
      return;
    }
    for (;;) {
      this.cursor.skipSpace();
      const inside = this.key(candidates, depth);
      this.cursor.skipSpace();
      this.expect(COLON, '":" after a key');
      yield* inside.length > 0 ? this.value(inside, depth + 1) : this.skipValue();
      this.cursor.skipSpace();
      if (this.cursor.peek() === CLOSE_OBJECT) {
        this.cursor.pass();
        return;
      }
      this.expect(COMMA, '"," or "}"');
    }
  }

  private *list(candidates: readonly number[], depth: number): Generator<void, void> {
    const { paths } = this.options;
    const inside = candidates.filter((path) => paths[path]?.[depth] === '*');
    this.cursor.pass();
    this.cursor.skipSpace();
    if (this.cursor.peek() === CLOSE_LIST) {
      this.cursor.pass();
      return;
    }
    for (;;) {
      if (inside.some((path) => paths[path]?.length !== depth + 1)) this.options.entered?.(depth + 1);
      yield* this.value(inside, depth + 1);
      this.cursor.skipSpace();
      if (this.cursor.peek() === CLOSE_LIST) {
        this.cursor.pass();
        return;
      }
      this.expect(COMMA, '"," or "]"');
    }
  }

  /** Passes over any value. */
  private *skipValue(): Generator<void, void> {
    this.cursor.skipSpace();
    const byte = this.cursor.peek();
    if (byte === QUOTE) this.cursor.skipString();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      this.cursor.pass();
      for (let depth = this.cursor.skipInside(1); depth > 0; depth = this.cursor.skipInside(depth)) {
        if (this.isDue()) yield;
      }
    } else this.cursor.skipWord();
    if (this.isDue()) yield;
  }

  /** Whether a MiB was passed since this was so last. */
  private isDue(): boolean {
    if (this.cursor.offset - this.yieldedAt < CHUNK) return false;
    this.yieldedAt = this.cursor.offset;
    return true;
  }

  /** Passes over a key. Returns the candidates that go on with it. */
  private key(candidates: readonly number[], depth: number): readonly number[] {
    if (this.cursor.peek() !== QUOTE) throw new ImportError('A key is missing.', this.cursor.offset);
    const from = this.cursor.offset;
    this.cursor.skipString();
    const to = this.cursor.offset;
    // Short enough to be held whole.
    if (to - from > CHUNK) return [];
    const bytes = this.cursor.passed(from, to);
    const key = isPlain(bytes) ? null : decoded(bytes, from);
    const { paths } = this.options;
    return candidates.filter((path) => {
      const step = paths[path]?.[depth] ?? null;
      return step !== null && (key === null ? isWritten(bytes, step) : key === step);
    });
  }

  private expect(byte: number, what: string): void {
    if (this.cursor.peek() !== byte) throw new ImportError(`Expected ${what}.`, this.cursor.offset);
    this.cursor.pass();
  }

  private keep(to: number): void {
    if (to <= this.restFrom || this.options.withoutRest === true) return;
    this.restBytes += to - this.restFrom;
    if (this.restBytes > MOST_REST) throw new ImportError('Too much stands around the runs.', to);
    const bytes = this.cursor.passed(this.restFrom, to);
    this.restParts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    this.restFrom = to;
  }
}

/** Whether a key is written in ASCII, without escapes. */
function isPlain(key: Uint8Array): boolean {
  return key.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== BACKSLASH);
}

/** Whether these bytes are that text in quotes. A text for each key would cost more than reading it. */
function isWritten(bytes: Uint8Array, text: string): boolean {
  if (bytes.length !== text.length + 2) return false;
  for (let i = 0; i < text.length; i++) if (bytes[i + 1] !== text.charCodeAt(i)) return false;
  return true;
}

function decoded(key: Uint8Array, at: number): string {
  try {
    return JSON.parse(Buffer.from(key).toString('utf8')) as string;
  } catch {
    throw new ImportError('A key cannot be read.', at);
  }
}
