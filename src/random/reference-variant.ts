const TRIAL_FACTOR = 0x9e3779b97f4a7c15n;
const TURN_FACTOR = 0xd1b54a32d192ed03n;

/**
 * The variant that agentd-conformance 1.3.0 picks: (trial × A) xor (turn × B), both modulo 2^64, modulo the number of
 * variants. No seed; variants of different turns are tied together whenever their number is a power of two.
 */
export function referenceVariant(trial: number, turn: number, variants: number): number {
  if (variants <= 1) return 0;
  const a = BigInt.asUintN(64, BigInt(trial) * TRIAL_FACTOR);
  const b = BigInt.asUintN(64, BigInt(turn) * TURN_FACTOR);
  return Number((a ^ b) % BigInt(variants));
}
