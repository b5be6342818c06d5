import { confidenceSequence } from '../stats/confidence-sequence.ts';
import { ratioSequence } from '../stats/sequences/ratio-sequence.ts';
import type { CanaryPlan, CanaryStageRules } from '../types/canary/canary-plan.ts';
import type {
  CanaryMeasure,
  CanaryPoint,
  CanaryReasonCode,
  CanaryStageReport,
  CriterionState,
} from '../types/canary/canary-report.ts';
import type { CanaryOutcome } from '../types/canary/outcome.ts';
import { criteriaOf, standings } from './judge-stage.ts';
import { type Counted, StageTally } from './stage-tally.ts';

const HOUR_MS = 3_600_000;
/** Each point of a timeline has so many more outcomes than the one before it. */
const NEXT_POINT = 1.05;
/** Outcomes whose clocks say when a stage began: two of them may be wrong. */
const FIRST = 5;
/** Failing outcomes that are named. */
const MOST_NAMED = 5;

/** What a look at a stage comes to. */
export type StageDecision =
  | { readonly kind: 'hold' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'rollback'; readonly code: CanaryReasonCode };

const HOLD: StageDecision = { kind: 'hold' };
const READY: StageDecision = { kind: 'ready' };

/** One share of traffic: what was seen at it, and what follows. Sees only what it is told. */
export class CanaryStage {
  readonly rules: CanaryStageRules;
  readonly tally: StageTally;
  readonly points: CanaryPoint[] = [];
  /** Ids of the last outcomes of the candidate that failed. */
  readonly failing: string[] = [];
  /** The clocks of the candidate's first outcomes that counted here, in order, and the latest one of all. */
  private readonly firstMs: number[] = [];
  private latestMs = 0;
  private readonly plan: CanaryPlan;
  private readonly keepsPoints: boolean;

  /** `keepsPoints`: false where nobody looks at a timeline, as in a rehearsal. */
  constructor(plan: CanaryPlan, rules: CanaryStageRules, keepsPoints = true) {
    this.plan = plan;
    this.rules = rules;
    this.keepsPoints = keepsPoints;
    this.tally = new StageTally(rules);
  }

  /** Counts an outcome, and looks where it is time to. */
  take(outcome: Counted & Pick<CanaryOutcome, 'id' | 'atMs'>): StageDecision {
    const { tally, plan } = this;
    tally.add(outcome);
    if (outcome.arm === 'baseline') return HOLD;
    if (this.firstMs.length < FIRST) {
      this.firstMs.push(outcome.atMs);
      this.firstMs.sort((a, b) => a - b);
    }
    this.latestMs = Math.max(this.latestMs, outcome.atMs);
    if (outcome.passed === false) {
      if (this.failing.length === MOST_NAMED) this.failing.shift();
      this.failing.push(outcome.id);
    }
    const { judged } = tally.candidate;
    const isLast = tally.candidate.outcomes >= this.rules.maxOutcomes;
    const isLook = (outcome.passed !== null && judged % plan.lookEvery === 0) || isLast || this.isOverdue();
    if (!isLook) return HOLD;
    if (this.keepsPoints) this.addPoint();
    return this.decide();
  }

  /** Whether all that was counted still meets every criterion, also what came behind the last look. */
  get isReady(): boolean {
    return this.meetsAll(standings(this.tally, this.rules, this.plan, 'decision'));
  }

  /** What keeps it from being promoted, by name. */
  waiting(): readonly (CanaryMeasure | 'outcomes' | 'hours')[] {
    const open = standings(this.tally, this.rules, this.plan).filter(([, state]) => state !== 'met');
    return [
      ...(this.tally.candidate.judged < this.rules.minOutcomes ? (['outcomes'] as const) : []),
      ...(this.hours() < this.rules.minHours ? (['hours'] as const) : []),
      ...open.map(([measure]) => measure),
    ];
  }

  /**
   * Hours that the candidate was in it, from the middle one of its first outcomes on. What the baseline did before says
   * nothing of that, and clocks that go back, or were never set, do not make it longer.
   */
  hours(): number {
    const begin = this.begin();
    return begin === undefined ? 0 : Math.max(0, this.latestMs - begin) / HOUR_MS;
  }

  private begin(): number | undefined {
    return this.firstMs[Math.floor(this.firstMs.length / 2)];
  }

  report(state: CanaryStageReport['state']): CanaryStageReport {
    const { rules, tally, points } = this;
    const begin = this.begin();
    return {
      rules,
      state,
      candidate: tally.candidate.counts(),
      baseline: tally.baseline.counts(),
      criteria: criteriaOf(tally, rules, this.plan),
      points: [...points, ...(points.at(-1)?.outcomes === tally.candidate.judged ? [] : this.point())],
      from: begin === undefined ? null : new Date(begin).toISOString(),
      to: begin === undefined ? null : new Date(this.latestMs).toISOString(),
    };
  }

  private decide(): StageDecision {
    const { tally, rules } = this;
    const states = standings(tally, rules, this.plan, 'decision');
    const broken = states.find(([, state]) => state === 'broken');
    if (broken !== undefined) return { kind: 'rollback', code: CODE_OF[broken[0]] };
    if (this.meetsAll(states)) return READY;
    if (tally.candidate.outcomes >= rules.maxOutcomes || this.isOverdue())
      return { kind: 'rollback', code: 'MAX_HOLD' };
    return HOLD;
  }

  private meetsAll(states: ReturnType<typeof standings>): boolean {
    return (
      this.tally.candidate.judged >= this.rules.minOutcomes &&
      this.hours() >= this.rules.minHours &&
      states.every(([, state]: readonly [CanaryMeasure, CriterionState]) => state === 'met')
    );
  }

  private isOverdue(): boolean {
    return this.rules.maxHours !== null && this.hours() > this.rules.maxHours;
  }

  private addPoint(): void {
    const last = this.points.at(-1);
    if (last !== undefined && this.tally.candidate.judged < last.outcomes * NEXT_POINT) return;
    this.points.push(...this.point());
  }

  private point(): readonly CanaryPoint[] {
    const { candidate, costs } = this.tally;
    const { level, maxCostPerOutcome } = this.plan;
    const bounds = confidenceSequence(candidate.judged, candidate.passed, level);
    if (bounds === null) return [];
    const ends = ratioSequence(costs, { mostCost: maxCostPerOutcome ?? 0, confidence: level });
    return [
      {
        outcomes: candidate.judged,
        value: candidate.passed / candidate.judged,
        low: bounds[0],
        high: bounds[1],
        cost: ends === null ? null : [costs.passed === 0 ? null : costs.cost / costs.passed, ends[0], ends[1]],
      },
    ];
  }
}

const CODE_OF: Readonly<Record<CanaryMeasure, CanaryReasonCode>> = {
  pass_rate: 'PASS_RATE',
  pass_hat_k: 'PASS_HAT_K',
  drop: 'DROP',
  cost_per_success: 'COST',
  slow: 'SLOW',
  // Errors never break a stage.
  errors: 'MAX_HOLD',
};
