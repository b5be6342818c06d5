import type { BilledItem, BillingFacts, BillingItem, BillingStatement } from '../../types/release/billing-facts.ts';
import type { TriedScenario } from '../evidence.ts';

/** The bill beside what the ledger of all trials says of the same kinds of lines. Source: release gate, M-44. */
export function billingFacts(
  { hash, rows, billedNanoUsd, kinds, tolerance, items }: BillingStatement,
  scenarios: readonly TriedScenario[],
): BillingFacts {
  const covered = new Set<string>(kinds);
  const byName = new Map<string, bigint>();
  let [ledger, unpriced] = [0n, 0];
  for (const { trials } of scenarios) {
    for (const { kind, name, nanoUsd } of trials.flatMap((trial) => trial.ledger)) {
      if (!covered.has(kind)) continue;
      if (nanoUsd === null) {
        unpriced++;
        continue;
      }
      ledger += BigInt(nanoUsd);
      byName.set(name, (byName.get(name) ?? 0n) + BigInt(nanoUsd));
    }
  }
  return {
    hash,
    rows,
    billedNanoUsd,
    kinds,
    tolerance,
    ledgerNanoUsd: String(ledger),
    difference: differenceOf(ledger, BigInt(billedNanoUsd)),
    unpriced,
    ...(items !== undefined && { items: itemsOf(items, byName) }),
  };
}

/** What either of them has. */
function itemsOf(items: readonly BilledItem[], ledger: ReadonlyMap<string, bigint>): readonly BillingItem[] {
  const billed = new Map(items.map(({ name, billedNanoUsd }) => [name, BigInt(billedNanoUsd)]));
  const names = [...new Set([...billed.keys(), ...ledger.keys()])].sort();
  return names.map((name) => {
    const [bill, own] = [billed.get(name) ?? 0n, ledger.get(name) ?? 0n];
    return { name, billedNanoUsd: String(bill), ledgerNanoUsd: String(own), difference: differenceOf(own, bill) };
  });
}

/** Exact, which a difference of two quotients would not be; null: nothing was billed. */
function differenceOf(ledger: bigint, billed: bigint): number | null {
  return billed === 0n ? null : Number(ledger - billed) / Number(billed);
}
