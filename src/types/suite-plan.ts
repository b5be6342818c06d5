import type { GateDescription, NeededTrials } from './reports/gate.ts';
import type { Issue } from './issue.ts';
import type { Amount, Count, Proportion } from './numbers.ts';

/** The plan's shape as JSON; a change that breaks readers is a new number. */
export const SUITE_PLAN_SCHEMA = 'passk-plan/1';

/** What a run would run, and what its bars and gates could tell. */
export interface SuitePlan {
  /** Names the shape of the document. */
  readonly schema: typeof SUITE_PLAN_SCHEMA;
  /** Of all scenarios. */
  readonly trials: Count;
  /** Scenarios whose trials ask anybody outside: agents, models, servers or programs. */
  readonly asking: Count;
  /** Scenarios whose trials, or judges, ask real models, which costs money. */
  readonly paying: Count;
  /** In the order of discovery; then each contract, whose bar is that of each of its cells. */
  readonly scenarios: readonly PlannedBar[];
  /** Each gate expression, in the order given. */
  readonly gates: readonly GateDescription[];
  /** All of them together; null where one bar is all there is. */
  readonly run: PlannedVerdict | null;
  /** What would most likely leave the run without a verdict. */
  readonly warnings: readonly Issue[];
}

/** How often the whole run passes. */
export interface PlannedVerdict {
  /** Sampled ones. */
  readonly scenarios: Count;
  /** Gates that are part of it. */
  readonly gates: Count;
  /** Gates and parts of the run that are not, because no chance follows from pass rates alone. */
  readonly leftOut: readonly string[];
  /** The chance that it passes when every scenario fails half as often as its strictest bar or gate allows. */
  readonly good: Proportion;
  /** The highest chance that it passes when one fails twice as often, and the others are good. */
  readonly oneBad: Proportion;
  /** Trials of each scenario for which both errors are as rare as wanted; null: no number is enough. */
  readonly needed: NeededTrials | null;
  /** What it means, in sentences. */
  readonly sentences: readonly string[];
}

/** A scenario and its bar: the higher of its own and the floor, or that every trial passes. */
export interface PlannedBar {
  /** The scenario's name. */
  readonly name: string;
  /** The scenario's file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** Trials that are to be run. */
  readonly trials: Count;
  /** What the bar can tell with so many trials. */
  readonly bar: GateDescription;
  /** What stopping early would save; null where no rates are told apart, or nothing is sampled. */
  readonly stops: PlannedStops | null;
}

/** Trials that a scenario takes on average under each rule for stopping early, by its bar alone. */
export interface PlannedStops {
  /** True pass rates: one that fails twice as often as the bar allows, and one that fails half as often. */
  readonly bad: Proportion;
  /** The pass rate of a good subject. */
  readonly good: Proportion;
  /** Until no trial can change the verdict. */
  readonly curtail: {
    /** Mean number of trials of a bad subject. */
    readonly bad: Amount;
    /** Mean number of trials of a good subject. */
    readonly good: Amount;
  };
  /** Until a sequential test decides; null: the bar has none. */
  readonly sprt: PlannedTest | null;
  /** What it means, in sentences. */
  readonly sentences: readonly string[];
}

/** What a sequential test comes to with the planned trials. */
export interface PlannedTest {
  /** What becomes of a bad subject. */
  readonly bad: PlannedTestAt;
  /** What becomes of a good subject. */
  readonly good: PlannedTestAt;
  /** Trials with which at most 5 % of runs stay undecided at either rate; null: 2^20 are not enough. */
  readonly needed: Count | null;
}

export interface PlannedTestAt {
  /** The mean number of trials until it is decided. */
  readonly meanTrials: Amount;
  /** The chance that all planned trials leave it undecided. */
  readonly undecided: Proportion;
}
