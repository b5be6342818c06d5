import type { OpenSource } from '../../effects/recorded-sources.ts';
import { ImportError } from '../../plugin/importer-type.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { RecordedFile } from '../../types/recording.ts';
import { jsonText } from '../../values/json-text.ts';
import { doubleRuns, NewRuns } from './double-runs.ts';
import { type FoundSet, newSet } from './found-set.ts';
import { type Mapped, optionsFor } from './importer-options.ts';
import {
  partly,
  type Rooted,
  runTwice,
  sameBytes,
  type SameTrials,
  sameTrials,
  shownName,
} from './recording-issues.ts';
import type { FindingImporter } from './run-files.ts';

/** A source that an importer reads. */
export interface Found {
  readonly importer: FindingImporter;
  readonly source: OpenSource;
}

export interface IndexingOptions extends Rooted, Mapped {
  /** Called again and again in a long search, so that others get the thread. */
  readonly step: () => void | Promise<void>;
}

/** Until an importer has found its runs. One of the user may give anything. */
async function done(steps: Iterable<void> | PromiseLike<void> | null | undefined, step: () => unknown): Promise<void> {
  if (typeof steps !== 'object' || steps === null) throw new ImportError('Its `index` gave nothing to wait for.');
  if ('then' in steps) await steps;
  else for (const _ of steps) await step();
}

export interface Indexing {
  /** The source that was first with trials that follow from the same, by all that they follow from. */
  readonly origins: Map<string, string>;
  readonly sets: Map<string, FoundSet>;
  /** The source that was first with these bytes, by what tells them from others. */
  readonly sameAs: Map<string, string>;
  readonly issues: Issue[];
  readonly options: IndexingOptions;
}

/** Finds the runs of a source, and adds them to their sets. One with the bytes of another is a copy, and adds nothing. */
export async function indexSource(
  { importer, source }: Found,
  { sets, sameAs, issues, options, origins }: Indexing,
): Promise<void> {
  const importerOptions = optionsFor(importer, options.map);
  const files: RecordedFile[] = [];
  for (const [at, { name, bytes }] of source.files.entries()) {
    const sha256 = await untilDone(source.digest(at), options);
    files.push({ name: shownName(source.paths[at] ?? '', options), inSource: name, bytes, sha256 });
  }
  const digest = files.map(({ sha256 }) => sha256).join();
  const twin = importer.mayBeEmpty === true ? undefined : sameAs.get(digest);
  const countsAgain = twin !== undefined && importer.mayRepeat?.(source, importerOptions) === true;
  if (twin !== undefined && !countsAgain) {
    issues.push(sameBytes(source, { twin, countsAgain }, options));
    return;
  }
  let shared: JsonObject = {};
  const used = new Map<FoundSet, NewRuns>();
  const again: SameTrials[] = [];
  const setOf = (name: string): FoundSet => {
    const key = JSON.stringify([importer.type, name]);
    const set = sets.get(key) ?? newSet(importer, name);
    sets.set(key, set);
    return set;
  };
  const steps = importer.index(
    source,
    {
      set(name) {
        const set = setOf(name);
        const runs = used.get(set) ?? new NewRuns(set);
        used.set(set, runs);
        return runs;
      },
      share: (value) => {
        shared = value;
      },
      follows(task, from) {
        const name = shownName(source.path, options);
        const earlier = origins.get(jsonText([task, from]));
        if (earlier === undefined) origins.set(jsonText([task, from]), name);
        else if (earlier !== name) again.push({ task, earlier });
      },
      problem: (problem) => void issues.push(partly(source, problem, options)),
    },
    importerOptions,
  );
  await done(steps, options.step);
  if ([...used.values()].every(({ places, doubles }) => places.runs + doubles.length === 0)) {
    if (importer.mayBeEmpty === true) return;
    throw new ImportError('There is no run in it.');
  }
  let hasDoubles = false;
  for (const [set, runs] of used) {
    const before = set.paths.length;
    set.sources.push({ name: shownName(source.path, options), files, shared });
    set.paths.push(...source.paths);
    set.places.append(runs.places, before);
    for (const task of runs.constantTasks) set.constantTasks.add(task);
    const doubles = await untilDone(doubleRuns(set, runs, before), options);
    if (doubles !== null) issues.push(runTwice(doubles, options));
    hasDoubles ||= doubles !== null;
  }
  // A copy whose runs were put aside one by one is no copy that counts.
  if (countsAgain && !hasDoubles) issues.push(sameBytes(source, { twin, countsAgain }, options));
  else issues.push(...again.map((one) => sameTrials(source, one, options)));
  if (!hasDoubles && !sameAs.has(digest)) sameAs.set(digest, shownName(source.path, options));
}

/** Gives others the thread after each step. */
async function untilDone<Value>(steps: Generator<void, Value>, { step }: IndexingOptions): Promise<Value> {
  let state = steps.next();
  for (; state.done !== true; state = steps.next()) await step();
  return state.value;
}
