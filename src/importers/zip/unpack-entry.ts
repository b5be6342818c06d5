import zlib from 'node:zlib';
import { ImportError } from '../../plugin/importer-type.ts';
import { messageOf } from '../../values/message-of.ts';
import { countWork } from '../../values/work.ts';
import { MOST_RUN } from '../read-record.ts';
import { type ZipRecord, zipRecord } from './zip-record.ts';

/** Bytes that take one unit of work to unpack and parse. */
const BYTES_PER_WORK = 4;

const STORED = 0;
const DEFLATE = 8;
const ZSTANDARD = 93;

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Node's function for Zstandard; absent before Node.js 22.15. */
function unpackZstandard(): Unpack | undefined {
  return (zlib as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync;
}

/**
 * The content of an entry, from its packed bytes and its record in the archive. Throws an `ImportError` where it cannot be
 * unpacked, is larger than 256 MiB by its record, or is larger than its record says.
 */
export function unpackEntry(packed: Uint8Array, record: Uint8Array): Uint8Array {
  const entry = zipRecord(record);
  if (entry === null) throw new ImportError('The archive does not say what it is.');
  if (entry.isEncrypted) throw new ImportError('It is encrypted.');
  if (entry.size > MOST_RUN) throw new ImportError(`It claims to have ${entry.size} bytes; at most 256 MiB are read.`);
  countWork(entry.size / BYTES_PER_WORK);
  const bytes = unpack(packed, entry);
  if (entry.method === ZSTANDARD && bytes.length < entry.size) {
    throw new ImportError(
      `Node.js unpacks the first ${bytes.length} of its ${entry.size} bytes only: it has several frames.`,
    );
  }
  if (bytes.length !== entry.size || zlib.crc32(bytes) !== entry.crc32) throw new ImportError('Its bytes are damaged.');
  return bytes;
}

/** Why entries that are packed like this one cannot be read here; null: they can. */
export function methodProblem({ method }: Pick<ZipRecord, 'method'>): string | null {
  if (method === STORED || method === DEFLATE) return null;
  if (method !== ZSTANDARD) return `It is packed by method ${method} of ZIP, which passk does not read.`;
  return unpackZstandard() === undefined ? 'It is packed by Zstandard, which Node.js reads from 22.15 on.' : null;
}

function unpack(packed: Uint8Array, entry: ZipRecord): Uint8Array {
  const problem = methodProblem(entry);
  if (problem !== null) throw new ImportError(problem);
  if (entry.method === STORED) return packed;
  const options = { maxOutputLength: Math.max(1, entry.size) };
  try {
    if (entry.method === DEFLATE) return zlib.inflateRawSync(packed, options);
    return unpackZstandard()?.(packed, options) ?? packed;
  } catch (error) {
    const isLonger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isLonger) throw new ImportError(`It holds more than the ${entry.size} bytes that it claims.`);
    throw new ImportError(`It cannot be unpacked: ${messageOf(error)}.`);
  }
}
