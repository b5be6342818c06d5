import type { Amount, Count } from '../numbers.ts';
import type { EvalBody } from './eval-body.ts';
import type { Sha256 } from './trial-line.ts';

/** The shape of a record; a change that breaks readers is a new number. Signatures begin with it. */
export const EVAL_RESULT_SCHEMA = 'passk.evalresult/1';

/** A record of a release: what was found out, signed, and what was noted of the run that found it out. */
export interface EvalResult {
  /** Names the shape of the document. */
  readonly schema: typeof EVAL_RESULT_SCHEMA;
  /** The same for any number of workers and shards: this is what is hashed and signed. */
  readonly body: EvalBody;
  /** Of the canonical JSON of the body. */
  readonly bodyHash: Sha256;
  /** By whom it is signed. */
  readonly signature: RecordSignature;
  /** The entry of this record in the audit log, which shows when entries after it were cut off. */
  readonly anchor: AuditEntry;
  /** What was done with the record, entry by entry. */
  readonly envelope: RecordEnvelope;
}

export interface RecordSignature {
  readonly algorithm: 'ed25519';
  /** What is signed: the schema, a line feed, and the hash of the body. */
  readonly signs: 'schema LF bodyHash';
  /** SHA-256 of the public key as DER. */
  readonly keyId: Sha256;
  /** The 32 bytes of the public key, in base64. It proves nothing of its owner. */
  readonly publicKey: string;
  /** 64 bytes in hexadecimal. */
  readonly value: string;
}

/** What is not signed, because it differs between equal runs. */
export interface RecordEnvelope {
  /** When the record was written, in ISO 8601. */
  readonly at: string;
  /** The version of passk. */
  readonly passk: string;
  /** The version of Node.js. */
  readonly node: string;
  /** Workers of the run; 0: it ran on the main thread. */
  readonly workers: Count;
  /** How long the run took, in milliseconds. */
  readonly durationMs: Amount;
  /** Name of the file of trials, beside the record. */
  readonly trials: string;
}

export const AUDIT_ENTRY_TYPES = [
  'release.begun',
  'release.evaluated',
  'canary.begun',
  'canary.transition',
  'certificate.begun',
  'certificate.issued',
  'certificate.refused',
] as const;

export type AuditEntryType = (typeof AUDIT_ENTRY_TYPES)[number];

/** A line of the audit log. Each names the hash of the one before it. */
export interface AuditEntry {
  /** From 0. */
  readonly seq: Count;
  /** What was done. */
  readonly type: AuditEntryType;
  /** ISO 8601. */
  readonly at: string;
  /** The candidate and the tier, or what was to be certified, so that what was tried until it passed shows. */
  readonly about: string;
  /** SHA-256 of the entry before it. */
  readonly prev: Sha256;
  /** Of what the entry is about, such as the body of a record. */
  readonly payloadHash: Sha256;
  /** The number of the entry with which this try began; absent: no entry says so, because nothing was run. */
  readonly ends?: Count;
  /** SHA-256 of the public key. */
  readonly keyId: Sha256;
  /** The signature, as base64. */
  readonly sig: string;
}
