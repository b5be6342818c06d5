import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { didYouMean } from '../text/did-you-mean.ts';
import { isAtOrBelow } from '../values/at-or-below.ts';
import { codeOf } from '../values/file-problem.ts';
import { kindOf } from './scan-folder.ts';

/** Where a hint is about to be shown, and what it says when nothing can be offered. */
export interface MissingPath {
  /** The path as the reader wrote it. */
  readonly shown: string;
  /** Absent: `Check the path.` */
  readonly otherwise?: string;
  /** Folders, links resolved, whose names may be offered; absent: any. */
  readonly within?: readonly string[] | undefined;
}

/** One sentence or two that lead from a path that is not there to the one that was meant. `path`: absolute. */
export function missingPathHint(path: string, { shown, otherwise = 'Check the path.', within }: MissingPath): string {
  const { folder, missing } = nearestFolder(path);
  const name = basename(missing);
  const isLast = missing === path;
  let names: readonly string[];
  try {
    // The path may be a stranger's, and a report that shows the hint would tell what other folders hold.
    const real = realpathSync.native(folder);
    if (within?.some((place) => isAtOrBelow(real, place)) === false) return otherwise;
    names = readdirSync(folder).sort();
  } catch {
    // A folder that may not be listed gives no names to offer.
    return otherwise;
  }
  if (names.includes(name)) {
    if (kindOf(missing) !== 'nothing') return `"${name}" is a file, not a folder.`;
    return isLast ? 'It is a link that leads nowhere.' : `"${name}" is a link that leads nowhere.`;
  }
  const meant = nameMeant(name, names);
  if (isLast) return meant === null ? otherwise : `Did you mean "${written(shown, path, join(folder, meant))}"?`;
  const either = `The folder "${name}" does not exist either.`;
  if (meant === null || kindOf(join(folder, meant)) !== 'folder') return either;
  const whole = join(folder, meant, path.slice(missing.length));
  return kindOf(whole) === 'nothing'
    ? `${either} Did you mean "${meant}"?`
    : `Did you mean "${written(shown, path, whole)}"?`;
}

/** Names of one kind are alike in their ends alone: what stands before those must be close. */
function nameMeant(name: string, names: readonly string[]): string | null {
  const end = extname(name);
  const stems = names.filter((other) => extname(other) === end).map((other) => basename(other, end));
  const stem = didYouMean(basename(name, end), stems);
  if (stem !== null) return `${stem}${end}`;
  return didYouMean(
    name,
    names.filter((other) => extname(other) !== end),
  );
}

/** What to do about a file that could not be read: leads to the one that was meant, where there is none of this path. */
export function unreadableHint(
  cause: unknown,
  path: string,
  missing: MissingPath & { readonly otherwise: string },
): string {
  return isMissing(cause) ? missingPathHint(path, missing) : missing.otherwise;
}

/** The same for a file of any kind. */
export function accessHint(cause: unknown, path: string, shown: string): string {
  // What the system would have let us read has no code of it.
  const refused = codeOf(cause) === '' ? 'Name a regular file.' : 'Check its permissions.';
  return unreadableHint(cause, path, { shown, otherwise: isMissing(cause) ? 'Check the path.' : refused });
}

function isMissing(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The innermost folder on the way that is there, and what is missing in it. */
function nearestFolder(path: string): { readonly folder: string; readonly missing: string } {
  let missing = path;
  while (kindOf(dirname(missing)) !== 'folder' && dirname(missing) !== missing) missing = dirname(missing);
  return { folder: dirname(missing), missing };
}

/** The path `to` as a reader would write it who wrote `path` as `shown`. */
function written(shown: string, path: string, to: string): string {
  let same = 0;
  while (same < path.length && path[same] === to[same]) same++;
  const from = path.lastIndexOf(sep, same) + 1;
  const tail = path.slice(from);
  const isWritten = shown.length >= tail.length && shown.endsWith(tail.replaceAll(sep, '/'));
  return isWritten
    ? `${shown.slice(0, shown.length - tail.length)}${to.slice(from).replaceAll(sep, '/')}`
    : basename(to);
}
