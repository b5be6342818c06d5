import { type Dyadic, DyadicSum, fractionText, power, ratio, toNumber } from '../stats/dyadic.ts';
import { listedKs } from '../stats/pass-hat-k.ts';
import { type ExactReport, MAX_LEAVES } from '../types/reports/exact.ts';
import type { FailureDetail } from '../types/scenarios/failure-report.ts';
import { type CounterName, COUNTERS, STATUSES, type SubjectStatus } from '../types/trial.ts';
import { type FailingPrefix, FailingPrefixes } from './failing-prefixes.ts';
import type { LeafTally } from './leaf-tally.ts';
import type { LeafWalk } from './leaf-walk.ts';
import type { ProgramInfo } from './program-info.ts';
import { MAX_SHOWN, type Tally } from './tally/tally.ts';

/**
 * Runs every sequence of answers once and counts the whole enumeration as trial 0 of `tally`: passed when all leaves
 * pass, broken when one is broken or there are too many. What it found is `tally.exact`; failing leaves are shown under
 * their numbers.
 */
export function enumerateAnswers(walk: LeafWalk, info: ProgramInfo, tally: Tally, maxLeaves = MAX_LEAVES): void {
  const { leaf, steps } = walk;
  const sums = new LeafSums(info.checks.length);
  const failing = new FailingPrefixes();
  let shown = 0;
  let brokenBy: string | null = null;
  for (let nextDepth = 0; nextDepth >= 0; nextDepth = walk.advance((depth) => failing.close(depth, steps))) {
    if (sums.leaves === maxLeaves) {
      refuse(sums, tally);
      return;
    }
    walk.run();
    tally.strikes.merge(leaf.strikes);
    const failed = leaf.failed === 1 ? leaf.failedChecks() : null;
    sums.add(leaf, walk.chance, failed ?? []);
    failing.add(steps.length, failed);
    if (leaf.passed === 1) {
      tally.observedLow |= leaf.observedLow;
      tally.observedHigh |= leaf.observedHigh;
      continue;
    }
    brokenBy ??= leaf.lowestBroken[0]?.cause ?? null;
    if (shown++ >= MAX_SHOWN) continue;
    for (const { trial, detail } of walk.show(sums.leaves - 1).shown) tally.show(trial, detail);
  }
  if (brokenBy !== null) tally.markBroken(0, brokenBy);
  else if (failing.count > 0) tally.markFailed(0, []);
  else tally.markPassed(0);
  tally.exact = JSON.stringify(sums.report(failing, info));
}

/** What there is to say of a tree that is too large: bounds, and what sampling would give. */
function refuse(sums: LeafSums, tally: Tally): void {
  const { leaves } = sums;
  const [low, high] = sums.bounds().map((bound) => String(Number(bound.toFixed(4))));
  const brokenBy =
    `There are more than ${leaves.toLocaleString('en')} sequences of answers, so they are not enumerated; those found ` +
    `put the pass rate between ${low} and ${high}. Sampling tells it to about ±0.01 with 10,000 trials: sampler = "seeded".`;
  const detail: FailureDetail = {
    trial: 0,
    verdict: 'broken',
    findings: [],
    path: [],
    status: null,
    stoppedBy: null,
    reason: null,
    brokenBy,
  };
  tally.shown.length = 0;
  tally.markBroken(0, brokenBy);
  tally.show(0, JSON.stringify(detail));
}

/** Sums over leaves, each weighted with its chance, that never round. */
class LeafSums {
  leaves = 0;
  private readonly passed = new DyadicSum();
  private readonly failed = new DyadicSum();
  private readonly broken = new DyadicSum();
  private readonly counters = COUNTERS.map(() => new DyadicSum());
  private readonly statuses = STATUSES.map(() => new DyadicSum());
  private readonly checks: readonly DyadicSum[];

  constructor(checks: number) {
    this.checks = Array.from({ length: checks }, () => new DyadicSum());
  }

  add(leaf: LeafTally, chance: Dyadic, failedChecks: readonly number[]): void {
    this.leaves++;
    const verdict = leaf.passed === 1 ? this.passed : leaf.failed === 1 ? this.failed : this.broken;
    verdict.add(chance);
    for (const [i, sum] of this.counters.entries()) sum.add(chance, leaf.counters[i] ?? 0);
    for (const [i, sum] of this.statuses.entries()) sum.add(chance, leaf.statuses[i] ?? 0);
    for (const check of failedChecks) this.checks[check]?.add(chance);
  }

  /** Between which the pass rate lies, whatever the leaves that have not been run come to. */
  bounds(): readonly [number, number] {
    return [toNumber(this.passed.value), 1 - toNumber(this.failed.value)];
  }

  report(failing: FailingPrefixes, info: ProgramInfo): ExactReport {
    const passed = this.passed.value;
    const counters = this.counters.map((sum) => sum.value);
    const perSuccess = (counter: CounterName): number | null =>
      passed.count === 0n ? null : ratio(counters[COUNTERS.indexOf(counter)] as Dyadic, passed);
    const fraction = fractionText(passed);
    const statuses = STATUSES.map((status, i): [SubjectStatus, number] => [
      status,
      toNumber((this.statuses[i] as DyadicSum).value),
    ]);
    return {
      leaves: this.leaves,
      passRate: toNumber(passed),
      passRateFraction: fraction.length <= LONGEST_FRACTION ? fraction : null,
      brokenRate: toNumber(this.broken.value),
      passHatK: listedKs(MOST_K).map((k) => ({ k, value: toNumber(power(passed, k)) })),
      costPerSuccess: perSuccess('llmTokens'),
      callsPerSuccess: perSuccess('llmCalls'),
      counters: Object.fromEntries(
        COUNTERS.map((name, i): [CounterName, number] => [name, toNumber(counters[i] as Dyadic)]),
      ) as Record<CounterName, number>,
      statuses: Object.fromEntries(statuses) as Record<SubjectStatus, number>,
      checks: this.checks
        .map((sum, i) => ({ check: info.checks[i] ?? `check ${i}`, chance: toNumber(sum.value) }))
        .filter(({ chance }) => chance > 0)
        .sort((a, b) => b.chance - a.chance),
      failing: failing.prefixes.map((prefix) => failingAnswers(prefix, info)),
      failingSequences: failing.count,
    };
  }
}

const LONGEST_FRACTION = 80;
const MOST_K = 1024;

function failingAnswers({ steps, chance, leaves, checks, leaf }: FailingPrefix, info: ProgramInfo) {
  return {
    answers: steps.map(({ turn, occurrence, variant }) => ({
      turn: info.turns[turn]?.turn ?? `turns[${turn}]`,
      occurrence,
      variant,
    })),
    chance: toNumber(chance),
    leaves,
    checks: checks.map((check) => info.checks[check] ?? `check ${check}`),
    leaf,
  };
}
