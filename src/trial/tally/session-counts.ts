import { ODD_ANSWERS, type SessionFacts } from '../../types/session.ts';
import type { SessionTrail } from '../../types/sessions/session-trail.ts';
import { type SimulatedUser, USER_RULES } from '../../types/sessions/session-user.ts';
import type { CounterName } from '../../types/trial.ts';
import { addInto } from '../../values/add-into.ts';
import { zeros } from '../../values/zeros.ts';

/** Counters of models: nobody but the subject knows them, unless passk asks or answers for its model. */
export const TOLD_BY_AGENTS: readonly CounterName[] = ['llmCalls', 'llmTokens', 'promptTokens', 'completionTokens'];

/** Counters of a session of which passk knows them all, be they nothing. */
export const ALL_TOLD: Readonly<Partial<Record<CounterName, number>>> = Object.fromEntries(
  TOLD_BY_AGENTS.map((name) => [name, 0]),
);

/** What sessions did on their way. Merges as the tally does. */
export class SessionCounts {
  /** Trials that reached each sub-goal. */
  readonly reached: number[];
  /** Trials by how many sub-goals held at one time at most, from none to all. */
  readonly most: number[];
  /** Calls of tools, and those of them that fit a tool. */
  readonly calls: number[] = zeros(2);
  /** Trials that users played by models spoilt, by position in `USER_RULES`. */
  readonly spoilt: number[] = zeros(USER_RULES.length);
  /** Of such users, whatever became of the trial: trials, answers, tokens asked and answered. */
  readonly played: number[] = zeros(4);
  /** Trials whose agents told each counter of models, by position in `TOLD_BY_AGENTS`, and trials whose agents did not. */
  readonly telling: number[] = zeros(TOLD_BY_AGENTS.length);
  readonly silent: number[] = zeros(TOLD_BY_AGENTS.length);
  /** Judged trials in which a mutation changed something, those of them that passed, and judged trials in which it changed nothing. */
  readonly mutated: number[] = zeros(3);
  /** Trials that passed although the user heard such an answer, by position in `ODD_ANSWERS`. */
  readonly passedOdd: number[] = zeros(ODD_ANSWERS.length);
  /** The calls of the lowest passing trial, and of the lowest failing one; null: there is none. */
  passedTrail: SessionTrail | null = null;
  failedTrail: SessionTrail | null = null;

  constructor(goals: number) {
    this.reached = zeros(goals);
    this.most = zeros(goals + 1);
  }

  /** Adds a session that was judged, with so many calls. */
  add({ progress, validCalls, ...facts }: SessionFacts, calls: number, passed: boolean): void {
    if (passed)
      for (const [at, kind] of ODD_ANSWERS.entries()) if (facts[kind] !== undefined) countUp(this.passedOdd, at, 1);
    countUp(this.calls, 0, calls);
    countUp(this.calls, 1, validCalls);
    countUp(this.most, progress?.most ?? 0, 1);
    for (const [at, { turn }] of (progress?.goals ?? []).entries()) if (turn !== null) countUp(this.reached, at, 1);
  }

  /** Adds what a session tells of its agent's models: nothing where its worker was lost. */
  tell(counters: Readonly<Partial<Record<CounterName, number>>>): void {
    for (const [at, name] of TOLD_BY_AGENTS.entries()) {
      countUp(counters[name] === undefined ? this.silent : this.telling, at, 1);
    }
  }

  /** True: no trial told it, so that nobody knows it. One that does not beside others that do has asked no model. */
  isUntold(name: CounterName): boolean {
    const at = TOLD_BY_AGENTS.indexOf(name);
    return (this.telling[at] ?? 0) === 0 && (this.silent[at] ?? 0) > 0;
  }

  /** Trials that told no tokens beside others that did. */
  get silentTrials(): number {
    const at = TOLD_BY_AGENTS.indexOf('llmTokens');
    return (this.telling[at] ?? 0) === 0 ? 0 : (this.silent[at] ?? 0);
  }

  /** Adds a judged trial with so many messages that a mutation changed. */
  addMutated(messages: number, passed: boolean): void {
    countUp(this.mutated, messages > 0 ? 0 : 2, 1);
    if (messages > 0 && passed) countUp(this.mutated, 1, 1);
  }

  /** Adds a user that a model played, whether the trial was judged or spoilt. */
  addUser({ broke, calls, promptTokens, completionTokens }: SimulatedUser): void {
    if (broke !== null) countUp(this.spoilt, USER_RULES.indexOf(broke), 1);
    addInto(this.played, [1, calls, promptTokens, completionTokens]);
  }

  /** Keeps the calls of a trial that was judged, where it is the lowest of its verdict so far. */
  keepTrail(passed: boolean, trial: number, trailOf: () => SessionTrail): void {
    const earlier = passed ? this.passedTrail : this.failedTrail;
    if (earlier !== null && earlier.trial <= trial) return;
    if (passed) this.passedTrail = trailOf();
    else this.failedTrail = trailOf();
  }

  merge(other: SessionCounts): void {
    addInto(this.reached, other.reached);
    addInto(this.most, other.most);
    addInto(this.calls, other.calls);
    addInto(this.spoilt, other.spoilt);
    addInto(this.played, other.played);
    addInto(this.mutated, other.mutated);
    addInto(this.telling, other.telling);
    addInto(this.silent, other.silent);
    addInto(this.passedOdd, other.passedOdd);
    this.passedTrail = lower(this.passedTrail, other.passedTrail);
    this.failedTrail = lower(this.failedTrail, other.failedTrail);
  }
}

function lower(one: SessionTrail | null, other: SessionTrail | null): SessionTrail | null {
  if (one === null || other === null) return one ?? other;
  return other.trial < one.trial ? other : one;
}

function countUp(counts: number[], at: number, amount: number): void {
  counts[at] = (counts[at] ?? 0) + amount;
}
