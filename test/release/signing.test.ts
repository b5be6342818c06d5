import { createHash, createPrivateKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLogProblem, GENESIS, nextEntry } from '../../src/release/audit-log.ts';
import { MerkleTree } from '../../src/release/merkle-tree.ts';
import {
  fingerprintOf,
  isSignedBy,
  makeKeys,
  publicKeyFrom,
  publicKeyOf,
  publicKeyText,
  readPrivateKey,
  readPublicKey,
  signText,
} from '../../src/release/signing-keys.ts';
import type { AuditEntry } from '../../src/types/release/eval-result.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';

/** RFC 8032, 7.1, test 1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(SEED, 'hex')]),
  format: 'der',
  type: 'pkcs8',
});
const BODY = {
  candidate: { version: 'c1' },
  n: 200,
  passHat: { 1: 0.42, 4: 0.2 },
  scenarioSet: { version: 's1' },
  schema: 'fabric.evalresult/1',
};

describe('signatures', () => {
  test('are those of RFC 8032', () => {
    const key = Buffer.from(publicKeyText(publicKeyOf(KEY)), 'base64').toString('hex');
    expect(key).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    expect(signText('', KEY)).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  test('of the body of the specification are the stated ones', () => {
    const text = canonicalJson(BODY);
    expect(Buffer.byteLength(text)).toBe(129);
    expect(signText(text, KEY)).toBe(
      '6e50010f424afc77dc50f6ecc59cc223b92c4c41e5da5082ed9c4b5464ba9951294d68601a4b92ddee864edfa9288bb86a1fbbd23362dc1a358c9bcbf4720a00',
    );
    const digest = (...parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
    expect(digest(Buffer.from(text))).toBe('9220cd290c3a09702042785705a91f5973681388074d137fb42eb56d95b4788c');
    // As the first of a log: SHA-256(32 zero bytes ‖ the body).
    expect(digest(Buffer.from(GENESIS, 'hex'), Buffer.from(text))).toMatch(/^70b2ab51.*8102$/);
  });

  test('hold for what was signed and the key that signed it, and for nothing else', () => {
    const { privateKey, publicKey } = makeKeys();
    const [own, other] = [readPrivateKey(privateKey, 'it'), readPrivateKey(makeKeys().privateKey, 'it')];
    const signature = signText('words', own);
    expect(isSignedBy('words', signature, readPublicKey(publicKey, 'it'))).toBe(true);
    expect(isSignedBy('other words', signature, publicKeyOf(own))).toBe(false);
    expect(isSignedBy('words', signature, publicKeyOf(other))).toBe(false);
    expect(isSignedBy('words', 'no signature', publicKeyOf(own))).toBe(false);
  });

  test('have keys that are read back, and are refused by name without being quoted', () => {
    const { privateKey } = makeKeys();
    const key = publicKeyOf(readPrivateKey(privateKey, 'it'));
    const read = publicKeyFrom(publicKeyText(key)) ?? expect.fail('there is no key');
    expect(fingerprintOf(read)).toBe(fingerprintOf(key));
    expect(publicKeyFrom('AAAA')).toBeNull();
    const secret = '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----';
    expect(() => readPrivateKey(secret, 'release.key')).toThrow('release.key holds no private Ed25519 key in PEM.');
    expect(() => readPublicKey('words', 'release.key.pub')).toThrow(/release\.key\.pub holds no public/);
    expect(() => readPublicKey(privateKey, 'release.key')).toThrow(
      'release.key is a private key, which only its owner',
    );
  });
});

/** A log of 20 entries. */
function aLog(): AuditEntry[] {
  const log: AuditEntry[] = [];
  for (let i = 0; i < 20; i++) {
    const at = `2026-11-25T10:00:${String(i).padStart(2, '0')}.000Z`;
    const payloadHash = String(i).padStart(64, '0');
    log.push(nextEntry(log.at(-1) ?? null, { type: 'release.evaluated', at, about: 'c', payloadHash }, KEY));
  }
  return log;
}

describe('an audit log', () => {
  const keys = new Map([[fingerprintOf(publicKeyOf(KEY)), publicKeyOf(KEY)]]);
  const firstBad = (log: readonly AuditEntry[]): number | null => findLogProblem(log, keys)?.entry ?? null;

  test('holds as it was written', () => {
    expect(firstBad(aLog())).toBeNull();
    expect(firstBad([])).toBeNull();
  });

  test('V-01: names the first entry that was changed, moved or follows one that is gone', () => {
    const log = aLog();
    const changed = log.map((entry) => (entry.seq === 7 ? { ...entry, payloadHash: 'f'.repeat(64) } : entry));
    expect(firstBad(changed)).toBe(7);
    // Without the key of its signer a change shows at the entry that follows.
    expect(findLogProblem(changed, new Map())?.entry).toBe(8);
    const swapped = [...log.slice(0, 3), log[4], log[3], ...log.slice(5)] as AuditEntry[];
    expect(firstBad(swapped)).toBe(3);
    expect(firstBad([...log.slice(0, 10), ...log.slice(11)])).toBe(10);
  });

  test('does not show that its end is gone, which is why a record holds its own entry', () => {
    expect(firstBad(aLog().slice(0, 15))).toBeNull();
  });

  test('names a clock that goes back', () => {
    const [first] = aLog();
    const entry = nextEntry(
      first ?? null,
      { type: 'canary.transition', at: '2020-01-01T00:00:00.000Z', about: 'c', payloadHash: GENESIS },
      KEY,
    );
    expect(findLogProblem([first as AuditEntry, entry], keys)).toEqual({
      entry: 1,
      message: 'its clock goes back, from 2026-11-25T10:00:00.000Z to 2020-01-01T00:00:00.000Z',
    });
  });
});

describe('a Merkle tree', () => {
  const rootOf = (leaves: readonly string[]): string => {
    const tree = new MerkleTree();
    for (const leaf of leaves) tree.add(leaf);
    return tree.root();
  };

  test('has the roots that Certificate Transparency publishes for its test leaves', () => {
    const hex = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const leaves = hex.map((text) => Buffer.from(text, 'hex').toString('latin1'));
    expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(rootOf(leaves.slice(0, 1))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(rootOf(leaves)).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  test('has another root for any other leaves, or any other order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 20 }), fc.nat(), (leaves, at) => {
        const place = at % (leaves.length - 1);
        const swapped = leaves.with(place, leaves[place + 1] ?? '').with(place + 1, leaves[place] ?? '');
        expect(rootOf(swapped)).not.toBe(rootOf(leaves));
        expect(rootOf(leaves.slice(1))).not.toBe(rootOf(leaves));
      }),
    );
  });
});
