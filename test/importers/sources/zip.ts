import { crc32, deflateRawSync } from 'node:zlib';

/** An entry, and in what its archive lies about it. */
export interface EntrySpec {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly method?: number;
  /** The packed bytes, where they are not those of the method. */
  readonly packed?: Uint8Array;
  readonly flags?: number;
  /** What the directory says instead. */
  readonly size?: number;
  readonly crc?: number;
  readonly headerAt?: number;
}

export interface ArchiveOptions {
  /** Numbers of the directory and the end stand in their fields of 64 bits. */
  readonly isLong?: boolean;
  readonly comment?: string;
}

/** A ZIP archive with these entries. */
export function zipOf(
  entries: readonly EntrySpec[],
  { isLong = false, comment = '' }: ArchiveOptions = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let at = 0;
  const put = (part: Uint8Array): void => {
    parts.push(Buffer.from(part));
    at += part.length;
  };
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const method = entry.method ?? 8;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const told = {
      ...entry,
      method,
      packed: packed.length,
      size: entry.size ?? content.length,
      crc: entry.crc ?? crc32(content),
    };
    records.push(record(0x02014b50, told, { headerAt: entry.headerAt ?? at, isLong }));
    put(record(0x04034b50, told, { headerAt: null, isLong: false }));
    put(packed);
  }
  const from = at;
  for (const one of records) put(one);
  const length = at - from;
  if (isLong) {
    const end = at;
    put(
      numbers(
        [0x06064b50, 4],
        [44, 8],
        [45, 2],
        [45, 2],
        [0, 4],
        [0, 4],
        [entries.length, 8],
        [entries.length, 8],
        [length, 8],
        [from, 8],
      ),
    );
    put(numbers([0x07064b50, 4], [0, 4], [end, 8], [1, 4]));
  }
  const count = isLong ? 0xffff : entries.length;
  put(
    numbers(
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [count, 2],
      [count, 2],
      [isLong ? MANY : length, 4],
      [isLong ? MANY : from, 4],
      [comment.length, 2],
    ),
  );
  put(Buffer.from(comment));
  return Buffer.concat(parts);
}

const MANY = 0xffffffff;

interface Told {
  readonly name: string;
  readonly method: number;
  readonly flags?: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

function record(
  signature: number,
  { name, method, flags = 0, crc, packed, size }: Told,
  { headerAt, isLong }: { readonly headerAt: number | null; readonly isLong: boolean },
): Buffer {
  const isBig = isLong || size > MANY;
  const extra = isBig
    ? numbers(
        [1, 2],
        [headerAt === null ? 16 : 24, 2],
        [size, 8],
        [packed, 8],
        ...(headerAt === null ? [] : [[headerAt, 8] as const]),
      )
    : Buffer.alloc(0);
  const bytes = Buffer.from(name);
  const common = numbers(
    [flags, 2],
    [method, 2],
    [0, 4],
    [crc, 4],
    [isBig ? MANY : packed, 4],
    [isBig ? MANY : size, 4],
    [bytes.length, 2],
    [extra.length, 2],
  );
  if (headerAt === null) return Buffer.concat([numbers([signature, 4], [45, 2]), common, bytes, extra]);
  const tail = numbers([0, 2], [0, 2], [0, 2], [0, 4], [isBig ? MANY : headerAt, 4]);
  return Buffer.concat([numbers([signature, 4], [45, 2], [45, 2]), common, tail, bytes, extra]);
}

/** Little-endian numbers, each with its length in bytes. */
function numbers(...list: readonly (readonly [number, number])[]): Buffer {
  return Buffer.concat(
    list.map(([value, length]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes.subarray(0, length);
    }),
  );
}
