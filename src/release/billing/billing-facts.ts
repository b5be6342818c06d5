import type { BillingFacts, BillingStatement } from '../../types/release/eval-body.ts';
import type { TriedScenario } from '../evidence.ts';

/** The bill beside what the ledger of all trials says of the same kinds of lines. Source: release gate, M-44. */
export function billingFacts(
  { hash, rows, billedNanoUsd, kinds, tolerance }: BillingStatement,
  scenarios: readonly TriedScenario[],
): BillingFacts {
  const covered = new Set<string>(kinds);
  let [ledger, unpriced] = [0n, 0];
  for (const { trials } of scenarios) {
    for (const line of trials.flatMap((trial) => trial.ledger)) {
      if (!covered.has(line.kind)) continue;
      if (line.nanoUsd === null) unpriced++;
      else ledger += BigInt(line.nanoUsd);
    }
  }
  const billed = BigInt(billedNanoUsd);
  return {
    hash,
    rows,
    billedNanoUsd,
    kinds,
    tolerance,
    ledgerNanoUsd: String(ledger),
    // The difference is exact; that of two quotients would not be.
    difference: billed === 0n ? null : Number(ledger - billed) / Number(billed),
    unpriced,
  };
}
