import zlib from 'node:zlib';
import { ImportError } from '../../plugin/importer-type.ts';
import { messageOf } from '../../values/message-of.ts';
import { countWork } from '../../values/work.ts';
import { MOST_RUN } from '../read-record.ts';
import { type ZipRecord, zipRecord } from './zip-record.ts';

/** Bytes that are unpacked and parsed in the time of one unit of work. */
const BYTES_PER_WORK = 4;

const STORED = 0;
const DEFLATE = 8;
const ZSTANDARD = 93;

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Absent before Node.js 22.15. */
function unpackZstandard(): Unpack | undefined {
  return (zlib as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync;
}

/**
 * What an entry of an archive holds: its packed bytes, and what the archive says of it. Throws an `ImportError` where that
 * cannot be had; an entry that claims more than 256 MiB, or holds more than it claims, is not unpacked any further.
 */
export function unpackEntry(packed: Uint8Array, record: Uint8Array): Uint8Array {
  const told = zipRecord(record);
  if (told === null) throw new ImportError('The archive does not say what it is.');
  if (told.isEncrypted) throw new ImportError('It is encrypted.');
  if (told.size > MOST_RUN) throw new ImportError(`It claims to have ${told.size} bytes; at most 256 MiB are read.`);
  countWork(told.size / BYTES_PER_WORK);
  const bytes = unpack(packed, told);
  if (told.method === ZSTANDARD && bytes.length < told.size) {
    throw new ImportError(
      `Node.js unpacks the first ${bytes.length} of its ${told.size} bytes only: it has several frames.`,
    );
  }
  if (bytes.length !== told.size || zlib.crc32(bytes) !== told.crc32) throw new ImportError('Its bytes are damaged.');
  return bytes;
}

/** Why entries that are packed like this one cannot be read here; null: they can. */
export function methodProblem({ method }: Pick<ZipRecord, 'method'>): string | null {
  if (method === STORED || method === DEFLATE) return null;
  if (method !== ZSTANDARD) return `It is packed by method ${method} of ZIP, which passk does not read.`;
  return unpackZstandard() === undefined ? 'It is packed by Zstandard, which Node.js reads from 22.15 on.' : null;
}

function unpack(packed: Uint8Array, told: ZipRecord): Uint8Array {
  const problem = methodProblem(told);
  if (problem !== null) throw new ImportError(problem);
  if (told.method === STORED) return packed;
  const options = { maxOutputLength: Math.max(1, told.size) };
  try {
    if (told.method === DEFLATE) return zlib.inflateRawSync(packed, options);
    return unpackZstandard()?.(packed, options) ?? packed;
  } catch (error) {
    const isLonger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isLonger) throw new ImportError(`It holds more than the ${told.size} bytes that it claims.`);
    throw new ImportError(`It cannot be unpacked: ${messageOf(error)}.`);
  }
}
