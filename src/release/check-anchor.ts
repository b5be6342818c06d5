import type { KeyObject } from 'node:crypto';
import type { AuditEntry, AuditEntryType } from '../types/release/eval-result.ts';
import { entryHash, findLogProblem, isEntrySignedBy } from './audit-log.ts';
import { readLog } from './record-files.ts';
import { fingerprintOf } from './signing-keys.ts';
import type { VerificationCheck } from './verification.ts';

/** A signed document with its entry in an audit log. */
interface Anchored {
  readonly bodyHash: string;
  readonly anchor: AuditEntry;
}

interface AnchorReading {
  /** The key in the document; null: it holds none. */
  readonly signer: KeyObject | null;
  /** What the document is called. */
  readonly noun: 'record' | 'certificate';
}

/** Whether the entry in a document is about this document, and by its signer. */
export function anchorCheck({ bodyHash: hash, anchor }: Anchored, { signer, noun }: AnchorReading): VerificationCheck {
  const check = (holds: boolean, message: string): VerificationCheck => ({ code: 'ANCHOR', holds, message });
  if (anchor.payloadHash !== hash)
    return check(false, `The entry of the audit log in the ${noun} is about another body.`);
  return signer !== null && isEntrySignedBy(anchor, signer)
    ? check(true, `The ${noun} is entry ${anchor.seq} of its audit log.`)
    : check(false, `The entry of the audit log in the ${noun} is not signed by its signer.`);
}

interface LogReading extends AnchorReading {
  /** The log, and how it is shown. */
  readonly file: string;
  readonly name: string;
  /** Entries of these types about the same thing were other tries of it: how one begins, and how it ends where that counts. */
  readonly tries: { readonly begun: AuditEntryType; readonly ended: AuditEntryType };
  /** Bodies that are no other tries. */
  readonly own: readonly string[];
}

/** Whether a log holds, with the entry of a document in it, and without an earlier try of the same. */
export async function logCheck(
  anchor: AuditEntry,
  { signer, noun, file, name, tries, own }: LogReading,
): Promise<VerificationCheck> {
  const broken = (message: string): VerificationCheck => ({ code: 'LOG', holds: false, message });
  const entries = await readLog(file, name);
  const keys = new Map(signer === null ? [] : [[fingerprintOf(signer), signer] as const]);
  const problem = findLogProblem(entries, keys);
  if (problem !== null) return broken(`first bad entry ${problem.entry}: ${problem.message}.`);
  const entry = entries[anchor.seq];
  if (entry === undefined)
    return broken(`The log ends after ${entries.length} entries; the ${noun} is entry ${anchor.seq}.`);
  if (entryHash(entry) !== entryHash(anchor))
    return broken(`Entry ${anchor.seq} of the log is not the one in the ${noun}.`);
  const bodies = new Set([anchor.payloadHash, ...own]);
  const same = entries.filter(({ about }) => about === anchor.about);
  const ended = new Set(same.map(({ ends }) => ends));
  // A try that began before this one ended is another one, whenever it ended.
  const earlier = same.find(({ seq, type, payloadHash, ends = seq }) => {
    if (type === tries.begun) return seq < anchor.seq && !ended.has(seq);
    return ends < anchor.seq && type === tries.ended && !bodies.has(payloadHash);
  });
  if (earlier === undefined)
    return { code: 'LOG', holds: true, message: `The log holds, with ${entries.length} entries.` };
  return broken(
    earlier.type === tries.begun
      ? `Entry ${earlier.seq} began with ${anchor.about}, and no entry says how that ended: it was tried again.`
      : `Entry ${earlier.seq} evaluated ${anchor.about} before, with another result: it was tried again.`,
  );
}
