import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseToml } from '../../source/toml-document.ts';
import { readSource } from '../../source/source-file.ts';
import type { LoadOptions } from '../../scenario/load-scenario.ts';
import type { Issue } from '../../types/issue.ts';
import { type Conform, conformPlace, NO_CONFORM, readConform } from './read-conform.ts';

/** The name that is looked for. */
export const CONFORM = 'conform.toml';

export interface FoundConform {
  readonly conform: Conform;
  readonly issues: readonly Issue[];
}

/** The file that is named, else the nearest above the folder, else none. Throws nothing. */
export function loadConform(named: string | null, folder: string, options: LoadOptions): FoundConform {
  const file = named ?? nearestConform(folder);
  if (file === null) return { conform: NO_CONFORM, issues: [] };
  // A file that the user names is read wherever it is.
  const { within: _, ...anywhere } = options;
  return readFile(file, named === null ? options : anywhere);
}

/** The nearest conform.toml above a folder, or pyproject.toml that speaks of it; null: there is none. */
export function nearestConform(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, CONFORM);
    if (existsSync(file)) return file;
    const project = path.join(at, 'pyproject.toml');
    if (existsSync(project) && speaksOfConform(project)) return project;
    if (path.dirname(at) === at) return null;
  }
}

function speaksOfConform(file: string): boolean {
  const read = readSource(file, { root: path.dirname(file) });
  if (!read.ok || !read.source.text.includes('conform')) return false;
  const parsed = parseToml(read.source);
  return parsed.ok && conformPlace(parsed.document) !== null;
}

function readFile(file: string, options: LoadOptions): FoundConform {
  // Whoever may read the spec file may read what stands above it in its project.
  const read = readSource(file, options);
  if (!read.ok) return { conform: NO_CONFORM, issues: read.issues };
  const parsed = parseToml(read.source);
  if (!parsed.ok) return { conform: NO_CONFORM, issues: parsed.issues };
  return readConform(parsed.document, path.dirname(file));
}
