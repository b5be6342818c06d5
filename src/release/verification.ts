import type { KeyObject } from 'node:crypto';
import { fingerprintOf } from './signing-keys.ts';

/** What was looked at in a document that somebody signed, and by whom it is. */
export interface SignedCheck {
  /** True: every check holds. */
  readonly holds: boolean;
  /** What was looked at, one by one. */
  readonly checks: readonly VerificationCheck[];
  /** SHA-256 of the signer's public key. */
  readonly fingerprint: string;
  /** True: the signer is who the given public key says. False: nobody said who it should be. */
  readonly isSignerVerified: boolean;
}

/** What checks come to. `keyId`: as the document names the key, where it holds none. */
export function signedCheck(
  checks: readonly VerificationCheck[],
  { signer, expected, keyId }: SignerReading,
): SignedCheck {
  return {
    holds: checks.every(({ holds }) => holds),
    checks,
    fingerprint: signer === null ? keyId : fingerprintOf(signer),
    isSignerVerified: expected !== null && checks.every(({ code, holds }) => code !== 'SIGNER' || holds),
  };
}

interface SignerReading {
  readonly signer: KeyObject | null;
  /** Whose it must be; null: nobody said. */
  readonly expected: KeyObject | null;
  readonly keyId: string;
}

/** One thing that was looked at in a document that somebody signed. */
export interface VerificationCheck {
  /** In capitals, for programs. */
  readonly code:
    | 'BODY_HASH'
    | 'SIGNATURE'
    | 'SIGNER'
    | 'ANCHOR'
    | 'LOG'
    | 'TRIALS'
    | 'METRICS'
    | 'EXPIRY'
    | 'FILES'
    | 'WORKFLOW'
    | 'POLICY'
    | 'MODELS';
  /** True: it was looked at and is as it must be. */
  readonly holds: boolean;
  /** What was looked at, and what was wrong with it. */
  readonly message: string;
}
