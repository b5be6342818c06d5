import type { Xoshiro128 } from '../random/xoshiro128.ts';
import type { CanaryPlan, CanaryStageRules } from '../types/canary/canary-plan.ts';
import type { AssumedCandidate } from '../types/canary/canary-rehearsal.ts';
import type { CanaryReasonCode } from '../types/canary/canary-report.ts';
import { CanaryStage, type StageDecision } from './canary-stage.ts';

const HOUR_MS = 3_600_000;

/** The traffic that a rehearsal assumes. */
export interface Traffic {
  readonly requestsPerHour: number;
  /** Hours between two steps; 0: outcomes count as they come. */
  readonly stepHours: number;
  readonly baselinePassRate: number;
}

/** How one rollout ended. */
export interface PlayedRollout {
  /** Null: it was released. */
  readonly code: CanaryReasonCode | null;
  /** The stage at which it ended, from 0. */
  readonly place: number;
  readonly hours: number;
  /** Requests that users saw the candidate answer, and those of them that failed. */
  readonly exposed: number;
  readonly failed: number;
}

/** Plays one rollout of an assumed candidate, by the rules that decide in production. */
export function playRollout(
  plan: CanaryPlan,
  {
    candidate,
    traffic,
    random,
  }: { readonly candidate: AssumedCandidate; readonly traffic: Traffic; readonly random: Xoshiro128 },
): PlayedRollout {
  const draw = (): number => (random.next() + 0.5) / 0x100000000;
  let [hours, exposed, failed, violations] = [0, 0, 0, 0];
  for (const [place, rules] of plan.stages.entries()) {
    const stage = new CanaryStage(plan, rules, false);
    const outcome = {
      id: '',
      atMs: 0,
      arm: 'candidate',
      passed: true,
      violation: null,
      costUsd: 0,
      latencyMs: 0,
      key: '',
    } as Drawn;
    // In the shadow it answers every request.
    const perHour = (traffic.requestsPerHour * (rules.percent === 0 ? 100 : rules.percent)) / 100;
    const isSeen = rules.percent > 0;
    let code: CanaryReasonCode | null = null;
    for (;;) {
      hours += 1 / perHour;
      drawOutcome(outcome, { candidate, rules, draw, mostCost: plan.maxCostPerOutcome });
      outcome.atMs = hours * HOUR_MS;
      if (isSeen) exposed += 1;
      if (isSeen && outcome.passed === false) failed += 1;
      if (outcome.violation !== null) violations += 1;
      if (rules.maxDrop !== null) answerBaseline(stage, { rules, draw, passRate: traffic.baselinePassRate });
      const decision: StageDecision = stage.take(outcome);
      if (violations > plan.maxViolations) code = 'VIOLATION';
      else if (decision.kind === 'rollback') code = decision.code;
      else if (decision.kind === 'hold') continue;
      break;
    }
    // Nobody hears of it before the next step, and traffic goes on until then.
    if (traffic.stepHours > 0) {
      const end = Math.ceil(hours / traffic.stepHours) * traffic.stepHours;
      const more = isSeen ? Math.floor((end - hours) * perHour) : 0;
      exposed += more;
      for (let i = 0; i < more; i++) if (draw() >= candidate.passRate) failed += 1;
      hours = end;
    }
    if (code !== null || place === plan.stages.length - 1) return { code, place, hours, exposed, failed };
  }
  return { code: null, place: 0, hours, exposed, failed };
}

/** An outcome that is drawn again and again, so that millions of them take no memory. */
interface Drawn {
  id: string;
  atMs: number;
  arm: 'candidate';
  passed: boolean | null;
  violation: string | null;
  costUsd: number;
  latencyMs: number;
  key: string;
}

function drawOutcome(
  outcome: Drawn,
  {
    candidate,
    rules,
    draw,
    mostCost,
  }: {
    readonly candidate: AssumedCandidate;
    readonly rules: CanaryStageRules;
    readonly draw: () => number;
    readonly mostCost: number | null;
  },
): void {
  const { passRate, errors, violations, slow, costUsd } = candidate;
  outcome.passed = errors > 0 && draw() < errors ? null : draw() < passRate;
  outcome.violation = violations > 0 && draw() < violations ? 'assumed' : null;
  if (rules.maxLatencyMs !== null) outcome.latencyMs = draw() < slow ? rules.maxLatencyMs + 1 : 0;
  if (rules.maxCostPerSuccess !== null) outcome.costUsd = drawCost(costUsd, mostCost ?? 2 * costUsd, draw);
}

/** Even between nothing and twice the mean; where that is more than an outcome can cost, all or nothing. */
function drawCost(mean: number, most: number, draw: () => number): number {
  return 2 * mean <= most ? 2 * mean * draw() : draw() < mean / most ? most : 0;
}

/** What the baseline answers meanwhile. */
function answerBaseline(
  { tally: { baseline }, tally }: CanaryStage,
  {
    rules,
    draw,
    passRate,
  }: { readonly rules: CanaryStageRules; readonly draw: () => number; readonly passRate: number },
): void {
  const share = rules.percent === 0 ? 1 : (100 - rules.percent) / rules.percent;
  // As many as go with the outcomes of the candidate, one of which is about to be counted.
  const wanted = Math.round((tally.candidate.outcomes + 1) * share);
  while (baseline.outcomes < wanted) {
    baseline.outcomes += 1;
    if (draw() < passRate) baseline.passed += 1;
  }
}
