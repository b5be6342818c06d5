import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';
import { loadConform, nearestConform } from './find-conform.ts';
import type { Conform } from './read-conform.ts';

/** Spec files and what they were found by. */
export interface FoundSpecs {
  /** Absolute; of plug-ins in alphabetical order. */
  readonly paths: readonly string[];
  /** Null: there is no conform.toml. */
  readonly conform: Conform | null;
  /** The folder of it; null: there is none. */
  readonly folder: string | null;
  /** What is wrong with the conform.toml, and words that name nothing. */
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
}

const SPECS = ['model-conformance.yaml', 'model-conformance.yml'];

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
  const specs = specsOf(conform, options);
  const issues: Issue[] = [...wrong];
  const paths = words.flatMap((word): readonly string[] => {
    if (isSettings(word)) return [...specs.values()].flat();
    if (existsSync(path.resolve(cwd, word)) || /[*?[\]{}]/.test(word)) return [word];
    const found = specs.get(word);
    if (found !== undefined) return found;
    const hint = hintFor(word, [...specs.keys()], 'plug-ins');
    const message = `"${word}" is no file or folder, and no plug-in has that name.`;
    issues.push({ code: 'unknown_plugin', severity: 'error', message, hint });
    return [];
  });
  const all = words.length === 0 ? [...specs.values()].flat() : paths;
  const folder = at === null ? null : path.dirname(at);
  return { paths: words.length === 0 && all.length === 0 ? ['.'] : [...new Set(all)], conform, folder, issues };
}

function isSettings(word: string): boolean {
  const name = path.basename(word);
  return name === 'conform.toml' || name === 'pyproject.toml';
}

/** Plug-ins with their spec files, in the folders of all runtimes. */
function specsOf(
  conform: Conform | null,
  { cwd, specsDir, runtimes }: FindSpecsOptions,
): ReadonlyMap<string, readonly string[]> {
  const chosen = (conform?.runtimes ?? []).filter(({ name }) => runtimes.length === 0 || runtimes.includes(name));
  const folders = specsDir === null ? chosen.flatMap((one) => one.specsDir ?? []) : [path.resolve(cwd, specsDir)];
  const specs = new Map<string, readonly string[]>();
  for (const folder of new Set(folders)) {
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
