import { createHash } from 'node:crypto';

/**
 * A Merkle tree whose root, in hexadecimal, stands for all leaves in their order. Leaves and inner nodes are hashed with prefixes 0 and 1, so
 * that none can be taken for the other, and an odd node is moved up as it is. Of no leaves: the SHA-256 of nothing.
 * Source: RFC 6962, section 2.1.
 */
export class MerkleTree {
  /** Roots of the full subtrees so far, the largest first, with the number of leaves below each. */
  private readonly peaks: { hash: Buffer; leaves: number }[] = [];

  /** Memory grows with the logarithm of the number of leaves. */
  add(leaf: string): void {
    let hash = digest([LEAF, Buffer.from(leaf)]);
    let leaves = 1;
    for (let last = this.peaks.at(-1); last?.leaves === leaves; last = this.peaks.at(-1)) {
      hash = digest([NODE, last.hash, hash]);
      leaves *= 2;
      this.peaks.pop();
    }
    this.peaks.push({ hash, leaves });
  }

  root(): string {
    const [last, ...others] = [...this.peaks].reverse();
    if (last === undefined) return createHash('sha256').digest('hex');
    return others.reduce((right, { hash }) => digest([NODE, hash, right]), last.hash).toString('hex');
  }
}

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

function digest(parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
