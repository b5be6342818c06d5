import { ImportError } from '../../plugin/importer-type.ts';
import { CHUNK, type ReadBytes } from '../json-cursor.ts';
import { DIRECTORY_RECORD, ENTRY_HEADER, longNumber, type ZipRecord, zipRecord } from './zip-record.ts';

/** Bytes from … to − 1. */
export interface BytePlace {
  readonly from: number;
  readonly to: number;
}

/** One entry of an archive, found but not looked into. */
export interface ZipEntry {
  readonly name: string;
  /** What the archive says of it: `zipRecord` reads these bytes. */
  readonly record: BytePlace;
  /** What it holds, as it is packed; null: it claims bytes that are not there, or those of another entry. */
  readonly data: BytePlace | null;
}

export interface ZipEntries {
  /** In the order of the directory. */
  readonly entries: readonly ZipEntry[];
  /** Why these are not all; null: they are. */
  readonly problem: ImportError | null;
}

/** Bytes of a name and of each of what else follows a record. */
const MOST_TAIL = 3 * 0xffff;
const END = 0x06054b50;
const END_LENGTH = 22;
const LONG_END = 0x06064b50;
const LONG_LOCATOR = 0x07064b50;

/**
 * Finds the entries of a ZIP archive of any length, with up to 2^53 bytes; yields after each MiB of its directory. An archive
 * that is cut off has lost its directory: its entries are found one after the other. Throws an `ImportError` where no entry
 * is found. yauzl reads asynchronously and fflate whole archives in memory, so that neither can find places.
 */
export function* zipEntries(read: ReadBytes, bytes: number): Generator<void, ZipEntries> {
  const source = new Window(read, bytes);
  const directory = directoryPlace(source);
  const { entries, problem } = directory === null ? yield* walk(source) : yield* list(source, directory);
  if (entries.length === 0 && problem !== null) throw problem;
  return { entries: apart(entries), problem };
}

/** A part of a file, read ahead: what is looked at stands close together. */
class Window {
  readonly bytes: number;
  private readonly readBytes: ReadBytes;
  private from = 0;
  private part: Uint8Array = new Uint8Array(0);

  constructor(read: ReadBytes, bytes: number) {
    this.readBytes = read;
    this.bytes = bytes;
  }

  /** So many bytes from here on, or as many as there are; `ahead`: how many of these are read at least. */
  at(from: number, length: number, ahead = length): Uint8Array {
    const to = Math.min(this.bytes, from + length);
    if (from >= to) return new Uint8Array(0);
    if (from < this.from || to > this.from + this.part.length) {
      this.from = from;
      this.part = this.readBytes(from, Math.min(this.bytes, from + Math.max(length, ahead)));
    }
    return this.part.subarray(from - this.from, to - this.from);
  }
}

/** Where the directory stands, as the end of the archive says; null: it has no end. */
function directoryPlace(source: Window): BytePlace | null {
  const tailFrom = Math.max(0, source.bytes - END_LENGTH - 0xffff);
  const tail = source.at(tailFrom, source.bytes - tailFrom);
  const view = viewOf(tail);
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    // A comment follows, which may hold these four bytes too.
    if (view.getUint32(at, true) !== END || at + END_LENGTH + view.getUint16(at + 20, true) !== tail.length) continue;
    const length = view.getUint32(at + 12, true);
    const from = view.getUint32(at + 16, true);
    const long = from === 0xffffffff || length === 0xffffffff || view.getUint16(at + 10, true) === 0xffff;
    const place = (long ? longPlace(source, tailFrom + at) : null) ?? { from, to: from + length };
    if (place.to <= tailFrom + at) return place;
    throw new ImportError('The directory of the archive does not stand where its end says.', tailFrom + at);
  }
  return null;
}

/** The same in numbers of 64 bits, whose place stands before the end; null: there are none. */
function longPlace(source: Window, end: number): BytePlace | null {
  if (end < 20) return null;
  const locator = viewOf(source.at(end - 20, 20));
  if (locator.getUint32(0, true) !== LONG_LOCATOR) return null;
  const record = viewOf(source.at(longNumber(locator, 8), 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== LONG_END) return null;
  const from = longNumber(record, 48);
  return { from, to: from + longNumber(record, 40) };
}

/** An entry with the place that it claims, whether or not it has a right to it. */
interface Claim {
  readonly name: string;
  readonly record: BytePlace;
  readonly headerAt: number;
  readonly data: BytePlace | null;
}

interface Claims {
  readonly entries: readonly Claim[];
  readonly problem: ImportError | null;
}

/** The entries of the directory, as far as it can be read. */
function* list(source: Window, { from, to }: BytePlace): Generator<void, Claims> {
  const found: { readonly record: BytePlace; readonly told: ZipRecord; readonly headerAt: number }[] = [];
  let problem: ImportError | null = null;
  let yieldedAt = from;
  for (let at = from; at < to; ) {
    const told = zipRecord(source.at(at, Math.min(to - at, DIRECTORY_RECORD + MOST_TAIL), CHUNK));
    if (told === null || told.headerAt === null || at + told.length > to) {
      problem = new ImportError('The directory of the archive is damaged, so that what follows is lost.', at);
      break;
    }
    found.push({ record: { from: at, to: at + told.length }, told, headerAt: told.headerAt });
    at += told.length;
    if (at - yieldedAt >= CHUNK) {
      yieldedAt = at;
      yield;
    }
  }
  const entries: Claim[] = [];
  // In the order of the file, so that headers are read ahead where entries are short.
  for (const { record, told, headerAt } of found.sort((a, b) => a.headerAt - b.headerAt)) {
    const data = dataPlace(source, headerAt, told.packed);
    entries.push({ name: told.name, record, headerAt, data: data !== null && data.to <= from ? data : null });
    if (entries.length % 1000 === 0) yield;
  }
  return { entries, problem };
}

/** Where the packed bytes of the entry stand whose header begins here; null: there is no header. */
function dataPlace(source: Window, headerAt: number, packed: number): BytePlace | null {
  const header = zipRecord(source.at(headerAt, ENTRY_HEADER, HEADERS_AHEAD));
  if (header === null || header.headerAt !== null) return null;
  const from = headerAt + header.length;
  return { from, to: from + packed };
}

/** Bytes that are read at once for the sake of the headers in them. */
const HEADERS_AHEAD = 16 * 1024;

/** The entries of an archive without a directory, one behind the other. */
function* walk(source: Window): Generator<void, Claims> {
  const entries: Claim[] = [];
  let at = 0;
  while (at < source.bytes) {
    const length = zipRecord(source.at(at, ENTRY_HEADER, HEADERS_AHEAD))?.length ?? 0;
    const told = zipRecord(source.at(at, length));
    if (told === null || told.headerAt !== null || told.tellsSizesLater || at + told.length > source.bytes) break;
    const record = { from: at, to: at + told.length };
    const data = { from: record.to, to: record.to + told.packed };
    entries.push({ name: told.name, record, headerAt: at, data: data.to <= source.bytes ? data : null });
    at = data.to;
    yield;
  }
  const message = 'The archive is cut off: it has no directory at its end.';
  return { entries, problem: new ImportError(message, Math.min(at, source.bytes)) };
}

/** In the order of the directory; an entry that reaches into the one behind it in the file has no data of its own. */
function apart(claims: readonly Claim[]): readonly ZipEntry[] {
  let end = 0;
  const entries = claims.map(({ name, record, headerAt, data }): ZipEntry => {
    const isOwn = data !== null && headerAt >= end;
    if (data !== null) end = Math.max(end, data.to);
    return { name, record, data: isOwn ? data : null };
  });
  return entries.sort((a, b) => a.record.from - b.record.from);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
