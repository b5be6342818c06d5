import type { RecordedFiles } from '../../effects/recorded-files.ts';
import { RunPlacesReader } from '../../importers/run-places.ts';
import type { ImporterType, RunPiece } from '../../plugin/importer-type.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { RecordingFacts, RecordingSubject } from '../../types/recording.ts';
import { messageOf } from '../../values/message-of.ts';
import { countWork, isTooMuchWork } from '../../values/work.ts';
import { recordRun, unreadableRun } from './record-run.ts';
import { unreadableReason } from './unreadable-run.ts';

/** Bytes of one run; more is no run that anybody could look at. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Bytes that are read and parsed in the time of one unit of work. */
const BYTES_PER_WORK = 4;

export interface RecordingRunnerOptions {
  readonly importer: ImporterType;
  readonly subject: RecordingSubject;
  readonly files: RecordedFiles;
  /** True: a run that its source does not judge is broken. */
  readonly needsVerdict: boolean;
}

/** Reads recorded trials, any of them, at once. */
export class RecordingRunner {
  private readonly options: RecordingRunnerOptions;
  private readonly places: RunPlacesReader;
  /** Of each file, the position of its source. */
  private readonly sourceOf: readonly number[];
  /** Names of all files, in the source and in the suite. */
  private readonly names: readonly { readonly inSource: string; readonly name: string }[];

  constructor(options: RecordingRunnerOptions) {
    this.options = options;
    const { sources, places } = options.subject;
    this.places = new RunPlacesReader(places);
    this.sourceOf = sources.flatMap(({ files }, source) => files.map(() => source));
    this.names = sources.flatMap(({ files }) => files);
  }

  /** A run that cannot be read is a broken trial. Under `withWork` it throws `TooMuchWork` for what takes more. */
  read(trial: number): TrialRecord {
    const { pieces, counted } = this.places.at(trial);
    countWork(pieces.reduce((sum, { from, to }) => sum + (to - from), 0) / BYTES_PER_WORK);
    const at = this.placeOf(pieces);
    const { importer, subject, needsVerdict } = this.options;
    try {
      const shared = subject.sources[this.sourceOf[pieces[0]?.file ?? 0] ?? 0]?.shared ?? {};
      const run = importer.read(this.bytesOf(pieces), {
        shared,
        set: subject.set,
        options: subject.options,
        files: pieces.map(({ file }) => this.names[file]?.inSource ?? ''),
        counted,
      });
      return recordRun({ trial, run, at, needsVerdict }, subject);
    } catch (error) {
      if (isTooMuchWork(error)) throw error;
      const [file = ''] = at.files;
      return unreadableRun(trial, unreadableReason(messageOf(error), { file, byte: at.byte }));
    }
  }

  private bytesOf(pieces: readonly RunPiece[]): readonly Uint8Array[] {
    const bytes = pieces.reduce((sum, { from, to }) => sum + (to - from), 0);
    if (bytes > MOST_BYTES) throw new Error(`It has ${bytes} bytes; at most ${MOST_BYTES} are read.`);
    return pieces.map(({ file, from, to }) => this.options.files.read(file, from, to));
  }

  private placeOf(pieces: readonly RunPiece[]): RecordingFacts['at'] {
    const files = [...new Set(pieces.map(({ file }) => this.names[file]?.name ?? ''))];
    return { files, byte: pieces[0]?.from ?? 0 };
  }
}
