import type { KeyObject } from 'node:crypto';
import { PasskError } from '../errors.ts';
import type { AuditEntry } from '../types/release/eval-result.ts';
import { findLogProblem } from './audit-log.ts';
import { readLog } from './record-files.ts';
import { fingerprintOf, publicKeyOf } from './signing-keys.ts';

/** The entries of an audit log that may be written on; []: there is no such file. Throws `INTEGRITY` for one that does not hold. */
export async function soundLog(file: string, name: string, key: KeyObject): Promise<readonly AuditEntry[]> {
  const entries = await readLog(file, name);
  const own = publicKeyOf(key);
  const broken = findLogProblem(entries, new Map([[fingerprintOf(own), own]]));
  if (broken === null) return entries;
  throw new PasskError('INTEGRITY', `Entry ${broken.entry} of ${name} does not hold: ${broken.message}.`);
}

/** A log as it stands in its file. */
export function logText(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
