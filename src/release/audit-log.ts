import { createHash, type KeyObject } from 'node:crypto';
import type { AuditEntry } from '../types/release/eval-result.ts';
import type { JsonObject } from '../types/json.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { fingerprintOf, isSignedBy, publicKeyOf, signText } from './signing-keys.ts';

/** What the first entry of a log names as the one before it: 32 zero bytes. */
export const GENESIS = '0'.repeat(64);

/** Where a log is broken. */
export interface LogProblem {
  /** Position of the first bad entry, from 0. */
  readonly entry: number;
  readonly message: string;
}

/** The link of an entry to those before it: SHA-256(hash before, as bytes ‖ canonical JSON without the signature). */
export function entryHash({ sig: _, ...entry }: AuditEntry): string {
  return createHash('sha256')
    .update(Buffer.from(entry.prev, 'hex'))
    .update(canonicalJson(entry as unknown as JsonObject))
    .digest('hex');
}

/** The entry that comes next in the log. `last`: the entry before it; null: it is the first. */
export function nextEntry(
  last: AuditEntry | null,
  { type, at, about, payloadHash, ends }: Pick<AuditEntry, 'type' | 'at' | 'about' | 'payloadHash' | 'ends'>,
  key: KeyObject,
): AuditEntry {
  const entry = {
    seq: last === null ? 0 : last.seq + 1,
    type,
    at,
    about,
    prev: last === null ? GENESIS : entryHash(last),
    payloadHash,
    ...(ends !== undefined && { ends }),
    keyId: fingerprintOf(publicKeyOf(key)),
  };
  return { ...entry, sig: signText(signedText(entry), key) };
}

/**
 * The first entry that does not fit: its number, its link, its time or, where its key is at hand, its signature; null: the
 * log holds. That entries are missing at the end shows only against an anchor, such as the entry in a record.
 */
export function findLogProblem(log: readonly AuditEntry[], keys: ReadonlyMap<string, KeyObject>): LogProblem | null {
  let prev = GENESIS;
  let at = '';
  for (const [position, entry] of log.entries()) {
    const message = problemOf(entry, { position, prev, at, key: keys.get(entry.keyId) ?? null });
    if (message !== null) return { entry: position, message };
    prev = entryHash(entry);
    at = entry.at;
  }
  return null;
}

export function isEntrySignedBy({ sig, ...entry }: AuditEntry, key: KeyObject): boolean {
  return isSignedBy(signedText(entry), sig, key);
}

interface Place {
  readonly position: number;
  readonly prev: string;
  readonly at: string;
  readonly key: KeyObject | null;
}

function problemOf(entry: AuditEntry, { position, prev, at, key }: Place): string | null {
  if (entry.seq !== position) return `it has the number ${entry.seq}`;
  if (entry.prev !== prev) return 'it does not follow the entry before it';
  if (entry.at < at) return `its clock goes back, from ${at} to ${entry.at}`;
  if (key !== null && !isEntrySignedBy(entry, key)) return 'its signature does not hold';
  return null;
}

function signedText(entry: Omit<AuditEntry, 'sig'>): string {
  return `${LOG_DOMAIN}\n${canonicalJson(entry as unknown as JsonObject)}`;
}

/** Keeps a signature of an entry from being taken for one of anything else. */
const LOG_DOMAIN = 'passk.audit-entry/1';
