import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';
import { systemCode } from './os-error-text.ts';

/** Something on the way is no longer what it was when the path was judged. */
export class PathChanged extends Error {}

// Linux names what an open descriptor holds, and what lies below it: the one way in Node.js to use a folder whatever
// its path has become in the meantime. Elsewhere paths are compared before and after, which leaves a gap.
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

// Linux's flag to hold a thing without opening it: no permission needed, no fifo waited for, no device woken.
const O_PATH = HAS_DESCRIPTOR_PATHS ? 0o10000000 : 0;

/** Holds a thing without following a link that stands there; its type is for the caller to look at. */
export const HOLD = HAS_DESCRIPTOR_PATHS
  ? O_PATH | constants.O_NOFOLLOW
  : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A folder that is held open: what is done at `at()` happens in it and nowhere else. */
export interface OpenFolder {
  readonly path: string;
  /** A name for one thing in this folder. */
  at(name: string): string;
  /** Throws `PathChanged` unless the folder still has its path. */
  verify(): void;
  close(): void;
}

/**
 * Opens a folder by its canonical path, one name at a time from the root, and follows no link; `make`: makes what is
 * missing. Throws `PathChanged` at a link, else what the operating system says.
 */
export function openFolder(canonical: string, { make }: { readonly make: boolean }): OpenFolder {
  let folder = hold('/', '/');
  const names = canonical.split('/').filter((name) => name !== '');
  for (const [index, name] of names.entries()) {
    try {
      folder = replace(folder, () => enter(folder, name, make));
    } catch (error) {
      throw index === names.length - 1 && make ? asExists(error) : error;
    }
  }
  return folder;
}

/** The thing that a descriptor holds, by a name that leads to nothing else. */
export function heldPath(descriptor: number, canonical: string): string {
  return HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${descriptor}` : canonical;
}

/** Throws `PathChanged` unless what is held is what its canonical path names. */
export function verifyHeld(descriptor: number, canonical: string): void {
  if (HAS_DESCRIPTOR_PATHS) {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== canonical) throw new PathChanged();
    return;
  }
  const held = fstatSync(descriptor);
  const named = realpathSync(canonical) === canonical ? lstatSync(canonical) : null;
  if (named?.dev !== held.dev || named.ino !== held.ino) throw new PathChanged();
}

function replace(folder: OpenFolder, open: () => OpenFolder): OpenFolder {
  try {
    return open();
  } finally {
    folder.close();
  }
}

function enter(folder: OpenFolder, name: string, make: boolean): OpenFolder {
  const at = folder.at(name);
  const canonical = path.join(folder.path, name);
  try {
    return hold(at, canonical);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || !make) throw error;
    folder.verify();
    makeFolder(at);
    return hold(at, canonical);
  }
}

function hold(at: string, canonical: string): OpenFolder {
  const descriptor = openHeld(at);
  return {
    path: canonical,
    at: (name) => path.posix.join(heldPath(descriptor, canonical), name),
    verify: () => verifyHeld(descriptor, canonical),
    close: () => closeSync(descriptor),
  };
}

function openHeld(at: string): number {
  try {
    return openSync(at, HOLD | constants.O_DIRECTORY);
  } catch (error) {
    // A link and a file are refused alike.
    if (isLink(at)) throw new PathChanged();
    throw error;
  }
}

function makeFolder(at: string): void {
  try {
    mkdirSync(at);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function isLink(at: string): boolean {
  return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

class NotAFolder extends Error {
  readonly code = 'EEXIST';
}

// A folder cannot be made where a file stands.
function asExists(error: unknown): unknown {
  return systemCode(error) === 'ENOTDIR' ? new NotAFolder() : error;
}
