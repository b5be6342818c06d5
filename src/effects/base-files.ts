import { PasskError } from '../errors.ts';
import { canonicalPath, type PathParts, SCENARIO_DIR, splitPath, WORKSPACE } from '../policy/canonical-path.ts';
import type { WorldFile } from '../types/scenarios/world.ts';

/** What stands at a path. */
export interface FileNode {
  readonly kind: 'file' | 'dir';
  /** `''` for folders. */
  readonly content: string;
  /** Size in UTF-8. */
  readonly bytes: number;
}

export const FOLDER: FileNode = Object.freeze({ kind: 'dir', content: '', bytes: 0 });

/** The files a trial starts with, by canonical path. */
export interface BaseFiles {
  readonly nodes: ReadonlyMap<string, FileNode>;
  readonly links: ReadonlyMap<string, PathParts>;
}

/** Lays out `[world.files]`, folders above declared files included. */
export function layOutFiles(declared: Readonly<Record<string, WorldFile>>): BaseFiles {
  const nodes = new Map<string, FileNode>([
    ['/', FOLDER],
    [WORKSPACE, FOLDER],
    [SCENARIO_DIR, FOLDER],
  ]);
  const links = new Map<string, PathParts>();
  const entries = Object.entries(declared).map(([key, file]) => ({ key, file, path: declaredPath(key) }));

  for (const { key, file, path } of entries) {
    if (links.has(path) || (nodes.has(path) && nodes.get(path) !== FOLDER)) throw clash(key, path);
    if (file.kind === 'link') {
      const target = splitPath(file.target);
      if ('problem' in target) throw badPath(`The link "${key}" leads to "${file.target}", but ${target.problem}.`);
      if (nodes.has(path)) throw clash(key, path);
      links.set(path, target);
      continue;
    }
    if (file.kind === 'dir') {
      nodes.set(path, FOLDER);
      continue;
    }
    if (nodes.has(path)) throw clash(key, path);
    nodes.set(path, Object.freeze({ kind: 'file', content: file.content, bytes: Buffer.byteLength(file.content) }));
  }
  for (const { key, path } of entries) layOutFolders(key, path, nodes, links);
  return { nodes, links };
}

/** The folder a canonical path stands in; null for roots. */
export function parentPath(path: string): string | null {
  const cut = path.lastIndexOf('/');
  if (cut < 0 || path === '/') return null;
  return cut === 0 ? '/' : path.slice(0, cut);
}

function layOutFolders(
  key: string,
  path: string,
  nodes: Map<string, FileNode>,
  links: ReadonlyMap<string, PathParts>,
): void {
  for (let folder = parentPath(path); folder !== null; folder = parentPath(folder)) {
    const node = nodes.get(folder);
    if (node?.kind === 'file' || links.has(folder)) {
      throw badPath(`"${key}" in [world.files] lies below "${folder}", which is not a folder.`);
    }
    nodes.set(folder, FOLDER);
  }
}

function declaredPath(key: string): string {
  const path = canonicalPath(key);
  if (typeof path !== 'string') throw badPath(`"${key}" in [world.files] is no usable path: ${path.problem}.`);
  return path;
}

function clash(key: string, path: string): PasskError {
  return badPath(`"${key}" in [world.files] declares ${path} a second time.`);
}

function badPath(message: string): PasskError {
  return new PasskError('INPUT', message, {
    hint: 'Use absolute paths, paths under ${SCENARIO_DIR}, or relative paths, which lie in the workspace of the trial.',
  });
}
