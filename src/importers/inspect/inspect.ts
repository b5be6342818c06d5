import {
  ImportError,
  type ImporterType,
  type ImportIndex,
  type ImportSource,
  type RunPiece,
} from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';
import { readPythonObject } from '../python-json.ts';
import { MOST_RUN } from '../read-record.ts';
import { unpackEntry } from '../zip/unpack-entry.ts';
import { zipRecord } from '../zip/zip-record.ts';
import { archivedSamples, isArchive } from './archived-samples.ts';
import { type FoundSamples, type LogFacts, logFacts, plannedSamples, setName } from './inspect-log.ts';
import { readSample } from './read-sample.ts';

/** Logs of Inspect: an eval with its samples, each an attempt at a task for each epoch. */
export const inspect: ImporterType = {
  kind: 'importer',
  type: 'inspect',
  summary: 'Logs of Inspect (UK AISI): .json and .eval.',
  detects(source) {
    if (source.files.length !== 1) return false;
    const head = source.head(0);
    const first = zipRecord(head);
    if (first !== null) return /^(?:_journal|samples)\/|^(?:header|summaries|reductions)\.json$/.test(first.name);
    const { root, keys } = headJson(head);
    return root === 'object' && ['version', 'status', 'eval'].every((key) => keys.has(key));
  },
  *index(source, index) {
    const { log, runs } = isArchive(source)
      ? yield* archivedSamples(source, index)
      : yield* listedSamples(source, index);
    index.share(logFacts(log) satisfies LogFacts as unknown as JsonObject);
    const set = index.set(setName(log));
    for (const pieces of runs) set.add(...pieces);
    const problem = incomplete(log, runs.length);
    if (problem !== null) index.problem({ message: problem, file: 0 });
  },
  read([bytes, record], { shared }) {
    const packed = bytes ?? new Uint8Array(0);
    const facts = shared as unknown as LogFacts;
    if (record !== undefined) return readSample(unpackEntry(packed, record), facts);
    if (zipRecord(packed) === null) return readSample(packed, facts);
    throw new ImportError('Its entry claims bytes that the archive does not have, or those of another entry.');
  },
};

const HEADINGS = [['version'], ['status'], ['eval'], ['results'], ['error']] as const;
/** Fields that are long, and that samples repeat. */
const LEFT_OUT = [['reductions'], ['plan'], ['stats']] as const;

/** The samples of a log that is one JSON text, which may be cut off. */
function* listedSamples(source: ImportSource, index: ImportIndex): Generator<void, FoundSamples> {
  const runs: RunPiece[][] = [];
  const log: Record<string, unknown> = {};
  const { cut } = yield* jsonPlaces({
    read: (from, to) => source.read(0, from, to),
    bytes: source.files[0]?.bytes ?? 0,
    paths: [['samples', '*'], ...HEADINGS, ...LEFT_OUT],
    found({ path, from, to }) {
      const key = HEADINGS[path - 1]?.[0];
      if (path === 0) runs.push([{ file: 0, from, to }]);
      else if (key !== undefined && to - from <= MOST_RUN) log[key] = headingIn(source.read(0, from, to));
    },
  });
  if (cut !== null) index.problem({ message: cut.message, file: 0, ...(cut.at !== undefined && { at: cut.at }) });
  return { log, runs };
}

/** The value of a heading; undefined where it cannot be read, which costs no sample. */
function headingIn(bytes: Uint8Array): unknown {
  try {
    return readPythonObject(Buffer.from(`{"value":${Buffer.from(bytes).toString('utf8')}}`))['value'];
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}

function incomplete(log: unknown, runs: number): string | null {
  const { ending } = logFacts(log);
  const planned = plannedSamples(log);
  const isShort = planned !== null && runs < planned;
  if (ending === null && !isShort) return null;
  const counts = planned === null ? '' : `It has ${runs} of ${planned} samples.`;
  return ending === null ? counts : `${ending[0]?.toUpperCase()}${ending.slice(1)}. ${counts}`.trim();
}
