import { realpathSync } from 'node:fs';
import { ThreadTurns } from '../pool/thread-turns.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { DiscoveredFile } from '../source/discover.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { DefinitionBase } from '../types/suite.ts';
import { loadFile, type LoadFileOptions } from './load-file.ts';

/** What all files gave, in their order. */
export interface LoadedFiles {
  /** Every file that was looked at, as it is shown. */
  readonly names: readonly string[];
  readonly rows: readonly LoadedScenario[];
  /** Of files that loaded. */
  readonly definitions: readonly DefinitionBase[];
  /** What files ask for that is not run, one sentence each. */
  readonly notRun: readonly string[];
  /** A definition of which nothing can be planned has no row that its problems could stand in. */
  readonly rowless: readonly Issue[];
  /** The texts of scenario files, by name. */
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/** Loads files one after the other; a workflow file that several name is read once. */
export async function loadFiles(
  files: readonly DiscoveredFile[],
  view: RegistryView,
  options: LoadFileOptions,
): Promise<LoadedFiles> {
  const loaded = { names: [] as string[], rows: [] as LoadedScenario[], definitions: [] as DefinitionBase[] };
  const notRun: string[] = [];
  const rowless: Issue[] = [];
  const sources = new Map<string, SourceFile>();
  const places: LoadFileOptions = { ...options, workflows: new Map() };
  const turns = new ThreadTurns();
  for (const file of files) {
    if (turns.isOver()) await turns.next();
    const loading = loadFile(file, view, file.named ? placesOfNamed(file, places) : places);
    const one = loading instanceof Promise ? await loading : loading;
    if (one === null) continue;
    loaded.names.push(one.file);
    for (const row of one.rows) loaded.rows.push(row);
    loaded.definitions.push(...one.definitions);
    notRun.push(...one.notRun);
    if (one.source !== null) sources.set(one.file, one.source);
    if (one.rows.length === 0) rowless.push(...one.issues);
  }
  return { ...loaded, notRun, rowless, sources };
}

/** A file that was named itself may be read wherever it is, but by no other. */
function placesOfNamed({ path }: DiscoveredFile, places: LoadFileOptions): LoadFileOptions {
  if (places.within === undefined) return places;
  return { ...places, within: [...places.within, realpathSync.native(path)], workflows: new Map() };
}
