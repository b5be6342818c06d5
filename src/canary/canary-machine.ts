import { hashText } from '../random/draw.ts';
import type { CanaryPlan } from '../types/canary/canary-plan.ts';
import {
  CANARY_SCHEMA,
  type CanaryReason,
  type CanaryReasonCode,
  type CanaryRelease,
  type CanaryReport,
  type CanaryTransition,
  type RefusalCode,
} from '../types/canary/canary-report.ts';
import type { CanaryOutcome } from '../types/canary/outcome.ts';
import { VERSION } from '../version.ts';
import { canaryMessage, waitingTexts } from './canary-texts.ts';
import { CanaryStage } from './canary-stage.ts';
import { readOutcome, readUnread, type UnreadOutcome } from './read-outcome.ts';

/** A clock may be ahead of the reader's by so much. */
const AHEAD_MS = 5 * 60_000;

/**
 * The rollout of a candidate: its stages one after the other, as a fold over outcomes. Reads no clock and no file, so that the
 * same outcomes in the same steps always give the same report.
 *
 * A candidate is taken back at once, and promoted at the end of a step: nobody could have served more traffic before.
 */
export class CanaryMachine {
  private readonly plan: CanaryPlan;
  private readonly stages: readonly CanaryStage[];
  private place = 0;
  private isReady = false;
  private state: CanaryReport['state'] = 'running';
  private decision: CanaryReport['decision'] = 'none';
  private isInStep = false;
  private readonly transitions: CanaryTransition[] = [];
  private reasons: readonly CanaryReason[] = [];
  /** What was counted, by arm and id, with a hash of what it said. */
  private readonly seen = new Map<string, number>();
  /** Lines that cannot be read, by arm and id or by their text, with the stage that counts them; null: none does. */
  private readonly unread = new Map<string, CanaryStage | null>();
  private readonly refused = new Map<RefusalCode, number>();
  private counted = 0;
  private outOfOrder = 0;
  private violations = 0;
  /** The latest time of an outcome that counts, and that at which the stage began. */
  private latestMs = Number.NEGATIVE_INFINITY;
  private stageBeganMs = Number.NEGATIVE_INFINITY;

  constructor(plan: CanaryPlan, keepsPoints = true) {
    this.plan = plan;
    this.stages = plan.stages.map((rules) => new CanaryStage(plan, rules, keepsPoints));
  }

  /** Counts the outcome in a line, or says why it is set aside. `nowMs`: the clock of the reader. */
  take(line: string, nowMs: number): RefusalCode | null {
    const outcome = readOutcome(line);
    if (typeof outcome !== 'string') return this.takeOutcome(outcome, nowMs);
    this.beginStep();
    this.takeUnread(line, outcome, nowMs);
    return this.refuse(outcome);
  }

  /** The same of an outcome that was read. */
  takeOutcome(outcome: CanaryOutcome, nowMs: number): RefusalCode | null {
    this.beginStep();
    const problem = this.problemOf(outcome, nowMs);
    if (problem !== null) return this.refuse(problem);
    const name = nameOf(outcome);
    const said = hashOf(outcome);
    const before = this.seen.get(name);
    if (before !== undefined) return this.refuse(before === said ? 'double' : 'contradiction');
    this.seen.set(name, said);
    // What hurts somebody counts wherever and whenever it happened.
    const isHarm = this.takesBack(outcome);
    const misplaced = this.misplaced(outcome);
    if (misplaced !== null) {
      if (isHarm !== null && this.state !== 'rolled_back') this.rollback(isHarm, outcome);
      return this.refuse(misplaced);
    }
    this.counted += 1;
    // The same outcome came before, in a line that could not be read.
    const unread = this.unread.get(name);
    if (unread !== undefined && unread !== null) unread.tally.unread -= 1;
    this.unread.delete(name);
    if (outcome.atMs < this.latestMs) this.outOfOrder += 1;
    this.latestMs = Math.max(this.latestMs, outcome.atMs);
    const stage = this.stage();
    const decision = stage.take(outcome);
    if (isHarm !== null) this.rollback(isHarm, outcome);
    else if (decision.kind === 'rollback') this.rollback(decision.code, outcome);
    else if (decision.kind === 'ready') this.isReady = true;
    return null;
  }

  /** True: the same outcome was counted or set aside before, so that its line adds nothing but one to the doubles. */
  repeats(line: string): boolean {
    const outcome = readOutcome(line);
    return typeof outcome !== 'string' && this.seen.get(nameOf(outcome)) === hashOf(outcome);
  }

  /** Counts lines that repeat others. */
  takeDoubles(count: number): void {
    for (let i = 0; i < count; i++) this.refuse('double');
  }

  /** Ends a step: here the candidate is promoted. */
  endStep(): void {
    this.beginStep();
    this.isInStep = false;
    if (this.state !== 'running') return;
    // A look that was ready says nothing of what the same step brought behind it, such as errors of the harness.
    this.isReady = this.isReady && this.stage().isReady;
    if (!this.isReady) {
      this.decision = 'hold';
      return;
    }
    this.decision = 'promote';
    this.isReady = false;
    this.stageBeganMs = this.latestMs;
    const next = this.stages[this.place + 1];
    const from = this.stage().rules.percent;
    this.addTransition(from, next?.rules.percent ?? from, { atMs: this.latestMs, reasons: [] });
    if (next === undefined) this.state = 'released';
    else this.place += 1;
  }

  report(configuration: string, release: CanaryRelease | null = null): CanaryReport {
    const { plan, place, state } = this;
    const stageState = (at: number) => {
      if (at > place) return 'ahead';
      if (at < place || state === 'released') return 'passed';
      return state === 'rolled_back' ? 'rolled_back' : 'running';
    };
    return {
      schema: CANARY_SCHEMA,
      passk: VERSION,
      configuration,
      candidate: plan.candidate,
      baseline: plan.baseline,
      tier: plan.tier,
      level: plan.level,
      release,
      state,
      percent: state === 'rolled_back' ? 0 : this.stage().rules.percent,
      decision: this.decision,
      reasons: this.reasons,
      waitsFor: state === 'running' && !this.isReady ? waitingTexts(this.stage(), plan) : [],
      stages: this.stages.map((stage, at) => stage.report(stageState(at))),
      transitions: [...this.transitions],
      counted: this.counted,
      refused: Object.fromEntries([...this.refused].sort(([one], [other]) => (one < other ? -1 : 1))),
      outOfOrder: this.outOfOrder,
      isCut: this.isInStep,
    };
  }

  /** False: its outcomes change nothing any more. */
  get isRunning(): boolean {
    return this.state === 'running';
  }

  private stage(): CanaryStage {
    const stage = this.stages[this.place];
    if (stage === undefined) throw new RangeError('A rollout without stages cannot be.');
    return stage;
  }

  private beginStep(): void {
    if (this.isInStep) return;
    this.isInStep = true;
    this.decision = 'none';
  }

  private problemOf(
    { arm, version, atMs }: Pick<CanaryOutcome, 'arm' | 'version' | 'atMs'>,
    nowMs: number,
  ): RefusalCode | null {
    const wanted = arm === 'candidate' ? this.plan.candidate : this.plan.baseline;
    if (wanted === null ? version === this.plan.candidate : version !== wanted) return 'other_version';
    return atMs > nowMs + AHEAD_MS ? 'ahead' : null;
  }

  /** What a line that cannot be read says nevertheless: a violation counts, and what may be an outcome of the stage is an error. */
  private takeUnread(line: string, code: RefusalCode, nowMs: number): void {
    const read = readUnread(line);
    const { id, arm, version } = read;
    const name = arm !== null && id !== null ? nameOf({ arm, id }) : `line ${hashText(line)}`;
    if (this.unread.has(name) || this.seen.has(name)) return;
    const atMs = read.atMs ?? nowMs;
    const isOther = arm !== null && version !== null && this.problemOf({ arm, version, atMs: nowMs }, nowMs) !== null;
    // An outcome without a verdict is none yet: a shadow has those of which nobody has said what is right.
    const counts = code !== 'no_verdict' && !isOther && this.misplaced({ atMs, percent: read.percent }) === null;
    this.unread.set(name, counts ? this.stage() : null);
    if (counts) this.stage().tally.unread += 1;
    if (isOther || version === null || !isViolation(read)) return;
    const isHarm = this.takesBack({ arm: 'candidate', violation: read.violation, costUsd: null });
    if (isHarm !== null && this.state !== 'rolled_back') this.rollback(isHarm, { id: id ?? 'without id', atMs });
  }

  private misplaced({ atMs, percent }: Pick<CanaryOutcome, 'atMs' | 'percent'>): RefusalCode | null {
    if (this.state !== 'running') return 'over';
    if (percent !== null && percent !== this.stage().rules.percent) return 'other_stage';
    return atMs < this.stageBeganMs ? 'late' : null;
  }

  private takesBack({
    arm,
    violation,
    costUsd,
  }: Pick<CanaryOutcome, 'arm' | 'violation' | 'costUsd'>): CanaryReasonCode | null {
    if (arm === 'baseline') return null;
    if (violation !== null) {
      this.violations += 1;
      if (this.violations > this.plan.maxViolations) return 'VIOLATION';
    }
    const { maxCostPerOutcome } = this.plan;
    return maxCostPerOutcome !== null && costUsd !== null && costUsd > maxCostPerOutcome ? 'RUNAWAY_COST' : null;
  }

  private rollback(code: CanaryReasonCode, { id, atMs }: Pick<CanaryOutcome, 'id' | 'atMs'>): void {
    const stage = this.stage();
    const isOwn = code === 'VIOLATION' || code === 'RUNAWAY_COST';
    const reason: CanaryReason = {
      code,
      message: canaryMessage(code, stage, this.plan),
      outcomes: isOwn ? [id] : [...stage.failing],
    };
    this.reasons = [reason];
    this.state = 'rolled_back';
    this.decision = 'rollback';
    this.isReady = false;
    this.addTransition(stage.rules.percent, null, { atMs, reasons: this.reasons });
  }

  private addTransition(
    from: number,
    to: number | null,
    { atMs, reasons }: { readonly atMs: number; readonly reasons: readonly CanaryReason[] },
  ): void {
    const outcomes = this.stage().tally.candidate.outcomes;
    this.transitions.push({ from, to, at: new Date(atMs).toISOString(), outcomes, reasons });
  }

  private refuse(code: RefusalCode): RefusalCode {
    this.beginStep();
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    return code;
  }
}

function isViolation({ arm, violation }: UnreadOutcome): boolean {
  return arm === 'candidate' && violation !== null;
}

/** In the shadow both arms answer the same request. */
function nameOf({ arm, id }: Pick<CanaryOutcome, 'arm' | 'id'>): string {
  return `${arm} ${id}`;
}

function hashOf(outcome: CanaryOutcome): number {
  return hashText(JSON.stringify(outcome));
}
