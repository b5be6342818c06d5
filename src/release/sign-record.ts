import { createHash, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../types/json.ts';
import type { EvalBody } from '../types/release/eval-body.ts';
import { EVAL_RESULT_SCHEMA, type RecordSignature } from '../types/release/eval-result.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { fingerprintOf, publicKeyOf, publicKeyText, signText } from './signing-keys.ts';

/** The SHA-256 of the canonical JSON of a body, in hexadecimal. */
export function bodyHash(body: EvalBody): string {
  return createHash('sha256')
    .update(canonicalJson(body as unknown as JsonObject))
    .digest('hex');
}

/** What a signature signs: the schema goes first, so that no signature of something else can be taken for it. */
export function signedText(hash: string): string {
  return `${EVAL_RESULT_SCHEMA}\n${hash}`;
}

export function signBody(hash: string, key: KeyObject): RecordSignature {
  const publicKey = publicKeyOf(key);
  return {
    algorithm: 'ed25519',
    signs: 'schema LF bodyHash',
    keyId: fingerprintOf(publicKey),
    publicKey: publicKeyText(publicKey),
    value: signText(signedText(hash), key),
  };
}
