/** The record of an entry in an archive. */
export interface ZipRecord {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** 0: as it is, 8: deflate, 93: Zstandard. */
  readonly method: number;
  readonly crc32: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes when unpacked. */
  readonly size: number;
  /** Whether the sizes stand after the entry, so that those here are not valid. */
  readonly tellsSizesLater: boolean;
  /** Where its header begins; null in that header itself. */
  readonly headerAt: number | null;
  /** Bytes of this record, with its name, extra fields and comment. */
  readonly length: number;
}

/** Bytes of a record of the directory without its name; the header of an entry has 30. */
export const DIRECTORY_RECORD = 46;
export const ENTRY_HEADER = 30;

const IN_DIRECTORY = 0x02014b50;
const AT_ENTRY = 0x04034b50;
/** Stands for a number of 64 bits, which is among the extra fields. */
const IN_EXTRA = 0xffffffff;
const ZIP64 = 1;

/**
 * The record at the begin of these bytes, of the directory or in the header of an entry; null: there is none. Name and extra
 * fields may be cut off by the end of the bytes. Source: PKWARE's APPNOTE 6.3.10, 4.3.7, 4.3.12 and 4.5.3.
 */
export function zipRecord(bytes: Uint8Array): ZipRecord | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < ENTRY_HEADER) return null;
  const signature = view.getUint32(0, true);
  const isInDirectory = signature === IN_DIRECTORY;
  if (!isInDirectory && signature !== AT_ENTRY) return null;
  const fixed = isInDirectory ? DIRECTORY_RECORD : ENTRY_HEADER;
  if (view.byteLength < fixed) return null;
  // A record of the directory begins with the version of the writer: all else is the same, two bytes later.
  const at = isInDirectory ? 2 : 0;
  const flags = view.getUint16(at + 6, true);
  const nameLength = view.getUint16(at + 26, true);
  const extraLength = view.getUint16(at + 28, true);
  const commentLength = isInDirectory ? view.getUint16(32, true) : 0;
  const long = longNumbers(view, fixed + nameLength, fixed + nameLength + extraLength);
  const number = (position: number): number => {
    const short = view.getUint32(position, true);
    return short === IN_EXTRA ? (long.shift() ?? short) : short;
  };
  // The extra field has the numbers that do not fit, in this order.
  const size = number(at + 22);
  const packed = number(at + 18);
  return {
    name: Buffer.from(bytes.subarray(fixed, fixed + nameLength)).toString('utf8'),
    isEncrypted: (flags & 1) !== 0,
    method: view.getUint16(at + 8, true),
    crc32: view.getUint32(at + 14, true),
    packed,
    size,
    tellsSizesLater: (flags & 8) !== 0,
    headerAt: isInDirectory ? number(42) : null,
    length: fixed + nameLength + extraLength + commentLength,
  };
}

/** Numbers of 64 bits from the extra fields between these positions; [] where there are none. */
function longNumbers(view: DataView, from: number, to: number): number[] {
  const end = Math.min(to, view.byteLength);
  for (let at = from; at + 4 <= end; ) {
    const length = view.getUint16(at + 2, true);
    const next = at + 4 + length;
    if (view.getUint16(at, true) === ZIP64) {
      const numbers: number[] = [];
      for (let i = at + 4; i + 8 <= Math.min(next, end); i += 8) numbers.push(longNumber(view, i));
      return numbers;
    }
    at = next;
  }
  return [];
}

/** A number of 64 bits. It is exact up to 2^53, which is larger than any file. */
export function longNumber(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
