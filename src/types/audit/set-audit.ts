import type { Count, Proportion } from '../numbers.ts';

/** The shape of the audit; a change that breaks readers is a new number. */
export const SET_AUDIT_SCHEMA = 'passk-set-audit/1';

/** Subjects that can do nothing: they say nothing, what they were asked, a refusal, or every text that the set knows. */
export const TRIVIAL_SUBJECTS = ['null', 'echo', 'refusal', 'everything'] as const;
/** A subject that does no work. */
export type TrivialSubject = (typeof TRIVIAL_SUBJECTS)[number];

/** What subjects that can do nothing, and answers that are held to be right, make of a set of scenarios. */
export interface SetAudit {
  /** Names the shape of the document. */
  readonly schema: typeof SET_AUDIT_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** What a sound set keeps to. */
  readonly bounds: {
    /** A trivial subject may pass so many of the tasks that it was judged on. */
    readonly maxTrivial: Proportion;
    /** Globs on tools that only read; the others count as writing. */
    readonly reads: readonly string[];
  };
  /** How subjects fare that do no work. */
  readonly trivial: readonly TrivialResult[];
  /** How the tasks' gold answers fare. */
  readonly gold: GoldResult;
  /** In the order of files. */
  readonly tasks: readonly AuditedTask[];
  /** Groups of tasks whose content is the same, as their places in `tasks`. */
  readonly duplicates: readonly (readonly Count[])[];
}

/** How a subject fares that does no work. */
export interface TrivialResult {
  /** The subject that does no work. */
  readonly subject: TrivialSubject;
  /** Tasks that it was judged on. */
  readonly tasks: Count;
  /** Tasks that it passes. */
  readonly passed: Count;
  /** passed / tasks; null: it was judged on none. */
  readonly rate: Proportion | null;
  /** True: more than a sound set lets it pass. */
  readonly isTooMany: boolean;
}

/** How the gold answers of tasks fare. */
export interface GoldResult {
  /** Tasks whose gold answers could be judged. */
  readonly tasks: Count;
  /** Tasks whose gold answer passes. */
  readonly passed: Count;
  /** passed / tasks; null: there is none. */
  readonly rate: Proportion | null;
}

/** A scenario, a list of prompts of a contract, or a task of sessions or of recorded runs. */
export interface AuditedTask {
  /** The task's name. */
  readonly name: string;
  /** The file that it stands in. */
  readonly file: string;
  /** What kind of subject it is for. */
  readonly kind: 'workflow' | 'agent' | 'session' | 'recording';
  /** Why no trivial subject was judged on it; null: they were. */
  readonly notJudged: string | null;
  /** Trivial subjects that pass it. */
  readonly passedBy: readonly TrivialSubject[];
  /** `unknown`: it carries no gold answers, or no run followed them. */
  readonly gold: 'passed' | 'failed' | 'unknown';
  /** Runs that made the writing gold calls in another order, as their source judged them. */
  readonly orderOnly: {
    /** Runs that their source passed. */
    readonly passed: Count;
    /** Runs that their source failed. */
    readonly failed: Count;
  };
}
