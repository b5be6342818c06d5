import type { Amount, Count, Proportion } from '../numbers.ts';

/** What grows from rung to rung: the text that a subject gets, what it may do at a time, or the tokens that it may spend. */
export const LADDER_KINDS = ['context', 'concurrency', 'budget'] as const;
export type LadderKind = (typeof LADDER_KINDS)[number];

/** What is measured against the length of a context, as a mean over trials. */
export const LADDER_MEASURES = ['tokens', 'steps', 'calls', 'virtual_ms'] as const;
/** `real_ms`: of sessions that wait for an agent. It is a matter of `timing`, so that no rung has a value. */
export type LadderMeasure = (typeof LADDER_MEASURES)[number] | 'real_ms';

/** Where a scenario stands on a ladder. */
export interface LadderRung {
  /** Name of the ladder: that of its file, of sessions that of the agent on the task. */
  readonly of: string;
  /** The kind of the ladder. */
  readonly kind: LadderKind;
  /** What is measured: of concurrency `virtual_ms`, of budgets `tokens`; of sessions `real_ms`, and `calls` of tools or `tokens`. */
  readonly measure: LadderMeasure;
  /** Characters, children or sessions at a time, tokens or calls. */
  readonly rung: Count;
}

/** What became of the scenarios of one ladder. */
export interface LadderReport {
  /** The name of the ladder. */
  readonly ladder: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  /** The kind of the ladder. */
  readonly kind: LadderKind;
  /** What is measured at each rung. */
  readonly measure: LadderMeasure;
  /** From the lowest rung to the highest. */
  readonly rungs: readonly LadderRungReport[];
  /**
   * Of `context`: the rung from which the measure grows faster than the context for two steps in a row, a local slope above
   * 1.1. Of `concurrency`: the plateau, the lowest rung that no higher one beats by more than 5 %. Null: there is none, or the
   * measured rungs do not tell; always null for `budget`.
   */
  readonly threshold: Count | null;
  /** True: trials of the lowest rung failed and none passed, so that the ladder says nothing of what comes above. */
  readonly failsAtFirst: boolean;
}

export interface LadderRungReport {
  /** The rung: characters, sessions or children at a time, tokens or calls. */
  readonly rung: Count;
  /** Name of its scenario. */
  readonly scenario: string;
  /** The share of trials that passed; null: none ran. */
  readonly passRate: Proportion | null;
  /** Mean over trials; null: nothing of it was run, no trial passed, or it is not known. */
  readonly value: Amount | null;
  /**
   * Of `context`: ln(value / value before) / ln(rung / rung before); null: it has none. Of `concurrency`: runs in a second of
   * virtual time. Of `budget`: value / rung, the share of the budget that was spent.
   */
  readonly figure: number | null;
  /**
   * Trials that time or the limit of steps ended: nothing of what the ladder limits did. Of budgets of sessions: time, or an agent
   * that gave no answer.
   */
  readonly runaways: Count;
}

/** What the clock said of a ladder on which an agent is asked more and more at a time. */
export interface TimedLadder {
  /** The name of the ladder. */
  readonly ladder: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  /** From the lowest rung to the highest, without those on which no trial passed. */
  readonly rungs: readonly {
    /** The rung: characters, sessions or children at a time, tokens or calls. */
    readonly rung: Count;
    /** Name of its scenario. */
    readonly scenario: string;
    /** Sessions that ran. */
    readonly sessions: Count;
    /** From the first question to the last answer. */
    readonly durationMs: Amount;
    /** Sessions that ended per second. */
    readonly sessionsPerSecond: Amount;
    /** Messages that waited for an answer at the same time, at most. */
    readonly mostAtOnce: Count;
  }[];
  /** The lowest rung that no higher one beats by more than 20 %; null: there is none, or some rung was not measured. */
  readonly plateau: Count | null;
}
