import type { KeyObject } from 'node:crypto';
import type { RecordSignature } from '../types/release/eval-result.ts';
import { bodyHash, signedText } from './sign-record.ts';
import { fingerprintOf, isSignedBy } from './signing-keys.ts';
import type { VerificationCheck } from './verification.ts';

/** Anything that is signed as records are: the schema and the hash of the body. */
export interface Signed {
  readonly schema: string;
  readonly body: object;
  readonly bodyHash: string;
  readonly signature: RecordSignature;
}

export interface SignatureReading {
  /** The key in the document; null: it holds none. */
  readonly signer: KeyObject | null;
  /** Whose it must be; null: nobody said. */
  readonly expected: KeyObject | null;
  /** What the document is called. */
  readonly noun: 'record' | 'certificate';
}

/** Whether the body is the one that was hashed and signed, and who signed it. */
export function signatureChecks(
  { schema, body, bodyHash: stated, signature }: Signed,
  { signer, expected, noun }: SignatureReading,
): readonly VerificationCheck[] {
  const hash = bodyHash(body);
  const isSigned = signer !== null && isSignedBy(signedText(hash, schema), signature.value, signer);
  const own = signer === null ? '' : fingerprintOf(signer);
  const checks: readonly VerificationCheck[] = [
    hash === stated
      ? { code: 'BODY_HASH', holds: true, message: 'The body is the one that was hashed.' }
      : { code: 'BODY_HASH', holds: false, message: 'The body is not the one that was hashed: it was changed.' },
    isSigned && own === signature.keyId
      ? { code: 'SIGNATURE', holds: true, message: `The signature is that of the key in the ${noun}.` }
      : {
          code: 'SIGNATURE',
          holds: false,
          message: `The signature does not hold for this body and the key in the ${noun}.`,
        },
  ];
  if (expected === null) return checks;
  const isExpected = signer !== null && fingerprintOf(expected) === own;
  return [
    ...checks,
    isExpected
      ? { code: 'SIGNER', holds: true, message: 'The signer is the one whose public key was given.' }
      : {
          code: 'SIGNER',
          holds: false,
          message: 'Somebody else signed it: the public key that was given is another one.',
        },
  ];
}
