import { existsSync } from 'node:fs';
import path from 'node:path';

/** The kinds of first files that an editor can check. */
export type SchemaKind = 'scenario' | 'contract' | 'session';

/**
 * The schema of the passk that is installed for a folder, relative to it, as the first line of a file names it: it changes
 * with the package, as a copy does not. Null: none is installed there, or it has no such schema.
 */
export function installedSchema(folder: string, kind: SchemaKind): string | null {
  const start = path.resolve(folder);
  for (let at = start; ; at = path.dirname(at)) {
    const file = path.join(at, 'node_modules', 'passk', 'dist', 'schema', `${kind}.json`);
    if (existsSync(file)) return path.relative(start, file).split(path.sep).join('/');
    if (at === path.dirname(at)) return null;
  }
}
