import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ContractFile } from '../contract/read-contract-file.ts';
import { readerUrl } from '../pool/worker-url.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { DiscoveredFile } from '../source/discover.ts';
import { type ReadAhead, readAhead } from '../source/read-ahead.ts';
import { MAX_FILE_BYTES } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { loadFile, type LoadFileOptions } from './load-file.ts';

/** What all files gave, in their order. */
export interface LoadedFiles {
  /** Every file that was looked at, as it is shown. */
  readonly names: readonly string[];
  readonly rows: readonly LoadedScenario[];
  /** Those that loaded. */
  readonly contractFiles: readonly ContractFile[];
  /** A contract of which nothing can be planned has no row that its problems could stand in. */
  readonly rowless: readonly Issue[];
}

/** Files that are many enough for a thread which reads them: it takes as long to start as some hundred take to load. */
const WORTH_A_READER = 2000;

/** Loads files one after the other; what they have in common is looked up and made once. */
export async function loadFiles(
  files: readonly DiscoveredFile[],
  view: RegistryView,
  options: LoadFileOptions,
): Promise<LoadedFiles> {
  const loaded = { names: [] as string[], rows: [] as LoadedScenario[], contractFiles: [] as ContractFile[] };
  const rowless: Issue[] = [];
  const ahead = files.length < WORTH_A_READER ? null : await openReader(files, options);
  const places: LoadFileOptions = { ...options, ...nothingKnown(), realFolders: new Map(), ahead };
  try {
    for (const [position, file] of files.entries()) {
      ahead?.moveTo(position);
      const loading = loadFile(file, view, file.named ? placesOfNamed(file, places) : places);
      const one = loading instanceof Promise ? await loading : loading;
      if (one === null) continue;
      loaded.names.push(one.file);
      for (const row of one.rows) loaded.rows.push(row);
      if (one.contract !== null) loaded.contractFiles.push(one.contract);
      if (one.rows.length === 0) rowless.push(...one.issues);
    }
  } finally {
    ahead?.close();
  }
  return { ...loaded, rowless };
}

function nothingKnown(): Pick<LoadFileOptions, 'byFolder' | 'workflows'> {
  return { byFolder: new Map(), workflows: new Map() };
}

/** A file that was named itself may be read wherever it is, but by no other. */
function placesOfNamed({ path }: DiscoveredFile, places: LoadFileOptions): LoadFileOptions {
  if (places.within === undefined) return places;
  return { ...places, within: [...places.within, realpathSync.native(path)], ...nothingKnown() };
}

/** Null where threads have nowhere to run beside this one, or the thread's file is not there: all is read when it is wanted. */
async function openReader(
  files: readonly DiscoveredFile[],
  { maxBytes = MAX_FILE_BYTES, within }: LoadFileOptions,
): Promise<ReadAhead | null> {
  if (availableParallelism() < 2) return null;
  // What was named itself may lie elsewhere.
  const paths = files.map(({ path, named }) => (named ? '' : path));
  const url = await readerUrl().catch(() => null);
  return url && readAhead(url, paths, { maxBytes, ...(within !== undefined && { within }) });
}
