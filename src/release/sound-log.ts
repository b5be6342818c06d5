import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { nodeFiles } from '../records/file-layer.ts';
import { lockFile } from '../records/file-lock.ts';
import { makeFolder } from '../records/make-folder.ts';
import type { AuditEntry } from '../types/release/eval-result.ts';
import { fileProblem } from '../values/file-problem.ts';
import { findLogProblem, nextEntry } from './audit-log.ts';
import { readLog } from './record-files.ts';
import { fingerprintOf, publicKeyOf } from './signing-keys.ts';
import { writeSigned } from './write-signed.ts';

/** An audit log, and the key that signs its entries. */
export interface LogPlace {
  readonly file: string;
  /** As it is shown. */
  readonly name: string;
  readonly key: KeyObject;
}

/** What an entry says, whenever and behind whichever it is written. */
type EntryFacts = Pick<AuditEntry, 'type' | 'about' | 'payloadHash' | 'ends'>;

/** What this process writes to logs now: one after the other. */
const pending = new Map<string, Promise<unknown>>();

/** The entries of an audit log that may be written on; []: there is no such file. Throws `INTEGRITY` for one that does not hold. */
export async function soundLog({ file, name, key }: LogPlace): Promise<readonly AuditEntry[]> {
  const entries = await readLog(file, name);
  const own = publicKeyOf(key);
  const broken = findLogProblem(entries, new Map([[fingerprintOf(own), own]]));
  if (broken === null) return entries;
  throw new PasskError('INTEGRITY', `Entry ${broken.entry} of ${name} does not hold: ${broken.message}.`);
}

/**
 * Hands over the entries as they are now, while nobody else writes to the log: whoever adds to entries that were read earlier
 * removes what others added since. Rejects as `soundLog` does, and with `OUTPUT` where the log cannot be locked.
 */
export async function withSoundLog<T>(
  place: LogPlace,
  write: (entries: readonly AuditEntry[]) => Promise<T>,
): Promise<T> {
  const before = pending.get(place.file) ?? Promise.resolve();
  const mine = before.then(() => whileLocked(place, write));
  const settled = mine.catch(() => undefined);
  pending.set(place.file, settled);
  try {
    return await mine;
  } finally {
    if (pending.get(place.file) === settled) pending.delete(place.file);
  }
}

/**
 * The time of the next entry, in ISO 8601. Clocks of several machines differ: where this one is behind the entry before it, that
 * one's time is taken, because a log whose time goes back does not hold.
 */
function timeAfter(last: AuditEntry | undefined): string {
  const now = new Date().toISOString();
  return last !== undefined && now < last.at ? last.at : now;
}

/** The entry that comes behind these, signed now. */
export function entryAfter(entries: readonly AuditEntry[], what: EntryFacts, key: KeyObject): AuditEntry {
  const last = entries.at(-1);
  return nextEntry(last ?? null, { ...what, at: timeAfter(last) }, key);
}

/**
 * Signs into a log that something begins to be tried, before it is known how it ends: whoever kills the try leaves the entry.
 * Resolves to its number, which the entry of the end names. Rejects as `withSoundLog` does, and where the log cannot be written.
 */
export function beginInLog(place: LogPlace, begun: Omit<EntryFacts, 'ends'>): Promise<AuditEntry['seq']> {
  return withSoundLog(place, async (entries) => {
    const entry = entryAfter(entries, begun, place.key);
    await writeSigned([[place.file, logText([...entries, entry])]]);
    return entry.seq;
  });
}

/** A log as it stands in its file. */
export function logText(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

async function whileLocked<T>(place: LogPlace, write: (entries: readonly AuditEntry[]) => Promise<T>): Promise<T> {
  const release = await lockLog(place);
  try {
    return await write(await soundLog(place));
  } finally {
    await release();
  }
}

async function lockLog({ file, name }: LogPlace): Promise<() => Promise<void>> {
  try {
    makeFolder(path.dirname(file));
    return await lockFile(`${file}.lock`, { files: nodeFiles, noun: 'audit log' });
  } catch (cause) {
    if (cause instanceof PasskError) throw cause;
    throw new PasskError('OUTPUT', `${name} cannot be written: ${fileProblem(cause)}.`, { cause });
  }
}
