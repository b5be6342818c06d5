import path from 'node:path';
import { RunPlaces } from '../../importers/run-places.ts';
import type { ErrorPolicy, RecordedSource, RecordingSubject } from '../../types/recording.ts';
import { optionsFor } from './importer-options.ts';
import type { FindingImporter } from './run-files.ts';
import { RunNames } from './run-names.ts';

/** How what stands in files is read. */
export interface ReadingOptions {
  /** The importer; null: what stands in them tells. */
  readonly format: string | null;
  /** What the format leaves open. */
  readonly map: Readonly<Record<string, string>>;
  readonly scorer: string | null;
  readonly passScore: number;
  readonly errors: ErrorPolicy;
}

/** Runs of one name and one format, from one source or several. */
export interface FoundSet {
  readonly importer: FindingImporter;
  readonly name: string;
  readonly places: RunPlaces;
  readonly sources: RecordedSource[];
  /** Absolute, of all its files. */
  readonly paths: string[];
  /** Of the runs that have some. */
  readonly names: RunNames;
  /** Tasks of which all runs are the same one, as a source says. */
  readonly constantTasks: Set<string>;
}

/** Runs that are one sample. */
export interface FoundRecording {
  /** As the source calls it, else the name of the file or folder. */
  readonly name: string;
  /** The first file or folder, relative to the root. */
  readonly file: string;
  readonly runs: number;
  readonly subject: RecordingSubject;
}

export function newSet(importer: FindingImporter, name: string): FoundSet {
  return {
    importer,
    name,
    places: new RunPlaces(),
    sources: [],
    paths: [],
    names: new RunNames(),
    constantTasks: new Set(),
  };
}

/** `all`: the sets beside it, of which one may have the same name. */
export function recordingOf(set: FoundSet, all: readonly FoundSet[], options: ReadingOptions): FoundRecording {
  const { scorer, passScore, errors, map } = options;
  const attack = set.importer.attackOf?.(set.name) ?? null;
  const file = set.sources[0]?.name ?? '';
  const name = set.name || path.basename(file);
  const isShared = all.some((other) => other !== set && other.name === set.name);
  return {
    name: isShared ? `${name} (${set.importer.type})` : name,
    file,
    runs: set.places.runs,
    subject: {
      kind: 'recording',
      format: set.importer.type,
      options: optionsFor(set.importer, map),
      set: set.name,
      ...(set.constantTasks.size > 0 && { constantTasks: [...set.constantTasks].sort() }),
      sources: set.sources,
      places: set.places.encode(),
      passScore,
      scorer,
      errors,
      ...(attack !== null && { attack }),
    },
  };
}
