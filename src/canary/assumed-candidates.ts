import { PasskError } from '../errors.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { CanaryPlan } from '../types/canary/canary-plan.ts';
import type { AssumedCandidate } from '../types/canary/canary-rehearsal.ts';

/** Share of the ceiling that candidates cost which are not dear. */
const CHEAP = 0.5;
/** How much more than the ceiling a dear one costs. */
const DEAR = 1.5;
/** Of outcomes of one that does harm. */
const HARM = 0.001;

/** What is said of a candidate; the rest is as of a good one. */
export type NamedCandidate = Pick<AssumedCandidate, 'name' | 'passRate'> & Partial<AssumedCandidate>;

/**
 * Candidates by the bars of a rollout: one that errs a fifth as often as it may, one exactly at the highest floor, one that errs
 * twice as often, one that costs half more than it may, and one of which one outcome in a thousand does harm.
 */
export function assumedCandidates(plan: CanaryPlan): readonly AssumedCandidate[] {
  const floor = Math.max(...plan.stages.map(({ minPassRate }) => minPassRate));
  const lapse = 1 - floor;
  const passRate = 1 - lapse / 5;
  const ceiling = ceilingOf(plan);
  const all: readonly NamedCandidate[] = [
    { name: 'good', passRate },
    { name: 'at the floor', passRate: floor },
    { name: 'bad', passRate: Math.max(0, 1 - 2 * lapse) },
    ...(ceiling === null ? [] : [{ name: 'dear', passRate, costUsd: ceiling * passRate * DEAR }]),
    { name: 'harmful', passRate, violations: HARM },
  ];
  return all.map((one) => wholeCandidate(plan, one));
}

/** A candidate of which all is said: where nothing is, it is cheap enough, fast, harmless, and its harness works. */
export function wholeCandidate(plan: CanaryPlan, candidate: NamedCandidate): AssumedCandidate {
  const costUsd = (ceilingOf(plan) ?? 0) * candidate.passRate * CHEAP;
  return { costUsd, slow: 0, violations: 0, errors: 0, ...candidate };
}

/** True for a candidate that breaks a bar of some stage or lies at it: to release it is an error. */
export function isBadCandidate(
  { stages, maxViolations }: CanaryPlan,
  { passRate, costUsd, slow, violations }: AssumedCandidate,
): boolean {
  return stages.some(
    ({ minPassRate, minPassHatK, k, maxCostPerSuccess, maxLatencyMs, maxSlow }) =>
      passRate <= minPassRate ||
      (minPassHatK !== null && passRate ** k <= minPassHatK) ||
      (maxCostPerSuccess !== null && costUsd >= maxCostPerSuccess * passRate) ||
      (maxLatencyMs !== null && slow >= maxSlow) ||
      (violations > 0 && maxViolations === 0),
  );
}

const FIELDS = { cost: 'costUsd', slow: 'slow', violations: 'violations', errors: 'errors' } as const;

/** A candidate as words have it: `worse=0.93,cost=0.04`. Throws `USAGE`. */
export function parseCandidate(word: string): NamedCandidate {
  const [head = '', ...rest] = word.split(',').map((part) => part.trim());
  const [, name = '', rate = ''] = /^([^=,]{1,60})=([0-9.]+)$/.exec(head) ?? [];
  const passRate = rate === '' ? Number.NaN : Number(rate);
  if (Number.isNaN(passRate)) {
    throw new PasskError('USAGE', `"${word.slice(0, 80)}" is no candidate.`, {
      hint: 'Write its name and pass rate, and what else is assumed: worse=0.93,cost=0.04,violations=0.001.',
    });
  }
  const candidate: { -readonly [K in keyof AssumedCandidate]?: AssumedCandidate[K] } & NamedCandidate = {
    name,
    passRate,
  };
  for (const part of rest) {
    const [key = '', number = ''] = part.split('=', 2);
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key as keyof typeof FIELDS] : undefined;
    if (field === undefined || !/^[0-9.]+(e-?\d+)?$/.test(number)) {
      throw new PasskError('USAGE', `"${part.slice(0, 80)}" says nothing of a candidate.`, {
        hint: field === undefined ? hintFor(key, Object.keys(FIELDS), 'fields') : `Give ${key} a number.`,
      });
    }
    candidate[field] = Number(number);
  }
  return candidate;
}

/** The lowest ceiling of the cost per success; null: none. */
function ceilingOf({ stages }: CanaryPlan): number | null {
  const ceilings = stages.flatMap(({ maxCostPerSuccess }) => (maxCostPerSuccess === null ? [] : [maxCostPerSuccess]));
  return ceilings.length === 0 ? null : Math.min(...ceilings);
}
