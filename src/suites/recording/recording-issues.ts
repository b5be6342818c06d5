import path from 'node:path';
import type { OpenSource } from '../../effects/recorded-sources.ts';
import { ImportError, type ImporterType, type ImportProblem } from '../../plugin/importer-type.ts';
import type { RecordKind } from '../../records/record-kind.ts';
import { UTF16_HINT } from '../../source/decode-utf8.ts';
import { displayName } from '../../source/source-file.ts';
import type { Issue, Location } from '../../types/issue.ts';
import { messageOf } from '../../values/message-of.ts';
import { accessHint } from '../../source/missing-path.ts';
import type { DoubleRuns, RunLine } from './double-runs.ts';
import { optionsFor, type Mapped } from './importer-options.ts';
import type { ReadPart } from './run-files.ts';
import { firstNames } from '../../text/first-names.ts';

/** What names in messages are relative to. */
export interface Rooted {
  /** Absolute. */
  readonly root: string;
}

export function shownName(file: string, { root }: Rooted): string {
  return displayName(file, root);
}

function at(file: string, options: Rooted): Location {
  return { file: shownName(file, options), line: 1, column: 1 };
}

export function outside(place: string, options: Rooted): Issue {
  return {
    code: 'file_outside',
    severity: 'error',
    message: `"${shownName(place, options)}" lies outside of the project and the working folder.`,
    at: at(place, options),
    hint: 'Grant it with --allow-read, or name it on the command line of passk score.',
  };
}

export function unreadable(place: string, error: unknown, options: Rooted): Issue {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    code: isMissing ? 'file_missing' : 'file_unreadable',
    severity: 'error',
    message: isMissing
      ? `"${shownName(place, options)}" does not exist.`
      : `"${shownName(place, options)}" cannot be read: ${messageOf(error)}.`,
    at: at(place, options),
    hint: accessHint(error, place, shownName(place, options)),
  };
}

export function undetected(place: string, { message }: Error, options: Rooted): Issue {
  return {
    code: 'bad_recording',
    severity: 'error',
    message: `"${shownName(place, options)}" cannot be looked at: ${message}`,
    at: at(place, options),
    hint: 'The importer is code of a plug-in: mend it, leave it out, or name the format of the file with --format.',
  };
}

export function unknownFormat(source: OpenSource, importers: readonly ImporterType[], options: Rooted): Issue {
  const what = source.isFolder ? 'holds no file of a format' : 'is of no format';
  return {
    code: 'unknown_format',
    severity: 'error',
    message: `"${shownName(source.path, options)}" ${what} that passk reads.`,
    at: at(source.path, options),
    hint: `Formats: ${importers.map(({ type }) => type).join(', ')}; --format names one, and says what it lacks.`,
  };
}

export function inUtf16(source: OpenSource, options: Rooted): Issue {
  return {
    code: 'unknown_format',
    severity: 'error',
    message: `"${shownName(source.path, options)}" is not UTF-8.`,
    at: at(source.path, options),
    hint: UTF16_HINT,
  };
}

export function emptyFile(source: OpenSource, options: Rooted): Issue {
  return {
    code: 'unknown_format',
    severity: 'error',
    message: `"${shownName(source.path, options)}" is empty.`,
    at: at(source.path, options),
  };
}

/** Names that a message lists. */
const MOST_NAMES = 5;

/** `files`: absolute, at least one. */
export function passedOver(source: OpenSource, files: readonly string[], options: Rooted): Issue {
  const names = files.map((file) => `"${path.relative(source.path, file)}"`);
  const are = files.length === 1 ? 'is' : 'are';
  return {
    code: 'files_passed_over',
    severity: 'warning',
    message: `In "${shownName(source.path, options)}", ${firstNames(names, MOST_NAMES)} ${are} of no format that passk reads.`,
    at: at(source.path, options),
    hint: 'A file of runs that is named by itself is read, or says what it lacks.',
  };
}

/** The report of its run says more than such a file, or is the only one to count its trials. */
const REPORT_OF: Readonly<Record<RecordKind, string>> = {
  shard: 'Name the report of all shards: `passk merge shards/* --json > report.json`.',
  journal: 'Name the report of the run that it belongs to: `passk run … --resume --json > report.json`.',
  answers: 'Name the report of a run that reuses them: `passk run … --cache=DIR --json > report.json`.',
  cassette: 'Name the report of the run that it replays: `passk run … --replay FILE --json > report.json`.',
};

export function runFile(source: OpenSource, kind: RecordKind, options: Rooted): Issue {
  return {
    code: 'run_file',
    severity: 'error',
    message: `"${shownName(source.path, options)}" is a ${kind} of passk, not a report.`,
    at: at(source.path, options),
    hint: REPORT_OF[kind],
  };
}

interface CountedFiles {
  readonly kind: RecordKind;
  readonly count: number;
  readonly severity: Issue['severity'];
}

export function runFiles(folder: OpenSource, { kind, count, severity }: CountedFiles, options: Rooted): Issue {
  const what =
    count === 1 ? `a ${kind} of passk, which is no report` : `${count} ${kind}s of passk, which are no reports`;
  return {
    code: 'run_file',
    severity,
    message: `"${shownName(folder.path, options)}" holds ${what}.`,
    at: at(folder.path, options),
    hint: REPORT_OF[kind],
  };
}

export function loneParts({ file, noun, index, count }: ReadPart, options: Rooted): Issue {
  return {
    code: 'part_of_run',
    severity: 'warning',
    message: `"${shownName(file, options)}" is the ${noun} of part ${index} of ${count} of its run: not all other parts are given, and they are not counted.`,
    at: at(file, options),
    hint: REPORT_OF[noun],
  };
}

export function refused(
  source: OpenSource,
  importer: Pick<ImporterType, 'type' | 'options'>,
  error: unknown,
  options: Rooted & Mapped,
): Issue {
  const byte = error instanceof ImportError && error.at !== undefined ? ` (byte ${error.at})` : '';
  return {
    code: 'bad_recording',
    severity: 'error',
    message: `"${shownName(source.path, options)}" cannot be read as ${importer.type}: ${messageOf(error)}${byte}`,
    at: at(source.path, options),
    hint: refusedHint(importer, options),
  };
}

function refusedHint(importer: Pick<ImporterType, 'type' | 'options'>, { map }: Mapped): string {
  if (Object.keys(optionsFor(importer, map)).length > 0) {
    return 'What --map says holds for all files: `passk export FILE --map … --out FILE` writes one with the usual columns.';
  }
  const other = '--format names another format.';
  return importer.options === undefined ? other : `--map NAME=VALUE says what the format leaves open, and ${other}`;
}

export function partly(source: OpenSource, { message, file, at: byte }: ImportProblem, options: Rooted): Issue {
  const place = source.paths[file] ?? source.path;
  return {
    code: 'bad_recording',
    severity: 'warning',
    message: `"${shownName(place, options)}"${byte === undefined ? '' : ` at byte ${byte}`}: ${message}`,
    at: at(place, options),
    hint: 'What could be read is counted.',
  };
}

/** A source with the bytes of an earlier one. */
export interface SameBytes {
  /** As it is shown. */
  readonly twin: string;
  /** True: its runs may be others, and count. */
  readonly countsAgain: boolean;
}

export function sameBytes(source: OpenSource, { twin, countsAgain }: SameBytes, options: Rooted): Issue {
  const name = shownName(source.path, options);
  return {
    code: 'same_bytes',
    severity: 'warning',
    message: countsAgain
      ? `"${name}" holds the same bytes as "${twin}", and nothing in them says of which run they are; each of its runs counts twice.`
      : `"${name}" holds the same bytes as "${twin}", so that it is a copy; each of its runs counts once.`,
    at: at(source.path, options),
    hint: countsAgain
      ? 'Leave one of them out where it is a copy; ids of runs tell copies from runs.'
      : 'Leave one of them out.',
  };
}

/** A task whose trials follow from the same as those of an earlier source. */
export interface SameTrials {
  readonly task: string;
  /** As it is shown. */
  readonly earlier: string;
}

export function sameTrials(source: OpenSource, { task, earlier }: SameTrials, options: Rooted): Issue {
  const name = shownName(source.path, options);
  return {
    code: 'same_trials',
    severity: 'warning',
    message: `"${task}" drew the same in "${name}" as in "${earlier}": where nothing was changed between, its trials are the same, and each counts twice.`,
    at: at(source.path, options),
    hint: 'Leave one of them out, or run it with another --seed.',
  };
}

/** Runs with the name of another one of their set. */
export function runTwice({ count, name, first, again, differs }: DoubleRuns, options: Rooted): Issue {
  const [there, here] = [first, again].map(({ file, line, byte }: RunLine) => {
    const place = first.line === again.line && first.file === again.file ? `byte ${byte}` : `line ${line}`;
    return `${place} of "${shownName(file, options)}"`;
  });
  const others = count === 1 ? '' : count === 2 ? ' So does 1 other run.' : ` So do ${count - 1} other runs.`;
  return {
    code: 'double_run',
    severity: differs ? 'error' : 'warning',
    message: differs
      ? `The run ${name} stands at ${there} and, in other words, at ${here}. Nobody can tell which of them counts.`
      : `The run ${name} stands at ${there} and again at ${here}, and counts once.${others}`,
    at: { ...at(again.file, options), line: again.line },
    hint: 'Where the column of ids names no runs, name the one that does: --map id=COLUMN. --map id=- takes none.',
  };
}
