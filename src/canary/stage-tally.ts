import { CostSums } from '../stats/sequences/ratio-sequence.ts';
import type { CanaryStageRules } from '../types/canary/canary-plan.ts';
import type { CanaryArmCounts } from '../types/canary/canary-report.ts';
import type { CanaryOutcome } from '../types/canary/outcome.ts';

/** Keys of which runs of k are counted; what comes under more of them counts as one kind. */
const MOST_KEYS = 10_000;

/** What decides of an outcome. */
export type Counted = Pick<CanaryOutcome, 'arm' | 'passed' | 'violation' | 'costUsd' | 'latencyMs' | 'key'>;

/** Counts of one arm. */
export class ArmTally {
  outcomes = 0;
  passed = 0;
  errors = 0;
  violations = 0;
  unpriced = 0;
  costUsd = 0;

  add({ passed, violation, costUsd }: Counted): void {
    this.outcomes += 1;
    if (violation !== null) this.violations += 1;
    if (costUsd !== null) this.costUsd += costUsd;
    if (passed === null) this.errors += 1;
    else {
      if (passed) this.passed += 1;
      if (costUsd === null) this.unpriced += 1;
    }
  }

  /** Outcomes with a verdict. */
  get judged(): number {
    return this.outcomes - this.errors;
  }

  counts(): CanaryArmCounts {
    const { outcomes, passed, errors, violations, costUsd, unpriced } = this;
    return { outcomes, passed, failed: outcomes - errors - passed, errors, violations, costUsd, unpriced };
  }
}

/** What a stage has seen: all that its bounds follow from. */
export class StageTally {
  readonly candidate = new ArmTally();
  readonly baseline = new ArmTally();
  readonly costs = new CostSums();
  /** Lines that cannot be read, and may be outcomes of either arm. */
  unread = 0;
  slow = 0;
  /** Outcomes of the candidate whose latency nobody says. */
  untimed = 0;
  /** Whole runs of k outcomes of one key, and those of which all passed. */
  runs = 0;
  fullRuns = 0;
  /** By key: outcomes of the run under way, and whether all of them passed. */
  private readonly open = new Map<string, { outcomes: number; isFull: boolean }>();
  private readonly rules: CanaryStageRules;

  constructor(rules: CanaryStageRules) {
    this.rules = rules;
  }

  add(outcome: Counted): void {
    this[outcome.arm].add(outcome);
    if (outcome.arm === 'baseline') return;
    const { passed, costUsd, latencyMs, key } = outcome;
    if (passed === null) return;
    const { maxCostPerSuccess, maxLatencyMs, minPassHatK } = this.rules;
    if (maxCostPerSuccess !== null && costUsd !== null) this.costs.add(costUsd, passed ? 1 : 0);
    if (maxLatencyMs !== null) {
      if (latencyMs === null) this.untimed += 1;
      else if (latencyMs > maxLatencyMs) this.slow += 1;
    }
    if (minPassHatK !== null) this.addToRun(key ?? '', passed);
  }

  /** True: requests have no keys, or too many, so that runs of k mix requests of several kinds. */
  get mixesKinds(): boolean {
    return this.open.has('');
  }

  private addToRun(key: string, passed: boolean): void {
    const kind = this.open.has(key) || this.open.size < MOST_KEYS ? key : '';
    const run = this.open.get(kind) ?? { outcomes: 0, isFull: true };
    run.outcomes += 1;
    run.isFull = run.isFull && passed;
    if (run.outcomes === this.rules.k) {
      this.runs += 1;
      if (run.isFull) this.fullRuns += 1;
      this.open.set(kind, { outcomes: 0, isFull: true });
    } else this.open.set(kind, run);
  }
}
