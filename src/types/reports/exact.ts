import type { Amount, Count, Proportion } from '../numbers.ts';
import type { CounterName, SubjectStatus } from '../trial.ts';

/**
 * What enumerating every sequence of model answers gave. Chances are those of the sampler: a variant's share is a whole
 * number of 2^32 parts. They are summed without rounding; each number here is rounded once, to the nearest double.
 */
export interface ExactReport {
  /** Sequences of answers that a trial can get; a turn that is never asked makes none. */
  readonly leaves: Count;
  /** The chance that a trial passes. */
  readonly passRate: Proportion;
  /** The same as a fraction in lowest terms, such as `7/8`; null where that takes more than 80 characters. */
  readonly passRateFraction: string | null;
  /** The chance that the harness fails in a trial: it does not pass, and says nothing about the subject. */
  readonly brokenRate: Proportion;
  /** The chance that k independent trials all pass, for listed k. */
  readonly passHatK: readonly {
    /** How many trials in a row must pass. */
    readonly k: Count;
    /** The chance of that. */
    readonly value: Proportion;
  }[];
  /** Expected tokens of a trial over the chance that it passes; null when none can. */
  readonly costPerSuccess: Amount | null;
  /** Expected model calls of a trial over the chance that it passes; null when none can. */
  readonly callsPerSuccess: Amount | null;
  /** Expected per trial. */
  readonly counters: Readonly<Record<CounterName, Amount>>;
  /** The chance of each ending. */
  readonly statuses: Readonly<Record<SubjectStatus, Proportion>>;
  /** The chance that each check fails, likeliest first; those that never do are left out. */
  readonly checks: readonly {
    /** The check's name. */
    readonly check: string;
    /** The chance that it fails. */
    readonly chance: Proportion;
  }[];
  /** The minimal failing sequences, likeliest first; at most 20. */
  readonly failing: readonly FailingAnswers[];
  /** All of them. */
  readonly failingSequences: Count;
}

/** True: no sequence of answers fails or breaks. */
export function neverFails({ failingSequences, brokenRate }: ExactReport): boolean {
  return failingSequences === 0 && brokenRate === 0;
}

/**
 * Answers after which every trial fails, whatever it is answered next, while without the last of them some trial passes
 * or breaks. Such sequences exclude each other, and their chances add up to that of failing.
 */
export interface FailingAnswers {
  /** In the order given; []: every trial fails. */
  readonly answers: readonly ServedAnswer[];
  /** The chance of these answers. */
  readonly chance: Proportion;
  /** Leaves that begin so. */
  readonly leaves: Count;
  /** Checks that fail in some of them, in the scenario's order. */
  readonly checks: readonly string[];
  /** The first of them, for `passk trace --sampler exhaustive --trial`. */
  readonly leaf: Count;
}

/** One answer where there was a choice. */
export interface ServedAnswer {
  /** What reports call the turn. */
  readonly turn: string;
  /** How often the turn had been served before in the trial. */
  readonly occurrence: Count;
  /** Position among the turn's variants. */
  readonly variant: Count;
}

/** More sequences of answers than this are not enumerated. */
export const MAX_LEAVES = 1_000_000;
