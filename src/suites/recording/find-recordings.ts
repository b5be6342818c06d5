import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type OpenSource, openSource, openTogether } from '../../effects/recorded-sources.ts';
import { importersWith } from '../../importers/builtin.ts';
import type { ImporterType } from '../../plugin/importer-type.ts';
import { type RecordKind, recordKind } from '../../records/record-kind.ts';
import { looksLikeUtf16 } from '../../source/decode-utf8.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { isAtOrBelow } from '../../values/at-or-below.ts';
import type { Issue } from '../../types/issue.ts';
import { DetectError, detectedBy, meantFor } from './detected-by.ts';
import { type FoundRecording, type FoundSet, type ReadingOptions, recordingOf } from './found-set.ts';
import { unknownOptions } from './importer-options.ts';
import { type Found, indexSource } from './index-source.ts';
import {
  emptyFile,
  inUtf16,
  shownName,
  outside,
  unreadable,
  unknownFormat,
  passedOver,
  refused,
  loneParts,
  runFile,
  runFiles,
  undetected,
} from './recording-issues.ts';
import { RunFiles } from './run-files.ts';

/** Which files are looked at, and how what stands in them is read. */
export interface FindRecordingsOptions extends ReadingOptions {
  /** Files and folders; relative ones start from `cwd`. */
  readonly recordings: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; names are relative to it. */
  readonly root: string;
  /** Files and folders, links resolved, that may be read; absent: all. */
  readonly within?: readonly string[];
  /** Formats that plug-ins bring. */
  readonly importers: ReadonlyMap<string, ImporterType>;
  /** Called again and again in a long search, so that others get the thread. */
  readonly step: () => void | Promise<void>;
}

/** What recorded files gave. */
export interface FoundRecordings {
  readonly sets: readonly FoundRecording[];
  readonly issues: readonly Issue[];
  readonly files: readonly string[];
}

/**
 * Finds the runs of other programs in files and folders. What is wrong with a file is an issue, never a throw; a folder of
 * which no importer takes the whole is looked at file by file.
 */
export async function findRecordings(options: FindRecordingsOptions): Promise<FoundRecordings> {
  const sets = new Map<string, FoundSet>();
  const issues: Issue[] = [];
  const files: string[] = [];
  const sameAs = new Map<string, string>();
  const origins = new Map<string, string>();
  const runFiles = new RunFiles();
  for (const { importer, source } of sourcesOf(options, { issues, runFiles })) {
    files.push(shownName(source.path, options));
    try {
      await indexSource({ importer, source }, { sets, sameAs, issues, options, origins });
    } catch (error) {
      issues.push(refused(source, importer, error, options));
    } finally {
      source.close();
    }
  }
  issues.push(...runFiles.lone().map((part) => loneParts(part, options)));
  issues.push(
    ...unknownOptions(
      options,
      [...sets.values()].map(({ importer }) => importer),
    ),
  );
  const found = [...sets.values()].filter((set) => set.places.runs > 0);
  return { sets: found.map((set) => recordingOf(set, found, options)), issues, files };
}

/** What each path gives that some importer reads. */
function sourcesOf(options: FindRecordingsOptions, looking: Looking): readonly Found[] {
  const { issues } = looking;
  const { cwd, recordings, format, within } = options;
  const importers = importersWith(options.importers);
  const chosen = format === null ? [...importers.values()] : [importers.get(format)].filter((one) => one !== undefined);
  if (chosen.length === 0 && format !== null) {
    const hint = hintFor(format, [...importers.keys()], 'formats');
    issues.push({ code: 'unknown_format', severity: 'error', message: `There is no format "${format}".`, hint });
    return [];
  }
  const found = recordings.flatMap((name) => {
    const place = path.resolve(cwd, name);
    try {
      if (within?.some((one) => isAtOrBelow(realpathSync.native(place), one)) === false) {
        issues.push(outside(place, options));
        return [];
      }
      return foundIn(openSource(place), chosen, { isNamed: format !== null, options, ...looking });
    } catch (error) {
      issues.push(error instanceof DetectError ? undetected(place, error, options) : unreadable(place, error, options));
      return [];
    }
  });
  const seen = new Set<string>();
  const isNew = (file: string): boolean => !seen.has(file) && Boolean(seen.add(file));
  // A file is the same one under the name of a link.
  return joined(found.filter(({ source }) => isNew(realpathSync.native(source.path))));
}

/** Sources whose runs may be spread over them become one, in the place of the first. */
function joined(found: readonly Found[]): readonly Found[] {
  return found.flatMap(({ importer, source }, at): readonly Found[] => {
    if (importer.joinsFiles !== true) return [{ importer, source }];
    const all = found.filter((one) => one.importer === importer);
    if (all.length === 1) return [{ importer, source }];
    source.close();
    if (found.findIndex((one) => one.importer === importer) !== at) return [];
    return [{ importer, source: openTogether([...new Set(all.flatMap((one) => one.source.paths))]) }];
  });
}

interface Looking {
  readonly issues: Issue[];
  readonly runFiles: RunFiles;
}

interface Finding extends Looking {
  readonly isNamed: boolean;
  readonly options: FindRecordingsOptions;
}

function foundIn(source: OpenSource, importers: readonly ImporterType[], finding: Finding): readonly Found[] {
  const { isNamed, options, issues } = finding;
  const kind = source.isFolder ? null : recordKind(source.head(0));
  if (kind !== null) {
    const importer = finding.runFiles.importerOf(kind, source.path);
    if (importer !== null && importers.some(({ type }) => type === importer.type)) return [{ importer, source }];
    source.close();
    issues.push(runFile(source, kind, options));
    return [];
  }
  for (const importer of importers) {
    const detected = detectedBy(importer, source, options);
    if (detected === true) return [{ importer, source }];
    if (detected === 'folder') return foundIn(openSource(path.dirname(source.path)), [importer], finding);
  }
  if (!source.isFolder && looksLikeUtf16(source.head(0))) {
    source.close();
    issues.push(inUtf16(source, options));
    return [];
  }
  const meant = isNamed ? importers[0] : meantFor(importers, source);
  const isEmpty = !source.isFolder && source.files[0]?.bytes === 0;
  if (meant !== undefined && !source.isFolder && !isEmpty) return [{ importer: meant, source }];
  source.close();
  if (source.isFolder) return foundInside(source, importers, finding);
  issues.push(isEmpty ? emptyFile(source, options) : unknownFormat(source, importers, options));
  return [];
}

/** Looks at the files of a folder one by one. */
function foundInside(
  folder: OpenSource,
  importers: readonly ImporterType[],
  { options, issues, runFiles: ownFiles }: Finding,
): readonly Found[] {
  const ours = new Map<RecordKind, number>();
  const others: string[] = [];
  const read = folder.paths.flatMap((file): readonly Found[] => {
    const source = openSource(file);
    const kind = recordKind(source.head(0));
    const own = kind === null ? null : ownFiles.importerOf(kind, file);
    const importer =
      own === null
        ? importers.find((one) => kind === null && detectedBy(one, source, options) === true)
        : importers.some(({ type }) => type === own.type)
          ? own
          : undefined;
    if (importer !== undefined) return [{ importer, source }];
    source.close();
    if (kind === null) others.push(file);
    else ours.set(kind, (ours.get(kind) ?? 0) + 1);
    return [];
  });
  const severity = read.length === 0 ? 'error' : 'warning';
  for (const [kind, count] of ours) issues.push(runFiles(folder, { kind, count, severity }, options));
  if (read.length === 0 && ours.size === 0) issues.push(unknownFormat(folder, importers, options));
  else if (others.length > 0) issues.push(passedOver(folder, others, options));
  return read;
}
