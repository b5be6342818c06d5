import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and its missing parents; one that is there stays as it is. Throws what the system says, with Node's `code`.
 * One at a time: where no folder can be made (as in /proc), `recursive` of Node 20 tries for ever.
 */
export function makeFolder(folder: string, { mode }: { readonly mode?: number } = {}): void {
  const place = path.resolve(folder);
  const missing: string[] = [];
  for (let at = place; kindOf(at) === 'absent' && missing.at(-1) !== at; at = path.dirname(at)) missing.push(at);
  // What stands in the place of the folder, or in its way, is for the system to refuse.
  if (missing.length === 0 && kindOf(place) !== 'folder') missing.push(place);
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      // Another program may have made it meanwhile.
      if (kindOf(one) !== 'folder') throw error;
    }
  }
}

function kindOf(file: string): 'absent' | 'folder' | 'other' {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return 'absent';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}
