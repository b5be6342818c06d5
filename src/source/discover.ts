import { dirname, relative, resolve, sep } from 'node:path';
import type { Issue } from '../types/issue.ts';
import { missingPathHint } from './missing-path.ts';
import { projectFolder } from './project-folder.ts';
import {
  isModuleFile,
  isSuiteFile,
  isYamlFile,
  kindOf,
  mayBeScenario,
  scenarioFilesIn,
  SKIPPED_FOLDERS,
  yamlFilesIn,
} from './scan-folder.ts';
import { displayName } from './source-file.ts';

/** One file to load. */
export interface DiscoveredFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the suite root, with `/`. */
  readonly name: string;
  /** True when the user named this very file, so that skipping it would be a surprise. */
  readonly named: boolean;
}

export interface Discovery {
  /** Each path once, ordered component by component. */
  readonly files: readonly DiscoveredFile[];
  readonly issues: readonly Issue[];
  /**
   * Absolute folder that names are relative to: the working folder when it holds all files, else the project of their
   * common folder, so that a file has the same name whether it is loaded alone or with others.
   */
  readonly root: string;
}

export interface DiscoverOptions {
  /** Absolute folder that paths are relative to. */
  readonly cwd: string;
  /** What a folder with nothing in it has none of; absent: scenario files. */
  readonly wanted?: Wanted;
}

export interface Wanted {
  /** Completes "Folder X has no". */
  readonly what: string;
  readonly hint: string;
}

const SCENARIOS: Wanted = {
  what: '.toml files',
  hint: 'Name a folder with scenario files in it, or run `passk init` to write a first one.',
};

/** Finds the scenario and contract files that files, folders and globs stand for. */
export async function discover(paths: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const cwd = resolve(options.cwd);
  /** Whether they were named. */
  const found = new Map<string, boolean>();
  const folders: string[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const expanded = await expand(path, { cwd, wanted: options.wanted ?? SCENARIOS });
    if (expanded.folder !== null) folders.push(expanded.folder);
    for (const file of expanded.files) found.set(file, expanded.named || found.get(file) === true);
    problems.push(...expanded.problems);
  }
  const root = suiteRoot(folders, cwd);
  const issues = problems.map(({ at, ...problem }): Issue => {
    return { ...problem, severity: 'error', at: { file: displayName(at, root), line: 1, column: 1 } };
  });
  const files: DiscoveredFile[] = [];
  for (const [path, named] of found) files.push({ path, name: displayName(path, root), named });
  return { files: inOrder(files), issues, root };
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly at: string;
}

/** What one argument stands for. */
interface Expanded {
  readonly files: readonly string[];
  /** The folder that the suite root has to contain; null: none. */
  readonly folder: string | null;
  readonly named: boolean;
  readonly problems: readonly Problem[];
}

async function expand(path: string, { cwd, wanted }: Required<DiscoverOptions>): Promise<Expanded> {
  const at = resolve(cwd, path);
  const nothing = (code: string, message: string, hint: string): Expanded => ({
    files: [],
    folder: null,
    named: false,
    problems: [{ code, message, hint, at }],
  });
  switch (kindOf(at)) {
    case 'folder':
      return expandFolder(path, at, wanted);
    case 'file':
      if (isSuiteFile(at) || isYamlFile(at)) return { files: [at], folder: dirname(at), named: true, problems: [] };
      return nothing(
        'not_a_scenario',
        `"${path}" is neither a .toml nor a .yaml file, nor a module.`,
        'Scenario files end with .toml, contracts also with .yaml or .yml, and modules with .mjs, .mts, .js or .ts: rename it.',
      );
    case 'other':
      return nothing(
        'file_unreadable',
        `"${path}" is neither a file nor a folder.`,
        'Name a file, a folder or a glob.',
      );
  }
  // Most runs name files and folders, and never load it.
  const { globSync, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(path))
    return nothing('file_missing', `"${path}" does not exist.`, missingPathHint(at, { shown: path }));
  const ignore = [...SKIPPED_FOLDERS].map((name) => `**/${name}/**`);
  const files = globSync(path, { cwd, absolute: true, dot: true, ignore })
    // A pattern that ends like YAML names YAML files, whatever they are called, and one that ends like a module names modules.
    .filter((file) => mayBeScenario(file) || [isYamlFile, isModuleFile].some((isOne) => isOne(path) && isOne(file)))
    .map((file) => resolve(file));
  if (files.length > 0) {
    return { files, folder: files.map((file) => dirname(file)).reduce(commonFolder), named: false, problems: [] };
  }
  return nothing('no_scenarios', `The pattern "${path}" matches no .toml file.`, 'Check the pattern and its folder.');
}

function expandFolder(path: string, at: string, { what, hint }: Wanted): Expanded {
  const { files, unreadable } = scenarioFilesIn(at);
  const problems = unreadable.map((folder): Problem => {
    const message = `Folder "${displayName(folder, dirname(at))}" cannot be read.`;
    return { code: 'file_unreadable', message, hint: 'Check its permissions.', at: folder };
  });
  if (files.length === 0 && problems.length === 0) {
    const [yaml] = yamlFilesIn(at);
    const passedOver = `${yaml} is passed over: name it itself, or call it NAME.contract.yaml if it is a contract.`;
    const message = `Folder "${path}" has no ${what}.`;
    problems.push({ code: 'no_scenarios', message, hint: yaml === undefined ? hint : passedOver, at });
  }
  return { files, folder: at, named: false, problems };
}

function suiteRoot(folders: readonly string[], cwd: string): string {
  return folders.every((folder) => isInside(folder, cwd)) ? cwd : projectFolder(folders.reduce(commonFolder));
}

/** The way to the root as a reader in the working folder would type it: the shorter of both ways; undefined: it is there. */
export function rootAsSeenFrom(cwd: string, root: string): string | undefined {
  const relativePath = displayName(root, resolve(cwd));
  if (relativePath === '.') return undefined;
  const absolutePath = root.split(sep).join('/');
  return absolutePath.length < relativePath.length ? absolutePath : relativePath;
}

/** The innermost folder that holds both; all are absolute. */
export function commonFolder(one: string, other: string): string {
  let folder = one;
  while (!isInside(other, folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  // On another drive the way is absolute.
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path && resolve(way) !== way;
}

/** Component by component, each by its bytes. */
function inOrder<T extends { readonly path: string }>(files: readonly T[]): readonly T[] {
  // Without surrogates texts compare as their bytes do, and no name has a character below the one that ends names here.
  if (files.some(({ path }) => /[\uD800-\uFFFF]/.test(path))) {
    return files.toSorted((a, b) => comparePaths(a.path, b.path));
  }
  const keyed = files.map((file) => ({ file, key: file.path.replaceAll(sep, '\0') }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ file }) => file);
}

function comparePaths(one: string, other: string): number {
  const left = one.split(sep);
  const right = other.split(sep);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = Buffer.compare(Buffer.from(left[i] ?? ''), Buffer.from(right[i] ?? ''));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
