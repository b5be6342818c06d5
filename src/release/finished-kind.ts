import { closeSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { openPlainSync } from '../records/open-plain.ts';
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

/** Finished files by how a release takes them: reports are recorded runs, too. Throws `INPUT`. */
export function finishedEvidence(
  files: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): { readonly records: readonly string[]; readonly recordings?: readonly string[] } {
  const isRecord = (file: string): boolean => finishedKind(path.resolve(cwd, file), file) === 'record';
  const records = files.filter(isRecord);
  const recordings = files.filter((file) => !records.includes(file));
  return { records, ...(recordings.length > 0 && { recordings }) };
}
