import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import type { Issue } from '../types/issue.ts';
import { hintFor } from './did-you-mean.ts';
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
  /** Each file once, ordered by path, component by component. */
  readonly files: readonly DiscoveredFile[];
  readonly issues: readonly Issue[];
  /** Absolute folder that names are relative to. */
  readonly root: string;
}

export interface DiscoverOptions {
  /** Absolute folder that paths are relative to. */
  readonly cwd: string;
}

/** Finds the TOML files that files, folders and globs stand for. */
export function discover(paths: readonly string[], options: DiscoverOptions): Discovery {
  const cwd = resolve(options.cwd);
  const found = new Map<string, boolean>();
  const anchors: string[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const expanded = expand(path, cwd);
    anchors.push(...expanded.anchors);
    if (expanded.issue !== undefined) issues.push(expanded.issue);
    for (const file of expanded.files) found.set(file, found.get(file) === true || expanded.named);
  }
  const root = suiteRoot(anchors, cwd);
  const files = [...found.entries()].sort(([a], [b]) => comparePaths(a, b));
  return { files: files.map(([path, named]) => ({ path, name: displayName(path, root), named })), issues, root };
}

interface Expanded {
  readonly files: readonly string[];
  /** Folders that the suite root has to contain. */
  readonly anchors: readonly string[];
  readonly named: boolean;
  readonly issue?: Issue;
}

function expand(path: string, cwd: string): Expanded {
  const absolute = resolve(cwd, path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  const problem = (code: string, message: string, hint: string): Expanded => ({
    files: [],
    anchors: [],
    named: false,
    issue: { code, severity: 'error', message, at: { file: displayName(absolute, cwd), line: 1, column: 1 }, hint },
  });
  if (stats?.isDirectory()) {
    const files = tomlFilesIn(absolute);
    if (files.length > 0) return { files, anchors: [absolute], named: false };
    return problem('no_scenarios', `Folder "${path}" has no .toml files.`, 'Name a folder with scenario files in it.');
  }
  if (stats !== undefined) {
    if (path.endsWith('.toml')) return { files: [absolute], anchors: [dirname(absolute)], named: true };
    return problem('not_a_scenario', `"${path}" is not a .toml file.`, 'Scenario files end with .toml.');
  }
  if (isDynamicPattern(path)) {
    const files = globSync(path, { cwd, absolute: true, dot: true, onlyFiles: true, ignore: ['**/node_modules/**'] })
      .filter((file) => file.endsWith('.toml'))
      .map((file) => resolve(file));
    if (files.length > 0) return { files, anchors: files.map((file) => dirname(file)), named: false };
    return problem('no_scenarios', `Pattern "${path}" matches no .toml file.`, 'Quote patterns, and check the folder.');
  }
  return problem('file_missing', `"${path}" does not exist.`, siblingHint(absolute));
}

/** Follows links to folders, each folder once. */
function tomlFilesIn(folder: string): readonly string[] {
  const files: string[] = [];
  const visited = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const real = realpathSync(next);
    if (visited.has(real)) continue;
    visited.add(real);
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      const stats = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
      if (stats?.isDirectory() && entry.name !== 'node_modules') waiting.push(path);
      if (stats?.isFile() && entry.name.endsWith('.toml')) files.push(path);
    }
  }
  return files;
}

function siblingHint(path: string): string {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return 'Check the path.';
  return hintFor(basename(path), readdirSync(folder).sort(), 'names');
}

/** The working folder when it holds everything, else the folder common to all. */
function suiteRoot(folders: readonly string[], cwd: string): string {
  if (folders.every((folder) => isInside(folder, cwd))) return cwd;
  return folders.reduce(commonFolder);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path && !/^[A-Za-z]:/.test(way);
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (!isInside(other, folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function comparePaths(one: string, other: string): number {
  const left = one.split(sep);
  const right = other.split(sep);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const a = left[i] ?? '';
    const b = right[i] ?? '';
    if (a !== b) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return left.length - right.length;
}
