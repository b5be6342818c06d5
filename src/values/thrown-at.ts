import { fileURLToPath } from 'node:url';
import { messageOf } from './message-of.ts';

/**
 * The place in code of the user that an error comes from, as `agent.mjs:12:5`: the first of its stack that is neither
 * Node's, nor an installed package's, nor beside the file that made `here`. Null: none is, or it has no stack.
 */
export function thrownAt(error: unknown, here: Error): string | null {
  const [own] = placesIn(here);
  // What is built stands in a few files, side by side.
  const ownFolder = own === undefined ? null : folderOf(own.file);
  const place = placesIn(error).find(
    ({ file }) => folderOf(file) !== ownFolder && !partsOf(file).includes('node_modules'),
  );
  return place === undefined ? null : `${partsOf(place.file).at(-1)}:${place.position}`;
}

/** The first place of an error's stack that is in one module of the user, given by its `file:` URL. Null: none is. */
export function thrownIn(error: unknown, url: string): string | null {
  const file = pathOf(url);
  const place = placesIn(error).find((one) => one.file === file);
  return place === undefined ? null : `${partsOf(file).at(-1)}:${place.position}`;
}

/** How code of the user failed, and where: `failed at agent.mjs:12:5: no key`. `here` is made in the file that called it. */
export function failedText(error: unknown, here: Error): string {
  const place = thrownAt(error, here);
  return `failed${place === null ? '' : ` at ${place}`}: ${messageOf(error)}`;
}

interface StackPlace {
  readonly file: string;
  /** Line and column, `12:5`. */
  readonly position: string;
}

const FRAME = /^\s+at (?:.* \()?(\/[^)]*|[A-Za-z]:\\[^)]*|file:[^)]*):(\d+:\d+)\)?$/;

function placesIn(error: unknown): readonly StackPlace[] {
  return stackOf(error)
    .split('\n')
    .flatMap((line) => {
      const [, file, position] = FRAME.exec(line) ?? [];
      return file === undefined || position === undefined ? [] : [{ file: pathOf(file), position }];
    });
}

/** A stack of Windows has its own separator, wherever it is read. */
function partsOf(file: string): readonly string[] {
  return file.split(/[\\/]/);
}

function folderOf(file: string): string {
  return partsOf(file).slice(0, -1).join('/');
}

/** What the user threw may be anything, getters that throw included. */
function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? '') : '';
  } catch {
    return '';
  }
}

function pathOf(file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}
