import { passAtK } from '../../stats/pass-at-k.ts';
import { passHatK } from '../../stats/pass-hat-k.ts';
import { ratioInterval } from '../../stats/ratio-interval.ts';
import type { PricedCosts, PriceReport } from '../../types/release/price-report.ts';
import { SUBJECT_KINDS } from '../cost-facts.ts';
import type { Rates } from './rates.ts';
import type { SpentCase } from './spending.ts';

/** Changes to retries and attempts; null: as measured. */
export interface RetryRule {
  /** Retries per run. */
  readonly retries: number | null;
  /** Attempts at a task until one succeeds, from 1. */
  readonly attempts: number;
}

/** The k of costs per task that succeeds k times in a row. */
const LISTED = [1, 2, 4, 8];

/** What cases cost, as far as it is priced. */
export interface CasesCost {
  readonly costs: PricedCosts;
  readonly unpriced: PriceReport['unpriced'];
  /** Retries per run, as measured. */
  readonly retryMean: number;
}

/**
 * What cases cost at these rates. A retry costs what later attempts did, or as much as a first attempt where no line says
 * which attempt it was of. Tasks that are tried again until one attempt succeeds are drawn from the trials of each case without
 * replacement: of m attempts one passes by pass@m, and j are made as often as none of the j − 1 before passes. Sources: release
 * gate, F-10 and F-11; pass@k of Chen et al. 2021.
 */
export function priceCases(cases: readonly SpentCase[], rates: Rates, rule: RetryRule): CasesCost {
  const spent = cases.map((one) => ({ ...one, ...spendingOf(one, rates) }));
  const sum = (pick: (one: (typeof spent)[number]) => number): number =>
    spent.reduce((total, one) => total + pick(one), 0);
  const runs = sum(({ trials }) => trials);
  const retries = sum((one) => one.retries);
  const [first, later] = [sum((one) => one.first), sum((one) => one.later)];
  const retryMean = runs === 0 ? 0 : retries / runs;
  // Where no line names a later attempt, the first attempts hold what retries cost.
  const isRetryIncluded = retries > 0 && later === 0;
  const share = isRetryIncluded && rule.retries !== null ? 1 / (1 + retryMean) : 1;
  const perRetry = later > 0 && retries > 0 ? later / retries : runs === 0 ? 0 : (first * share) / runs;
  const perCase = spent.map((one) => {
    const again = rule.retries === null ? one.later : one.trials * rule.retries * perRetry;
    const { cost, passed, tried } = repeated(one, usd(one.first * share + again), rule.attempts);
    return { cost, passed, tried, trials: one.trials };
  });
  const total = perCase.reduce((all, { cost }) => all + cost, 0);
  const successes = perCase.reduce((all, { passed }) => all + passed, 0);
  const unpriced = unpricedOf(spent.flatMap((one) => one.unpriced));
  const isLowerBound = unpriced.length > 0;
  const firstUsd = perCase.reduce((all, { tried }, at) => all + usd((spent[at]?.first ?? 0) * share) * tried, 0);
  const amortised = rule.retries ?? (isRetryIncluded ? 0 : retryMean);
  const page = successes === 0 ? null : (firstUsd / successes) * (1 + amortised);
  const exact = successes === 0 ? null : total / successes;
  const isOnce = rule.attempts === 1;
  const costs = {
    isLowerBound,
    totalUsd: total,
    firstUsd,
    byKind: kindsOf(spent.flatMap((one) => [...one.byKind])),
    evaluationUsd: usd(sum((one) => one.evaluation)),
    perSuccessUsd: page,
    perSuccessExactUsd: exact,
    perSuccessInterval: isLowerBound || !isOnce ? null : (ratioInterval(perCase)?.interval ?? null),
    gap: page === null || exact === null || exact === 0 ? null : page / exact - 1,
    perReliableTask: LISTED.map((k) => ({ k, usd: isOnce ? perReliable(cases, total, k) : null })),
    successes,
    runs,
  };
  return { costs, unpriced, retryMean };
}

/** A case whose tasks are tried up to `attempts` times; 1: as it was. */
function repeated({ trials, passed }: SpentCase, cost: number, attempts: number) {
  if (attempts === 1 || trials === 0) return { cost, passed, tried: 1 };
  let tried = 1;
  for (let before = 1; before < attempts; before++) tried += 1 - (passAtK(trials, passed, before) ?? 1);
  return { cost: cost * tried, passed: trials * (passAtK(trials, passed, attempts) ?? 0), tried };
}

interface Spent {
  /** Billionths of a dollar. */
  readonly first: number;
  readonly later: number;
  readonly evaluation: number;
  readonly byKind: ReadonlyMap<string, number>;
  readonly unpriced: PriceReport['unpriced'];
}

function spendingOf({ lines }: SpentCase, rates: Rates): Spent {
  let [first, later, evaluation] = [0, 0, 0];
  const byKind = new Map<string, number>();
  const unpriced: PriceReport['unpriced'][number][] = [];
  for (const line of lines) {
    const { kind, name, attempt, trials } = line;
    const price = rates.priceOf(line);
    if (price === null) {
      if (SUBJECT_KINDS.has(kind)) unpriced.push({ kind, name, trials });
      continue;
    }
    byKind.set(kind, (byKind.get(kind) ?? 0) + price);
    if (!SUBJECT_KINDS.has(kind)) evaluation += price;
    else if (attempt === 1) first += price;
    else later += price;
  }
  return { first, later, evaluation, byKind, unpriced };
}

function kindsOf(entries: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const [kind, nanoUsd] of entries) sums.set(kind, (sums.get(kind) ?? 0) + nanoUsd);
  return Object.fromEntries([...sums].map(([kind, nanoUsd]) => [kind, usd(nanoUsd)]));
}

function unpricedOf(lines: PriceReport['unpriced']): PriceReport['unpriced'] {
  const sums = new Map<string, PriceReport['unpriced'][number]>();
  for (const line of lines) {
    const key = JSON.stringify([line.kind, line.name]);
    sums.set(key, { ...line, trials: (sums.get(key)?.trials ?? 0) + line.trials });
  }
  return [...sums.values()];
}

/** The whole cost over the tasks that succeed k times in a row. Null: no task does, or a case has fewer than k trials. */
function perReliable(cases: readonly SpentCase[], total: number, k: number): number | null {
  let reliable = 0;
  for (const { trials, passed } of cases) {
    const chance = passHatK(trials, passed, k);
    if (chance === null) return null;
    reliable += chance;
  }
  return reliable === 0 ? null : total / reliable;
}

function usd(nanoUsd: number): number {
  return nanoUsd / 1e9;
}
