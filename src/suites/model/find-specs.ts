import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { displayName } from '../../source/source-file.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';
import { loadConform, nearestConform } from './find-conform.ts';
import type { Conform } from './read-conform.ts';

/** Spec files and what they were found by. */
export interface FoundSpecs {
  /** Absolute; of plug-ins in alphabetical order. */
  readonly paths: readonly string[];
  /** Words that name plug-ins. */
  readonly plugins: readonly string[];
  /** Null: there is no conform.toml. */
  readonly conform: Conform | null;
  /** What is wrong with the conform.toml, and what the command line names that is not there. */
  readonly issues: readonly Issue[];
}

export interface FindSpecsOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Null: the nearest above `cwd`. */
  readonly conform: string | null;
  /** []: all. */
  readonly runtimes: readonly string[];
  /** Null: as the conform.toml says. */
  readonly specsDir: string | null;
  /** A server that runs already, whose runtime may have any name; null: there is none. */
  readonly runnerUrl: string | null;
}

const SPECS = ['model-conformance.yaml', 'model-conformance.yml', 'model-conformance.json'];

/**
 * What the words of a command line stand for: files and folders, a conform.toml with all its plug-ins, or plug-ins by name. No
 * word: all plug-ins of the nearest conform.toml, else the working folder.
 */
export function findSpecs(words: readonly string[], options: FindSpecsOptions): FoundSpecs {
  const { cwd } = options;
  const named = words.find((word) => isSettings(word) && existsSync(path.resolve(cwd, word)));
  const file = options.conform ?? named ?? null;
  const at = file === null ? nearestConform(cwd) : path.resolve(cwd, file);
  const { conform, issues: wrong } =
    at === null ? { conform: null, issues: [] } : loadConform(at, cwd, { root: cwd, cwd });
  const isPath = (word: string): boolean => existsSync(path.resolve(cwd, word)) || /[*?[\]{}]/.test(word);
  const plugins = words.filter((word) => !isSettings(word) && !isPath(word));
  const isAll = words.length === 0 || words.some(isSettings);
  // A spec file that is named tells by itself what its runtimes lack.
  const unknown = isAll || plugins.length > 0 ? unknownRuntimes(conform, options) : [];
  if (unknown.length > 0) return { paths: [], plugins: [], conform, issues: [...wrong, ...unknown] };
  const folders = specFolders(conform, options);
  const specs = specsIn(folders);
  const all = [...specs.values()].flat();
  const isEmpty = isAll && all.length === 0 && folders.length > 0 && wrong.length === 0;
  return {
    paths: [
      ...(isAll ? all : []),
      ...words.flatMap((word) => (isSettings(word) ? [] : isPath(word) ? [word] : (specs.get(word) ?? []))),
      // Models may stand in files of their own, with nothing that lists them.
      ...(words.length === 0 && folders.length === 0 && wrong.length === 0 ? ['.'] : []),
    ],
    plugins,
    conform,
    issues: [
      ...wrong,
      ...(isEmpty ? [noSpecs(folders, conform, options)] : []),
      ...plugins
        .filter((word) => !specs.has(word))
        .map((word) =>
          unknownPlugin(word, folders.length === 0 ? noFolders(conform) : hintFor(word, [...specs.keys()], 'plug-ins')),
        ),
    ],
  };
}

function isSettings(word: string): boolean {
  const name = path.basename(word);
  return name === 'conform.toml' || name === 'pyproject.toml';
}

function unknownPlugin(word: string, hint: string): Issue {
  const message = `"${word}" is no file or folder, and no plug-in has that name.`;
  return { code: 'unknown_plugin', severity: 'error', message, hint };
}

/** Why no plug-in is known by its name. */
function noFolders(conform: Conform | null): string {
  if (conform === null)
    return 'Plug-ins have names by a conform.toml, and there is none here or above; --conform names one.';
  return `${conform.file ?? 'conform.toml'} does not say where specs are: write specs-dir for a runtime, or say --specs-dir.`;
}

function unknownRuntimes(
  conform: Conform | null,
  { runtimes, runnerUrl }: Pick<FindSpecsOptions, 'runtimes' | 'runnerUrl'>,
): readonly Issue[] {
  if (conform === null || conform.runtimes.length === 0 || runnerUrl !== null) return [];
  const runtimeNames = conform.runtimes.map(({ name }) => name);
  return runtimes
    .filter((name) => !runtimeNames.includes(name))
    .map((name): Issue => {
      const message = `${conform.file ?? 'conform.toml'} has no runtime "${name}".`;
      return { code: 'unknown_runtime', severity: 'error', message, hint: hintFor(name, runtimeNames, 'runtimes') };
    });
}

function noSpecs(
  folders: readonly string[],
  conform: Conform | null,
  { cwd, specsDir }: Pick<FindSpecsOptions, 'cwd' | 'specsDir'>,
): Issue {
  const named = folders.map((folder) => displayName(folder, cwd)).join(' or ');
  const message = `There is no spec file in ${named}: no folder in it has a ${SPECS[0]}.`;
  const [first] = conform?.runtimes ?? [];
  const place = specsDir !== null || first === undefined ? {} : conform?.locate(['runtimes', first.name, 'specs-dir']);
  return { code: 'no_specs', severity: 'error', message, ...place };
}

/** The folders that the runtimes have their specs in. */
function specFolders(
  conform: Conform | null,
  { cwd, specsDir, runtimes }: Pick<FindSpecsOptions, 'cwd' | 'specsDir' | 'runtimes'>,
): readonly string[] {
  if (specsDir !== null) return [path.resolve(cwd, specsDir)];
  const chosen = (conform?.runtimes ?? []).filter(({ name }) => runtimes.length === 0 || runtimes.includes(name));
  return [...new Set(chosen.flatMap((one) => one.specsDir ?? []))];
}

/** Plug-ins with their spec files. */
function specsIn(folders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const specs = new Map<string, readonly string[]>();
  for (const folder of folders) {
    for (const plugin of foldersIn(folder)) {
      const files = SPECS.map((name) => path.join(folder, plugin, name)).filter((file) => existsSync(file));
      if (files.length > 0) specs.set(plugin, [...(specs.get(plugin) ?? []), ...files]);
    }
  }
  return new Map([...specs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The names of the folders in a folder; [] where it cannot be read. */
export function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
