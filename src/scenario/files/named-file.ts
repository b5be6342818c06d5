import path from 'node:path';
import { findFile, type Places } from '../places.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Report } from '../../workflow/report.ts';

/** A file as plans name it: relative to the root of the suite, with `/`. */
export function fromRoot(file: string, { root }: Pick<Places, 'root'>): string {
  return path.relative(root, file).split(path.sep).join('/');
}

export interface NamedFile {
  readonly name: string;
  /** Where the document names it. */
  readonly at: Pointer;
  /** What it is, such as `module`. */
  readonly noun: string;
  readonly code: string;
  /** Where it is looked for; absent: beside the document, then in the working directory. */
  readonly hint?: string;
}

const BESIDE = 'Paths start at the folder of this file; the working directory is tried last.';

/** The absolute path of a file that a document names; null: there is none, which is told. */
export function namedFile(
  { name, at, noun, code, hint = BESIDE }: NamedFile,
  places: Places,
  report: Report,
): string | null {
  const found = findFile(name, places, null);
  if (found !== null && !found.climbsTooFar) return found.path;
  report({
    code,
    message: `There is no ${noun} "${name}".`,
    at,
    hint,
  });
  return null;
}
