import path from 'node:path';
import { type OpenSource, openSource } from '../../effects/recorded-sources.ts';
import { RunPlaces } from '../../importers/run-places.ts';
import { ImportError, type ImporterType, type ImportProblem, type RunPiece } from '../../plugin/importer-type.ts';
import { ThreadTurns } from '../../pool/thread-turns.ts';
import { bareScenario, NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { displayName } from '../../source/source-file.ts';
import type { ResolvedLoadOptions } from '../../settings/options.ts';
import type { Issue, Location } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { RecordedFile, RecordedSource, RecordingSubject } from '../../types/recording.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { messageOf } from '../../values/message-of.ts';

export interface LoadRecordingsOptions
  extends Pick<ResolvedLoadOptions, 'recordings' | 'format' | 'map' | 'scorer' | 'passScore' | 'errors' | 'cwd'> {
  /** Absolute; names are relative to it. */
  readonly root: string;
  readonly importers: ReadonlyMap<string, ImporterType>;
}

/** What recorded files gave: a scenario for each set of runs, or the reasons why not. */
export interface LoadedRecordings {
  readonly rows: readonly LoadedScenario[];
  /** Problems that are in no row. */
  readonly issues: readonly Issue[];
  readonly files: readonly string[];
}

/** A source that an importer reads. */
interface Found {
  readonly importer: ImporterType;
  readonly source: OpenSource;
}

/** Runs of one name and one format, from one source or several. */
interface FoundSet {
  readonly importer: ImporterType;
  readonly name: string;
  readonly places: RunPlaces;
  readonly sources: RecordedSource[];
  files: number;
  readonly issues: Issue[];
}

/** A recorded run is read, not waited for. */
const TIME_LIMIT_MS = 60_000;

/**
 * Finds the runs of other programs in files and folders. What is wrong with a file is an issue, never a throw; a folder of
 * which no importer takes the whole is looked at file by file.
 */
export async function loadRecordings(options: LoadRecordingsOptions): Promise<LoadedRecordings> {
  const sets = new Map<string, FoundSet>();
  const issues: Issue[] = [];
  const files: string[] = [];
  const turns = new ThreadTurns();
  const step = async (): Promise<void> => {
    if (turns.isOver()) await turns.next();
  };
  for (const { importer, source } of sourcesOf(options, issues)) {
    files.push(shownName(source.path, options));
    try {
      await indexSource({ importer, source }, { sets, issues, options, step });
    } catch (error) {
      issues.push(refused(source, importer, error, options));
    } finally {
      source.close();
    }
  }
  const found = [...sets.values()].filter((set) => set.places.runs > 0);
  return { rows: found.map((set) => rowOf(set, found, options)), issues, files };
}

/** What each path gives that some importer reads. */
function sourcesOf(options: LoadRecordingsOptions, issues: Issue[]): readonly Found[] {
  const { cwd, recordings, importers, format } = options;
  const chosen = format === null ? [...importers.values()] : [importers.get(format)].filter((one) => one !== undefined);
  if (chosen.length === 0 && format !== null) {
    const hint = hintFor(format, [...importers.keys()], 'formats');
    issues.push({ code: 'unknown_format', severity: 'error', message: `There is no format "${format}".`, hint });
    return [];
  }
  const found = recordings.flatMap((given) => {
    const place = path.resolve(cwd, given);
    try {
      return foundIn(openSource(place), chosen, { isNamed: format !== null, options, issues });
    } catch (error) {
      issues.push(unreadable(place, error, options));
      return [];
    }
  });
  const seen = new Set<string>();
  return found.filter(({ source }) => !seen.has(source.path) && seen.add(source.path));
}

interface Finding {
  readonly isNamed: boolean;
  readonly options: LoadRecordingsOptions;
  readonly issues: Issue[];
}

function foundIn(source: OpenSource, importers: readonly ImporterType[], finding: Finding): readonly Found[] {
  const { isNamed, options, issues } = finding;
  for (const importer of importers) {
    const detected = importer.detects(source);
    if (detected === true) return [{ importer, source }];
    if (detected === 'folder') return foundIn(openSource(path.dirname(source.path)), [importer], finding);
  }
  const [only] = importers;
  // Whoever names the format knows better than what a glance at the file tells.
  if (isNamed && only !== undefined && !source.isFolder) return [{ importer: only, source }];
  source.close();
  if (!source.isFolder) {
    issues.push(unknownFormat(source, importers, options));
    return [];
  }
  const inside = source.paths.map((file) => openSource(file));
  const read = inside.flatMap((one) => {
    const importer = importers.find((candidate) => candidate.detects(one) === true);
    return importer === undefined ? [] : [{ importer, source: one }];
  });
  if (read.length === 0) issues.push(unknownFormat(source, importers, options));
  else if (read.length < inside.length) issues.push(passedOver(source, inside.length - read.length, options));
  return read;
}

interface Indexing {
  readonly sets: Map<string, FoundSet>;
  readonly issues: Issue[];
  readonly options: LoadRecordingsOptions;
  readonly step: () => Promise<void>;
}

async function indexSource({ importer, source }: Found, { sets, issues, options, step }: Indexing): Promise<void> {
  let shared: JsonObject = {};
  const used = new Map<FoundSet, (readonly RunPiece[])[]>();
  const setOf = (name: string): FoundSet => {
    const key = JSON.stringify([importer.type, name]);
    const known = sets.get(key) ?? newSet(importer, name);
    sets.set(key, known);
    return known;
  };
  const steps = importer.index(
    source,
    {
      set(name) {
        const set = setOf(name);
        const runs = used.get(set) ?? [];
        used.set(set, runs);
        return { add: (...pieces) => void runs.push(pieces) };
      },
      share: (given) => {
        shared = given;
      },
      problem: (problem) => void issues.push(partly(source, problem, options)),
    },
    options.map,
  );
  for (const _ of steps) await step();
  if ([...used.values()].every((runs) => runs.length === 0)) throw new ImportError('There is no run in it.');
  const files: RecordedFile[] = [];
  for (const [at, { name, bytes }] of source.files.entries()) {
    const digest = source.digest(at);
    let state = digest.next();
    for (; state.done !== true; state = digest.next()) await step();
    files.push({ name: shownName(source.paths[at] ?? '', options), inSource: name, bytes, sha256: state.value });
  }
  for (const [set, runs] of used) {
    const first = set.files;
    set.sources.push({ name: shownName(source.path, options), files, shared });
    set.files += files.length;
    for (const pieces of runs) set.places.add(pieces.map((piece) => ({ ...piece, file: piece.file + first })));
  }
}

function newSet(importer: ImporterType, name: string): FoundSet {
  return { importer, name, places: new RunPlaces(), sources: [], files: 0, issues: [] };
}

function rowOf(set: FoundSet, all: readonly FoundSet[], options: LoadRecordingsOptions): LoadedScenario {
  const { scorer, passScore, errors, map } = options;
  const shown = set.sources[0]?.name ?? '';
  const subject: RecordingSubject = {
    kind: 'recording',
    format: set.importer.type,
    options: map,
    set: set.name,
    sources: set.sources,
    places: set.places.encode(),
    passScore,
    scorer,
    errors,
  };
  const name = set.name === '' ? path.basename(shown) : set.name;
  const isShared = all.some((other) => other !== set && other.name === set.name);
  const scenario: Scenario = {
    ...bareScenario({
      name: isShared ? `${name} (${set.importer.type})` : name,
      file: shown,
      trials: set.places.runs,
      timeoutMs: TIME_LIMIT_MS,
    }),
    // Nobody has said what is enough.
    minPassRate: 0,
    subject,
    expected: { ...NOTHING_EXPECTED, claimed: true },
  };
  return { ok: true, file: shown, scenario: freezeDeep(scenario), issues: set.issues };
}

function shownName(file: string, { root }: Pick<LoadRecordingsOptions, 'root'>): string {
  return displayName(file, root);
}

function at(file: string, options: LoadRecordingsOptions): Location {
  return { file: shownName(file, options), line: 1, column: 1 };
}

function unreadable(place: string, error: unknown, options: LoadRecordingsOptions): Issue {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    code: isMissing ? 'file_missing' : 'file_unreadable',
    severity: 'error',
    message: isMissing
      ? `"${shownName(place, options)}" does not exist.`
      : `"${shownName(place, options)}" cannot be read: ${messageOf(error)}.`,
    at: at(place, options),
    hint: isMissing ? 'Check the path.' : 'Check its permissions.',
  };
}

function unknownFormat(source: OpenSource, importers: readonly ImporterType[], options: LoadRecordingsOptions): Issue {
  const what = source.isFolder ? 'holds no file of' : 'is of';
  return {
    code: 'unknown_format',
    severity: 'error',
    message: `"${shownName(source.path, options)}" ${what} no format that passk reads.`,
    at: at(source.path, options),
    hint: `Formats: ${importers.map(({ type }) => type).join(', ')}; --format names one.`,
  };
}

function passedOver(source: OpenSource, count: number, options: LoadRecordingsOptions): Issue {
  return {
    code: 'files_passed_over',
    severity: 'warning',
    message: `${count} file${count === 1 ? '' : 's'} in "${shownName(source.path, options)}" ${count === 1 ? 'is' : 'are'} of no format that passk reads.`,
    at: at(source.path, options),
  };
}

function refused(source: OpenSource, importer: ImporterType, error: unknown, options: LoadRecordingsOptions): Issue {
  const byte = error instanceof ImportError && error.at !== undefined ? ` (byte ${error.at})` : '';
  return {
    code: 'bad_recording',
    severity: 'error',
    message: `"${shownName(source.path, options)}" cannot be read as ${importer.type}: ${messageOf(error)}${byte}`,
    at: at(source.path, options),
    hint: '--format names another format.',
  };
}

function partly(source: OpenSource, { message, file, at: byte }: ImportProblem, options: LoadRecordingsOptions): Issue {
  const place = source.paths[file] ?? source.path;
  return {
    code: 'bad_recording',
    severity: 'warning',
    message: `"${shownName(place, options)}"${byte === undefined ? '' : ` at byte ${byte}`}: ${message}`,
    at: at(place, options),
    hint: 'What could be read is counted.',
  };
}
