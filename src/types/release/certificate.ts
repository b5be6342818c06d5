import type { Count, Proportion } from '../numbers.ts';
import type { ModelPin } from './eval-body.ts';
import type { AuditEntry, RecordSignature } from './eval-result.ts';
import type { Sha256 } from './trial-line.ts';

/** The shape of a certificate; a change that breaks readers is a new number. Signatures begin with it. */
export const CERTIFICATE_SCHEMA = 'passk.certificate/1';

/** Says that what these files hold has reached its bars, and may run unattended until a day. */
export interface Certificate {
  /** Names the shape of the document. */
  readonly schema: typeof CERTIFICATE_SCHEMA;
  /** What is certified. */
  readonly body: CertificateBody;
  /** Of the canonical JSON of the body. */
  readonly bodyHash: Sha256;
  /** By whom it is signed. */
  readonly signature: RecordSignature;
  /** Its entry in an audit log; absent: it stands in none. */
  readonly anchor?: AuditEntry;
}

export interface CertificateBody {
  /** The files of the scenarios, relative to the folder in which it was issued, with `/`. */
  readonly paths: readonly string[];
  /** What was certified. */
  readonly subject: CertifiedSubject;
  /** The seed of every draw. */
  readonly seed: Count;
  /** The pass rate that every scenario had to reach; null: only its own bar. */
  readonly minPassRate: Proportion | null;
  /** Further conditions, as gate expressions. */
  readonly gates: readonly string[];
  /** Trials that each scenario needed at least, unless all of its trials are the same. */
  readonly minTrials: Count;
  /** In plan order. */
  readonly scenarios: readonly CertifiedScenario[];
  /** The capabilities that the trials used. */
  readonly coverage: CertifiedCoverage;
  /** The program that ran the trials. */
  readonly engine: {
    readonly name: 'passk';
    /** Its version. */
    readonly version: string;
  };
  /** ISO 8601. */
  readonly issuedAt: string;
  /** From this moment on it does not hold, in ISO 8601. */
  readonly expiresAt: string;
}

/** What may run unattended. Where any of it is another one, the certificate does not hold. */
export interface CertifiedSubject {
  /**
   * Every file that loading reads, by the bytes in it: scenarios, and what they name, such as workflows and their children,
   * schemas and profiles of chaos. Modules of agents, entries of models and local plug-ins stand here, too.
   */
  readonly files: readonly CertifiedFile[];
  /** Of the workflows as data, children included. */
  readonly workflowHash: Sha256;
  /** Of the policies in force. */
  readonly policyHash: Sha256;
  /** The models, each with the version that was asked. */
  readonly modelPins: readonly ModelPin[];
}

export interface CertifiedFile {
  /** Relative to the innermost folder that holds all of them, with `/`. */
  readonly name: string;
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: Sha256;
}

export interface CertifiedScenario {
  /** The name of the scenario. */
  readonly name: string;
  /** Of what it tries and expects. */
  readonly hash: Sha256;
  /** Null: every trial had to pass. */
  readonly bar: Proportion | null;
  /** 0 where its answers were enumerated. */
  readonly trials: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that failed. */
  readonly failed: Count;
  /** Trials that broke. */
  readonly errors: Count;
  /** The pass rate that these trials show, by the lower bound of Clopper and Pearson at 95 %; null: they are all the same. */
  readonly passRateAtLeast: Proportion | null;
}

/** Of the matrix of capabilities. */
export interface CertifiedCoverage {
  /** All capabilities. */
  readonly total: Count;
  /** Seen in passing trials. */
  readonly observed: readonly string[];
  /** The others. */
  readonly uncovered: readonly string[];
}
