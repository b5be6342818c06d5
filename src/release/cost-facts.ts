import { createHash, type Hash } from 'node:crypto';
import { passHatK } from '../stats/pass-hat-k.ts';
import { ratioInterval } from '../stats/ratio-interval.ts';
import type { JsonObject } from '../types/json.ts';
import type { CostFacts } from '../types/release/eval-body.ts';
import type { TierRules } from '../types/release/release-rules.ts';
import type { PricedLine } from '../types/release/trial-line.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import type { TriedScenario } from './evidence.ts';

/** What the subject itself spends in production. The other kinds are spent on trying it. */
export const SUBJECT_KINDS: ReadonlySet<string> = new Set(['model', 'tool', 'connector']);

/** What costs are held against. */
export interface CostBars {
  readonly rules: Pick<TierRules, 'maxCostPerSuccess' | 'costSlack'>;
  /** Cost per success of the release before, in USD; null: there is none. */
  readonly priorUsd: number | null;
  /** The k of costs per task that succeeds k times in a row. */
  readonly ks: readonly number[];
}

/**
 * What trials cost, and a success: first attempts over successes × (1 + retries per run), and everything over successes.
 * Sums are of whole billionths of a dollar, so that no order of adding changes them. Source: release gate, F-10 and F-11.
 */
export function costFacts(scenarios: readonly TriedScenario[], { rules, priorUsd, ks }: CostBars): CostFacts {
  const spending = new Spending();
  const perScenario = scenarios.map(({ trials, passed }) => {
    const before = spending.total;
    for (const { ledger } of trials) spending.addTrial(ledger);
    return { cost: usd(spending.total - before), passed };
  });
  const runs = sum(scenarios.map(({ trials }) => trials.length));
  const successes = sum(scenarios.map(({ passed }) => passed));
  const retries = sum(scenarios.map((scenario) => scenario.retries));
  const reasons: Record<string, string> = {};
  const why = spending.unpriced.size > 0 ? 'UNPRICED' : successes === 0 ? 'NO_SUCCESS' : null;
  if (why !== null) {
    for (const field of ['perSuccessUsd', 'perSuccessExactUsd', 'perSuccessInterval', 'gap']) reasons[field] = why;
  }
  const retryMean = runs === 0 ? null : retries / runs;
  // Where no line names a later attempt, the first attempts hold what retries cost.
  const isRetryIncluded = retries > 0 && spending.total === spending.first;
  if (isRetryIncluded) reasons['retryMean'] = 'RETRY_INCLUDED';
  const amortised = 1 + (isRetryIncluded ? 0 : (retryMean ?? 0));
  const page = why === null ? (usd(spending.first) / successes) * amortised : null;
  const exact = why === null ? usd(spending.total) / successes : null;
  return {
    ledgerHash: spending.hash(),
    totalNanoUsd: String(spending.total),
    firstNanoUsd: String(spending.first),
    byKind: Object.fromEntries([...spending.byKind].map(([kind, nanoUsd]) => [kind, String(nanoUsd)])),
    runs,
    successes,
    retryMean,
    perSuccessUsd: page,
    perSuccessExactUsd: exact,
    perSuccessInterval: why === null ? (ratioInterval(perScenario)?.interval ?? null) : null,
    gap: page === null || exact === null || exact === 0 ? null : page / exact - 1,
    perReliableTask: ks.map((k) => ({ k, usd: why === null ? perReliable(scenarios, usd(spending.total), k) : null })),
    unpriced: [...spending.unpriced.values()],
    evaluationNanoUsd: String(spending.evaluation),
    ...ceilingOf(rules, priorUsd),
    reasons,
  };
}

/** Adds up the lines of trials. */
class Spending {
  total = 0n;
  first = 0n;
  evaluation = 0n;
  readonly byKind = new Map<string, bigint>();
  readonly unpriced = new Map<string, { readonly kind: string; readonly name: string; runs: number }>();
  private readonly lines: Hash = createHash('sha256');

  addTrial(ledger: readonly PricedLine[]): void {
    const unpriced = new Set<string>();
    for (const line of ledger) {
      this.lines.update(`${canonicalJson(line as unknown as JsonObject)}\n`);
      if (line.nanoUsd === null) unpriced.add(JSON.stringify([line.kind, line.name]));
      else this.add(line, BigInt(line.nanoUsd));
    }
    for (const key of unpriced) this.countUnpriced(key);
  }

  hash(): string {
    return this.lines.copy().digest('hex');
  }

  private add({ kind, attempt }: PricedLine, nanoUsd: bigint): void {
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0n) + nanoUsd);
    if (!SUBJECT_KINDS.has(kind)) {
      this.evaluation += nanoUsd;
      return;
    }
    this.total += nanoUsd;
    if (attempt === 1) this.first += nanoUsd;
  }

  private countUnpriced(key: string): void {
    const [kind = '', name = ''] = JSON.parse(key) as readonly string[];
    const count = this.unpriced.get(key) ?? { kind, name, runs: 0 };
    count.runs++;
    this.unpriced.set(key, count);
  }
}

/** Everything over the tasks of which k attempts in a row succeed. Null: none does, or a scenario has fewer trials. */
function perReliable(scenarios: readonly TriedScenario[], spentUsd: number, k: number): number | null {
  const chances = scenarios.map(({ trials, passed }) => passHatK(trials.length, passed, k));
  if (chances.includes(null)) return null;
  const reliable = sum(chances.map((chance) => chance ?? 0));
  return reliable === 0 ? null : spentUsd / reliable;
}

function ceilingOf(
  { maxCostPerSuccess, costSlack }: CostBars['rules'],
  priorUsd: number | null,
): Pick<CostFacts, 'ceilingUsd' | 'ceilingFrom'> {
  if (maxCostPerSuccess !== null) return { ceilingUsd: maxCostPerSuccess, ceilingFrom: 'explicit' };
  if (costSlack === null || priorUsd === null) return { ceilingUsd: null, ceilingFrom: null };
  return { ceilingUsd: priorUsd * costSlack, ceilingFrom: 'prior' };
}

/** Sums may be larger than a double holds exactly; their quotients need not be exact. */
function usd(nanoUsd: bigint): number {
  return Number(nanoUsd) / 1e9;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
