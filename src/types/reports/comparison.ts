import type { Amount, Count, Proportion } from '../numbers.ts';
import type { RecordedFile } from '../recording.ts';

export const COMPARISON_SCHEMA = 'passk-comparison/1';

/** What two sets of recorded runs of the same tasks say about each other. */
export interface ComparisonReport {
  /** Names the shape of the document. */
  readonly schema: typeof COMPARISON_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** Whether the candidate is better, worse, or neither can be told. */
  readonly verdict: ComparisonVerdict;
  /** Why, sentences. */
  readonly reasons: readonly string[];
  /** The runs that are compared with. */
  readonly baseline: ComparedSet;
  /** The runs that are compared. */
  readonly candidate: ComparedSet;
  /** Which tasks both have. */
  readonly tasks: ComparedTasks;
  /** Candidate − baseline of the pass rate: mean over the tasks of both. Null: they share no task. */
  readonly passRate: ComparedMean | null;
  /** The same of pass^k, for each k that every shared task has trials for on both sides; k = 1 is the pass rate. */
  readonly passHatK: readonly ({
    /** How many attempts at a task must all pass. */
    readonly k: Count;
  } & ComparedMean)[];
  /** Pairs of single trials, where every shared task has one on each side; null: some have more, or tasks are crossed. */
  readonly mcNemar: ComparedPairs | null;
  /** What both cost. */
  readonly cost: ComparedCost;
  /** Where differences come from; null: there are too few attempts to tell. */
  readonly variance: ComparedVariance | null;
  /** What would decide an open question; null: it is decided, or nobody can tell. */
  readonly needs: NeededEvidence | null;
  /** Tasks that differ by more than chance, then those that differ most; at most 50. */
  readonly perTask: readonly TaskDifference[];
  /** Loss that does not matter; null: none was stated. */
  readonly margin: Proportion | null;
  /** Two-sided level of every test. */
  readonly alpha: Proportion;
  /** The file in which margin and level were stated beforehand; null: they were not. */
  readonly protocol: {
    /** The file that says how is compared. */
    readonly file: string;
    /** SHA-256 of that file. */
    readonly sha256: string;
  } | null;
  /** Why something is null, by what it is. */
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * `better` and `worse`: by more than chance. `no_worse`: the loss is surely below the margin. `undecided`: these runs do
 * not tell.
 */
export type ComparisonVerdict = 'better' | 'worse' | 'no_worse' | 'undecided';

/** One of two sets of recorded runs. */
export interface ComparedSet {
  /** The name of the set. */
  readonly name: string;
  /** The format that its files are in. */
  readonly format: string;
  /** The files with their digests. */
  readonly files: readonly Omit<RecordedFile, 'inSource'>[];
  /** Tasks in the set. */
  readonly tasks: Count;
  /** Attempts at all tasks. */
  readonly trials: Count;
  /** Attempts that passed. */
  readonly passed: Count;
  /** Trials that ended by an error of their harness. */
  readonly errors: Count;
}

/** Which tasks are compared. */
export interface ComparedTasks {
  /** Tasks that both sets have. */
  readonly both: Count;
  /** Names of tasks that one side alone has, the first 20; and how many. */
  readonly onlyBaseline: {
    /** How many only the baseline has. */
    readonly count: Count;
    /** Names of the first 20. */
    readonly names: readonly string[];
  };
  /** Tasks that only the candidate has. */
  readonly onlyCandidate: {
    /** How many these are. */
    readonly count: Count;
    /** Names of the first 20. */
    readonly names: readonly string[];
  };
}

/** A mean difference over tasks, candidate − baseline. */
export interface ComparedMean {
  /** Shares, or dollars. */
  readonly baseline: Amount;
  /** Mean of the candidate. */
  readonly candidate: Amount;
  /** Candidate minus baseline. */
  readonly difference: number;
  /** 95 %, for tasks like these; null: a single task, or costs that all changed alike. */
  readonly interval: readonly [number, number] | null;
  /** Two-sided; null: a single task. */
  readonly p: Proportion | null;
  /**
   * `mcnemar`: exact, of single trials. `sign_flip`: exact, of up to 20 tasks. `paired_t`: of more. `two_way_t`: of tasks that
   * are crossed, such as user tasks × attacks, which the others take as independent.
   */
  readonly test: 'mcnemar' | 'sign_flip' | 'paired_t' | 'two_way_t' | null;
}

/** Tasks of which both sets have one attempt, compared one by one. */
export interface ComparedPairs {
  /** Tasks that both have once. */
  readonly pairs: Count;
  /** Passed in the baseline only. */
  readonly lost: Count;
  /** Of these, passed by the candidate alone. */
  readonly gained: Count;
  /** p of McNemar's exact test. */
  readonly exact: Proportion;
  /** p of McNemar's mid-p test. */
  readonly midP: Proportion;
}

/** What both sets of recorded runs cost. */
export interface ComparedCost {
  /** Dollars of one trial: mean over the tasks of both; null: not all are priced. */
  readonly perTrial: ComparedMean | null;
  /** Dollars of all trials over those that passed; null: not priced, or none passed. */
  readonly perSuccess: {
    /** Dollars for each passing trial of the baseline; null: unknown. */
    readonly baseline: Amount | null;
    /** Dollars for each passing trial of the candidate; null: unknown. */
    readonly candidate: Amount | null;
  };
}

/** Where differences come from. */
export interface ComparedVariance {
  /** Of the difference of true rates between tasks; 0 where luck explains all of it. */
  readonly tasks: Amount;
  /** Of one trial, the mean over tasks, that nothing but chance explains. */
  readonly luck: {
    /** Variance of the baseline's rate that is due to chance within tasks. */
    readonly baseline: Amount;
    /** Variance of the candidate's rate that is due to chance within tasks. */
    readonly candidate: Amount;
  };
  /** Share of the variance of the tasks' differences that luck explains. */
  readonly luckShare: Proportion | null;
}

/** With 80 % chance to tell. */
export interface NeededEvidence {
  /** The difference that is to be told from 0, or from the margin. */
  readonly difference: Amount;
  /** Tasks like these with as many trials each; null: no number of tasks. */
  readonly tasks: Count | null;
  /** Trials of each of these tasks on both sides; null: more trials of the same tasks do not decide. */
  readonly trialsPerTask: Count | null;
}

/** A task of which both sets have attempts. */
export interface TaskDifference {
  /** The task's name. */
  readonly task: string;
  /** Attempts of the baseline. */
  readonly baseline: {
    /** How many there are. */
    readonly trials: Count;
    /** How many of these passed. */
    readonly passed: Count;
  };
  /** Attempts of the candidate. */
  readonly candidate: {
    /** How many there are. */
    readonly trials: Count;
    /** How many of these passed. */
    readonly passed: Count;
  };
  /** Pass rate of the candidate minus that of the baseline. */
  readonly difference: number;
  /** Fisher's exact test. */
  readonly p: Proportion;
  /** The same, corrected for how many tasks there are (Benjamini–Hochberg). */
  readonly q: Proportion;
}
