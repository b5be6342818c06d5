import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { PasskError } from '../errors.ts';

/** A pair of Ed25519 keys as PEM texts: PKCS #8 and SPKI. */
export interface KeyTexts {
  /** The private key as PEM; it signs, and belongs in a secret store. */
  readonly privateKey: string;
  /** The public key as PEM; whoever has it can verify. */
  readonly publicKey: string;
}

/** A new pair of Ed25519 keys, to sign releases and certificates with. */
export function makeKeys(): KeyTexts {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey: pemOf(privateKey, 'pkcs8'), publicKey: pemOf(publicKey, 'spki') };
}

/** Throws `INPUT` for a text that holds no private Ed25519 key. The text is never quoted. `from`: where it stood. */
export function readPrivateKey(text: string, from: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(text);
  } catch {
    // Node's words say nothing that a user could act on, and could quote the key.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new PasskError('INPUT', `${from} holds no private Ed25519 key in PEM.`, { hint: HINT });
}

/** Throws `INPUT` for a text that holds no public Ed25519 key, or a private one: whoever verifies should not have that. */
export function readPublicKey(text: string, from: string): KeyObject {
  if (holdsPrivateKey(text)) {
    throw new PasskError('INPUT', `${from} is a private key, which only its owner should have.`, {
      hint: 'Give the public key: passk release keygen writes it beside the private one, with .pub.',
    });
  }
  let key: KeyObject | null = null;
  try {
    key = createPublicKey(text);
  } catch {
    // As above.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new PasskError('INPUT', `${from} holds no public Ed25519 key in PEM.`, { hint: HINT });
}

/** Node reads the public key out of a private one, so that only trying tells the two apart. */
function holdsPrivateKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    // An encrypted key cannot be read without its passphrase, nor can its public one.
    return false;
  }
}

const HINT = 'Make keys with: passk release keygen --out FILE.';

export function publicKeyOf(privateKey: KeyObject): KeyObject {
  return createPublicKey(privateKey);
}

/** As it stands in records: the 32 bytes of the key in base64. */
export function publicKeyText(key: KeyObject): string {
  return rawBytes(key).toString('base64');
}

/** The key that `publicKeyText` wrote; null: the text holds none. */
export function publicKeyFrom(text: string): KeyObject | null {
  const raw = Buffer.from(text, 'base64');
  if (raw.length !== RAW_BYTES || raw.toString('base64') !== text) return null;
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
}

/** The SHA-256 of the public key as DER (SPKI), in hexadecimal, as other tools print it. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256').update(derOf(publicKey)).digest('hex');
}

/** The signature of these bytes, in hexadecimal. Deterministic. Source: RFC 8032. */
export function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text), privateKey).toString('hex');
}

export function isSignedBy(text: string, signature: string, publicKey: KeyObject): boolean {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex'));
}

const RAW_BYTES = 32;
/** What stands before the bytes of an Ed25519 key in SPKI (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

function rawBytes(publicKey: KeyObject): Buffer {
  return derOf(publicKey).subarray(SPKI_HEAD.length);
}

function derOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** A public key as a PEM text. */
export function publicKeyPem(publicKey: KeyObject): string {
  return pemOf(publicKey, 'spki');
}

function pemOf(key: KeyObject, type: 'pkcs8' | 'spki'): string {
  return String(key.export({ type, format: 'pem' }));
}
