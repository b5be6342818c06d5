import { ImportError } from '../../plugin/importer-type.ts';
import { CHUNK, type ReadBytes } from '../json-cursor.ts';
import { DIRECTORY_RECORD, ENTRY_HEADER, longNumber, type ZipRecord, zipRecord } from './zip-record.ts';

/** Bytes from … to − 1. */
export interface BytePlace {
  readonly from: number;
  readonly to: number;
}

/** The places of one entry of an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Its record in the archive, which `zipRecord` reads. */
  readonly record: BytePlace;
  /** Its packed bytes; null: by its record they lie outside of the archive, or in another entry. */
  readonly data: BytePlace | null;
}

export interface ZipEntries {
  /** In the order of the directory. */
  readonly entries: readonly ZipEntry[];
  /** Why entries are missing; null: none is. */
  readonly problem: ImportError | null;
}

/** Most bytes of the name, the extra fields and the comment after a record. */
const MOST_TAIL = 3 * 0xffff;
const END = 0x06054b50;
const END_LENGTH = 22;
const LONG_END = 0x06064b50;
const LONG_LOCATOR = 0x07064b50;

/**
 * Finds the entries of a ZIP archive of up to 2^53 bytes; yields after each MiB of its directory. An archive that is cut off
 * has no directory: its entries are found one after the other. Throws an `ImportError` where no entry is found. No library
 * finds places: yauzl reads asynchronously, and fflate holds the whole archive in memory.
 */
export function* zipEntries(read: ReadBytes, bytes: number): Generator<void, ZipEntries> {
  const source = new Window(read, bytes);
  const directory = directoryPlace(source);
  const { entries, problem } = directory === null ? yield* walk(source) : yield* list(source, directory);
  if (entries.length === 0 && problem !== null) throw problem;
  return { entries: apart(entries), problem };
}

/** A part of a file, which is read ahead: reads are close to one another. */
class Window {
  readonly bytes: number;
  private readonly readBytes: ReadBytes;
  private from = 0;
  private part: Uint8Array = new Uint8Array(0);

  constructor(read: ReadBytes, bytes: number) {
    this.readBytes = read;
    this.bytes = bytes;
  }

  /** `length` bytes from here on, or as many as there are; at least `ahead` bytes are read at once. */
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

/** The place of the directory, which the end of the archive names; null: it has no end. */
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

/** The same in numbers of 64 bits, which stand before the end; null: there are none. */
function longPlace(source: Window, end: number): BytePlace | null {
  if (end < 20) return null;
  const locator = viewOf(source.at(end - 20, 20));
  if (locator.getUint32(0, true) !== LONG_LOCATOR) return null;
  const record = viewOf(source.at(longNumber(locator, 8), 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== LONG_END) return null;
  const from = longNumber(record, 48);
  return { from, to: from + longNumber(record, 40) };
}

/** An entry with the place that its record names, which may lie in another entry. */
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
  const records: { readonly record: BytePlace; readonly fields: ZipRecord; readonly headerAt: number }[] = [];
  let problem: ImportError | null = null;
  let yieldedAt = from;
  for (let at = from; at < to; ) {
    const fields = zipRecord(source.at(at, Math.min(to - at, DIRECTORY_RECORD + MOST_TAIL), CHUNK));
    if (fields === null || fields.headerAt === null || at + fields.length > to) {
      problem = new ImportError('The directory of the archive is damaged, so that what follows is lost.', at);
      break;
    }
    records.push({ record: { from: at, to: at + fields.length }, fields, headerAt: fields.headerAt });
    at += fields.length;
    if (at - yieldedAt >= CHUNK) {
      yieldedAt = at;
      yield;
    }
  }
  const entries: Claim[] = [];
  // In the order of the file, so that one read takes the headers of several short entries.
  for (const { record, fields, headerAt } of records.sort((a, b) => a.headerAt - b.headerAt)) {
    const data = dataPlace(source, headerAt, fields.packed);
    entries.push({ name: fields.name, record, headerAt, data: data !== null && data.to <= from ? data : null });
    if (entries.length % 1000 === 0) yield;
  }
  return { entries, problem };
}

/** The place of the packed bytes after the header that begins here; null: there is no header. */
function dataPlace(source: Window, headerAt: number, packed: number): BytePlace | null {
  const header = zipRecord(source.at(headerAt, ENTRY_HEADER, HEADERS_AHEAD));
  if (header === null || header.headerAt !== null) return null;
  const from = headerAt + header.length;
  return { from, to: from + packed };
}

/** Bytes that are read at once, because they may hold several headers. */
const HEADERS_AHEAD = 16 * 1024;

/** The entries of an archive without a directory, one after the other. */
function* walk(source: Window): Generator<void, Claims> {
  const entries: Claim[] = [];
  let at = 0;
  while (at < source.bytes) {
    const length = zipRecord(source.at(at, ENTRY_HEADER, HEADERS_AHEAD))?.length ?? 0;
    const fields = zipRecord(source.at(at, length));
    if (fields === null || fields.headerAt !== null || fields.tellsSizesLater || at + fields.length > source.bytes)
      break;
    const record = { from: at, to: at + fields.length };
    const data = { from: record.to, to: record.to + fields.packed };
    entries.push({ name: fields.name, record, headerAt: at, data: data.to <= source.bytes ? data : null });
    at = data.to;
    yield;
  }
  const message = 'The archive is cut off: it has no directory at its end.';
  return { entries, problem: new ImportError(message, Math.min(at, source.bytes)) };
}

/** Entries in the order of the directory. One that begins inside another entry has no data. */
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
