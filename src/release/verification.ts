import type { KeyObject } from 'node:crypto';
import { fingerprintOf } from './signing-keys.ts';

/** The checks of a signed document, and its signer. */
export interface SignedCheck {
  /** True: every check holds. */
  readonly holds: boolean;
  /** Each check. */
  readonly checks: readonly VerificationCheck[];
  /** SHA-256 of the signer's public key. */
  readonly fingerprint: string;
  /** True: the signature is of the public key that the caller named. False: the caller named none. */
  readonly isSignerVerified: boolean;
}

/** Sums up checks. `keyId`: the document's name for the key, where it holds no key. */
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
  /** The public key of the signer that the caller expects; null: any. */
  readonly expected: KeyObject | null;
  readonly keyId: string;
}

/** One check of a signed document. */
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
  /** True: the check holds. */
  readonly holds: boolean;
  /** What the check is, and what is wrong where it does not hold. */
  readonly message: string;
}
