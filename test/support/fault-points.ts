import { xoshiro128 } from '../../src/random/xoshiro128.ts';

/** Points that the shares below add up to: so many a change of the pool, the journal or the queue is tried with. */
const SHARES = 467;

const points = Number(process.env['PASSK_FAULT_POINTS'] ?? 120);

/** The seed of every fault of the suite. */
export const FAULT_SEED = Number(process.env['PASSK_FAULT_SEED'] ?? 1);

/** How many faults a test plants, of the 120 of an ordinary run; more where PASSK_FAULT_POINTS asks for more. */
export function faultPoints(share: number): number {
  return Math.max(1, Math.round((share * points) / SHARES));
}

/** Whole numbers from 0, the same for the same seed and name. */
export function faultDice(name: string): () => number {
  let hash = FAULT_SEED;
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  const dice = xoshiro128(hash);
  return () => dice.next();
}
