import { Worker } from 'node:worker_threads';
import { fromJson, type KnownData, toJson } from './parse-ahead.ts';
import { type ByteRoom, type OrdinaryOptions, readOrdinaryBytes, textIn } from './read-ordinary.ts';
import { isYamlFile } from './scan-folder.ts';

// A thread that reads and parses the files of a large suite while the calling one works on those before them. Nobody ever
// waits for it: what it has not read when it is asked for, the caller reads.

/** A file that was read before it was wanted. */
export interface FileAhead {
  readonly text: string;
  /** What it says; null: parse it yourself. */
  readonly known: KnownData | null;
}

/** Files, in the order in which they are asked for. */
export interface ReadAhead {
  /** Says which of the files is wanted next, by its position. */
  moveTo(position: number): void;
  /** That file, if it is the one at this path; null: read it yourself. */
  take(path: string): FileAhead | null;
  /** Ends the thread. */
  close(): void;
}

export interface ReadAheadOptions extends Pick<OrdinaryOptions, 'within'> {
  readonly maxBytes: number;
}

/** What the thread is started with. */
export interface ReadAheadTask extends ReadAheadOptions {
  /** Absolute; an empty one is left to the caller. */
  readonly paths: readonly string[];
  readonly shared: SharedArrayBuffer;
}

/** Files that may be read before they are wanted, each in a place of its own; larger ones are left to the caller. */
const PLACES = 256;
const PLACE_BYTES = 16 * 1024;

/** Files that are read by the caller while the thread makes itself ready to read, and after each that came too late. */
const LEAD = 8;

/** So far ahead of what is wanted the thread parses what it reads; nearer, it would come too late with either. */
const PARSE_LEAD = 64;

/** The thread sleeps when all places are full, and is woken after so many files. */
const WAKE_EVERY = 64;

/**
 * Numbers that both threads see: what is wanted, whether all is over; of each place, which file is there, its length, and
 * the length of the JSON that stands behind it.
 */
const WANTED = 0;
const CLOSED = 1;
const READY = 2;
const LENGTH = READY + PLACES;
const JSON_LENGTH = LENGTH + PLACES;
const NUMBERS = JSON_LENGTH + PLACES;

function viewsOf(shared: SharedArrayBuffer): { readonly numbers: Int32Array; readonly bytes: Buffer } {
  return { numbers: new Int32Array(shared, 0, NUMBERS), bytes: Buffer.from(shared, NUMBERS * 4) };
}

function roomOf(bytes: Buffer, position: number): ByteRoom {
  const start = (position % PLACES) * PLACE_BYTES;
  return { buffer: bytes, start, end: start + PLACE_BYTES };
}

/**
 * Starts a thread that reads `paths` in their order; `url`: that of the file which calls `readFiles`. Null where no thread
 * can be started.
 */
export function readAhead(url: URL, paths: readonly string[], options: ReadAheadOptions): ReadAhead | null {
  const shared = new SharedArrayBuffer(NUMBERS * 4 + PLACES * PLACE_BYTES);
  if (!startThread(url, { paths, shared, ...options })) return null;
  const { numbers, bytes } = viewsOf(shared);
  let position = 0;
  return {
    moveTo(wanted) {
      position = wanted;
      Atomics.store(numbers, WANTED, wanted);
      if (wanted % WAKE_EVERY === 0) Atomics.notify(numbers, WANTED);
    },
    take(path) {
      const place = position % PLACES;
      if (path !== paths[position] || Atomics.load(numbers, READY + place) !== position + 1) return null;
      const length = numbers[LENGTH + place] as number;
      if (length < 0) return null;
      const { start } = roomOf(bytes, position);
      const text = textIn(bytes, start, length);
      if (text === null) return null;
      const json = start + length;
      const jsonLength = numbers[JSON_LENGTH + place] as number;
      return { text, known: jsonLength === 0 ? null : fromJson(bytes.toString('utf8', json, json + jsonLength)) };
    },
    close() {
      Atomics.store(numbers, CLOSED, 1);
      Atomics.notify(numbers, WANTED);
    },
  };
}

function startThread(url: URL, workerData: ReadAheadTask): boolean {
  try {
    // It runs nothing but its own code: no module that NODE_OPTIONS names.
    const worker = new Worker(url, { workerData, env: {}, execArgv: [] });
    // Then nothing is ever there, and the caller reads all.
    worker.on('error', () => undefined);
    worker.unref();
    return true;
  } catch {
    // As many threads run as may.
    return false;
  }
}

/** What the thread does: reads files until all are read, or nobody wants them any more. */
export function readFiles({ paths, shared, maxBytes, within }: ReadAheadTask): void {
  const { numbers, bytes } = viewsOf(shared);
  const options: OrdinaryOptions = { realFolders: new Map(), ...(within !== undefined && { within }) };
  let position = 0;
  while (position < paths.length && Atomics.load(numbers, CLOSED) === 0) {
    const wanted = Atomics.load(numbers, WANTED);
    if (position <= wanted) position = wanted + LEAD;
    else if (position - wanted >= PLACES) Atomics.wait(numbers, WANTED, wanted, MOST_MS);
    else readInto(position++, position - wanted > PARSE_LEAD);
  }

  function readInto(at: number, isEarly: boolean): void {
    const path = paths[at] as string;
    const room = roomOf(bytes, at);
    const length = path === '' ? null : readOrdinaryBytes(path, maxBytes, options, room);
    numbers[LENGTH + (at % PLACES)] = length ?? -1;
    numbers[JSON_LENGTH + (at % PLACES)] =
      length === null || !isEarly || isYamlFile(path) ? 0 : parseInto(room, length);
    Atomics.store(numbers, READY + (at % PLACES), at + 1);
  }
}

/** Puts what the text says behind it, and gives the number of bytes: none where it cannot be said, or there is no room. */
function parseInto({ buffer, start, end }: ByteRoom, length: number): number {
  const text = textIn(buffer, start, length);
  const json = text === null ? null : toJson(text);
  if (json === null || Buffer.byteLength(json) > end - start - length) return 0;
  return buffer.write(json, start + length, 'utf8');
}

/** How long the thread sleeps at most without being woken, in milliseconds. */
const MOST_MS = 100;
