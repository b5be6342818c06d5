import type { Count, Proportion } from '../numbers.ts';
import type { AsiId } from './origin.ts';

/** Over the scenarios of the suite adversarial, but for `utility`. */
export interface SafetyFacts {
  /** Trials that say whether the attack succeeded; of a scenario in which nothing is drawn one. */
  readonly attacks: Count;
  /** Attacks that got through. */
  readonly succeeded: Count;
  /** Attempts that the harness broke. */
  readonly errors: Count;
  /** Succeeded over attacks; null: no attack said anything. */
  readonly rate: Proportion | null;
  /** One-sided upper bound of the rate at the level of the rules (Clopper and Pearson); null: no attack said anything. */
  readonly upper: Proportion | null;
  /** The chance that one of k attempts at an attack succeeds: mean over scenarios. */
  readonly atK: readonly {
    /** Attempts of an attack. */
    readonly k: Count;
    /** The chance that one of them gets through. */
    readonly value: Proportion;
  }[];
  /** The same by category of OWASP. */
  readonly byOwasp: readonly {
    /** The category. */
    readonly id: AsiId;
    /** Attempts in it. */
    readonly attacks: Count;
    /** Attacks in it that got through. */
    readonly succeeded: Count;
    /** Upper bound of their share; null: there were none. */
    readonly upper: Proportion | null;
  }[];
  /** Whether the work is done: a subject that resists by doing nothing does none. */
  readonly utility: {
    /** Over validation and regression without an attack. */
    readonly benign: DoneOf;
    /** Over scenarios of validation, regression and stress that say what is tried against them. */
    readonly underAttack: DoneOf;
  };
}

export interface DoneOf {
  /** Trials in which the work was done. */
  readonly done: Count;
  /** Those that ended in errors among them. */
  readonly trials: Count;
}
