import { ImportError, type ImportIndex, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import { readPythonObject } from '../python-json.ts';
import { MOST_RUN } from '../read-record.ts';
import { methodProblem, unpackEntry } from '../zip/unpack-entry.ts';
import { type BytePlace, type ZipEntry, zipEntries } from '../zip/zip-entries.ts';
import { zipRecord } from '../zip/zip-record.ts';
import type { FoundSamples } from './inspect-log.ts';

export function isArchive(source: ImportSource): boolean {
  return zipRecord(source.head(0)) !== null;
}

/** The samples of a log that is an archive, in the order in which Inspect gives them: by epoch, then by name. */
export function* archivedSamples(source: ImportSource, index: ImportIndex): Generator<void, FoundSamples> {
  const read = (from: number, to: number): Uint8Array => source.read(0, from, to);
  const { entries, problem } = yield* zipEntries(read, source.files[0]?.bytes ?? 0);
  if (problem !== null)
    index.problem({ message: problem.message, file: 0, ...(problem.at !== undefined && { at: problem.at }) });
  // A sample that was run again has an entry of the same name later: the last one counts.
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const log = headerOf(source, byName, index);
  const samples = [...byName.values()].flatMap((entry) => sampleOf(entry) ?? []).sort(inOrder);
  return { log, runs: samples.map(({ entry }) => piecesOf(entry)) };
}

interface ArchivedSample {
  readonly entry: ZipEntry;
  readonly epoch: number;
  /** Its id as one text sorts behind another. */
  readonly key: string;
}

/** The sample of an entry; null: the entry is no sample. */
function sampleOf(entry: ZipEntry): ArchivedSample | null {
  const [, id, epoch] = /^samples\/(.*?)(?:_epoch_(\d+))?\.json$/s.exec(entry.name) ?? [];
  if (id === undefined) return null;
  return { entry, epoch: Number(epoch ?? 1), key: /^\d+$/.test(id) ? id.padStart(20, '0') : id };
}

function inOrder(a: ArchivedSample, b: ArchivedSample): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The packed bytes of an entry and its record; the record alone where the archive lacks the bytes. */
function piecesOf({ data, record }: ZipEntry): readonly RunPiece[] {
  const piece = ({ from, to }: BytePlace): RunPiece => ({ file: 0, from, to });
  return data === null ? [piece(record)] : [piece(data), piece(record)];
}

/** The header at the end of a log, or the one at its beginning where it has no end. */
function headerOf(source: ImportSource, byName: ReadonlyMap<string, ZipEntry>, index: ImportIndex): unknown {
  const entry = byName.get('header.json') ?? byName.get('_journal/start.json');
  if (entry === undefined) return { status: 'started' };
  const { record, data } = entry;
  const entryRecord = source.read(0, record.from, record.to);
  const unreadable = methodProblem(zipRecord(entryRecord) ?? { method: 0 });
  if (unreadable !== null) throw new ImportError(`${unreadable} \`inspect log convert --to json\` converts the log.`);
  try {
    if (data === null) throw new ImportError('It is not whole.');
    if (data.to - data.from > MOST_RUN) throw new ImportError('It is longer than 256 MiB.');
    const log = readPythonObject(unpackEntry(source.read(0, data.from, data.to), entryRecord));
    return byName.has('header.json') ? log : { status: 'started', ...log };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    index.problem({ message: `Its ${entry.name} cannot be read. ${error.message}`, file: 0, at: record.from });
    return {};
  }
}
