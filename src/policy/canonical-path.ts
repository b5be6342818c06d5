/** The folder of the trial; relative paths live under it. Only effects know the real one. */
export const WORKSPACE = '${WORKSPACE}';
/** The folder of the scenario file. Only effects know the real one. */
export const SCENARIO_DIR = '${SCENARIO_DIR}';

/** Why a text cannot be used as a path or URL; completes the sentence "… because …". */
export interface Problem {
  readonly problem: string;
}

/** A path in parts: nothing is resolved yet. */
export interface PathParts {
  /** `''` is the root of the file system. */
  readonly root: '' | typeof WORKSPACE | typeof SCENARIO_DIR;
  /** True when the text itself named no root. */
  readonly isRelative: boolean;
  /** Without empty ones; `.` and `..` included. */
  readonly segments: readonly string[];
}

/**
 * The one name of a path: absolute or under a symbolic root, without `.`, `..`, repeated and trailing slashes.
 * Applying it twice changes nothing. Links are not followed here.
 */
export function canonicalPath(path: string): string | Problem {
  const parts = splitPath(path);
  if ('problem' in parts) return parts;
  const segments: string[] = [];
  for (const segment of parts.segments) {
    if (segment === '.') continue;
    if (segment !== '..') {
      segments.push(segment);
      continue;
    }
    if (segments.length === 0 && parts.root !== '') return climbs(parts.root);
    segments.pop();
  }
  return joinPath(parts.root, segments);
}

/** Root and segments of a path, or why it is none. */
export function splitPath(path: string): PathParts | Problem {
  const problem = textProblem(path);
  if (problem !== null) return { problem };
  const root = rootOf(path);
  const rest = root === null ? path : path.slice(root.length);
  const segments = rest.split('/').filter((segment) => segment !== '');
  return { root: root ?? WORKSPACE, isRelative: root === null, segments };
}

/** The text of a resolved path. */
export function joinPath(root: string, segments: readonly string[]): string {
  if (segments.length === 0) return root === '' ? '/' : root;
  return `${root}/${segments.join('/')}`;
}

/** True when `path` is `folder` or below it; both canonical. The root contains the symbolic roots too. */
export function isInside(folder: string, path: string): boolean {
  if (folder === '/') return true;
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

/** The problem of a path that leaves a symbolic root upwards: what lies there is nobody's to name. */
export function climbs(root: string): Problem {
  return { problem: `the path climbs out of ${root}` };
}

function textProblem(path: string): string | null {
  if (path === '') return 'the path is empty';
  if (hasControl(path)) return 'the path contains a control character';
  if (hasLoneSurrogate(path)) return 'the path is not valid Unicode';
  return null;
}

/** True when the text holds a control character: C0, DEL or C1. */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return true;
  }
  return false;
}

/** True when the text has no UTF-8 form, so that two of them could name the same file. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function rootOf(path: string): PathParts['root'] | null {
  if (path.startsWith('/')) return '';
  for (const root of [WORKSPACE, SCENARIO_DIR] as const) {
    if (path === root || path.startsWith(`${root}/`)) return root;
  }
  return null;
}
