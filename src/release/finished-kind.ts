import { closeSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { openPlainSync } from '../records/open-plain.ts';
import { displayName } from '../source/source-file.ts';
import { unreadable } from './unreadable.ts';

/** What a finished run may be kept as; whatever is no document of passk is read by importers. */
export type FinishedKind = 'report' | 'record' | 'recordings';

const HEAD_BYTES = 256;

/** What a file or folder holds, by how it begins: reports and records begin with their schema. Throws `INPUT`. `name`: as it is shown. */
export function finishedKind(file: string, name: string): FinishedKind {
  const head = headOf(file, name);
  if (/^\s*\{\s*"schema"\s*:\s*"passk-report\//.test(head)) return 'report';
  return /^\s*\{\s*"schema"\s*:\s*"passk\.evalresult\//.test(head) ? 'record' : 'recordings';
}

/** The first bytes of a file; '': it is a folder. */
function headOf(file: string, name: string): string {
  let descriptor: number;
  try {
    if (statSync(file).isDirectory()) return '';
    descriptor = openPlainSync(file);
  } catch (cause) {
    throw unreadable(file, name, cause);
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Finished files by how a release takes them: reports are recorded runs, too. Throws `INPUT`, also for a folder that holds a record. */
export function finishedEvidence(
  files: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): { readonly records: readonly string[]; readonly recordings?: readonly string[] } {
  const isRecord = (file: string): boolean => finishedKind(path.resolve(cwd, file), file) === 'record';
  const records = files.filter(isRecord);
  const recordings = files.filter((file) => !records.includes(file));
  for (const folder of recordings) refuseRecordIn(folder, cwd);
  return { records, ...(recordings.length > 0 && { recordings }) };
}

/** A record is verified, and has its trials beside it: it is named by itself, and no run among others. */
function refuseRecordIn(folder: string, cwd: string): void {
  const place = path.resolve(cwd, folder);
  if (!statSync(place).isDirectory()) return;
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = displayName(file, cwd);
    if (!entry.isFile() || finishedKind(file, name) !== 'record') continue;
    throw new PasskError('INPUT', `${folder} holds the record ${name}, which counts only where it is named itself.`, {
      hint: `Give --evidence ${name}, and keep runs of other programs in a folder of their own.`,
    });
  }
}
