import { createHash, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../types/json.ts';
import { EVAL_RESULT_SCHEMA, type RecordSignature } from '../types/release/eval-result.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { fingerprintOf, publicKeyOf, publicKeyText, signText } from './signing-keys.ts';

/** The SHA-256 of the canonical JSON of a body, in hexadecimal. */
export function bodyHash(body: object): string {
  return createHash('sha256')
    .update(canonicalJson(body as JsonObject))
    .digest('hex');
}

/** What a signature signs: the schema goes first, so that no signature of something else can be taken for it. */
export function signedText(hash: string, schema: string): string {
  return `${schema}\n${hash}`;
}

/** The signature of a body by its hash. `schema`: of the document, that of a record when absent. */
export function signBody(hash: string, key: KeyObject, schema: string = EVAL_RESULT_SCHEMA): RecordSignature {
  const publicKey = publicKeyOf(key);
  return {
    algorithm: 'ed25519',
    signs: 'schema LF bodyHash',
    keyId: fingerprintOf(publicKey),
    publicKey: publicKeyText(publicKey),
    value: signText(signedText(hash, schema), key),
  };
}
