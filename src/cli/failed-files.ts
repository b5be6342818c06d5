import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { halfSipHash } from '../random/half-sip-hash.ts';
import { makeFolder } from '../records/make-folder.ts';
import { cacheFolder } from './cache-folder.ts';

/** The files, absolute, whose last run in this folder did not pass; null: no run is on record. */
export function readFailedFiles(cwd: string): readonly string[] | null {
  const record = recordOf(cwd);
  if (record === null) return null;
  try {
    const files: unknown = JSON.parse(readFileSync(record, 'utf8'));
    return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : null;
  } catch {
    return null;
  }
}

/** Keeps which files of a run, as seen from the folder, did not pass; what is known of others stays. */
export function keepFailedFiles(
  cwd: string,
  { ran, failed }: { readonly ran: readonly string[]; readonly failed: readonly string[] },
): void {
  const record = recordOf(cwd);
  if (record === null) return;
  const absolute = (files: readonly string[]): readonly string[] => files.map((file) => path.resolve(cwd, file));
  const files = new Set(absolute(ran));
  const before = readFailedFiles(cwd);
  const others = (before ?? []).filter((file) => !files.has(file));
  const after = [...new Set([...others, ...absolute(failed)])];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const draft = `${record}.${process.pid}`;
  try {
    makeFolder(path.dirname(record), { mode: 0o700 });
    writeFileSync(draft, JSON.stringify(after), { mode: 0o600 });
    renameSync(draft, record);
  } catch {
    // A folder of somebody else's, or a full disk: the next `--last-failed` knows less.
  }
}

function recordOf(cwd: string): string | null {
  const folder = cacheFolder();
  if (folder === null) return null;
  // Node's own hashes take longer to load than a small run takes.
  const words = halfSipHash([0, 0], path.resolve(cwd)).map((word) => word.toString(16).padStart(8, '0'));
  return path.join(folder, 'failed', `${words.join('')}.json`);
}
