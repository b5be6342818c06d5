import type { Crossing } from './recordings/crossing.ts';
import type { TaskRow } from './recordings/task-row.ts';
import type { AsiId } from './release/origin.ts';
import type { RecordedAttack } from './sessions/recorded-attack.ts';

import type { JsonObject } from './json.ts';
import type { Amount, Count, Proportion } from './numbers.ts';

/** What becomes of runs that ended by an error of their harness. `block`: no verdict as long as there is one. */
export const ERROR_POLICIES = ['fail', 'exclude', 'block'] as const;
/** What an attempt counts as that ended by an error of its harness. */
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** Runs that another program made, each of which is read as one trial. */
export interface RecordingSubject {
  readonly kind: 'recording';
  /** The importer that reads them. */
  readonly format: string;
  /** The options of the importer, by name. */
  readonly options: Readonly<Record<string, string>>;
  /** What makes them one sample, as the source calls it; '': it says nothing. */
  readonly set: string;
  /** What they stand in. */
  readonly sources: readonly RecordedSource[];
  /** Where each stands, as `RunPlaces` writes it; files count over all sources. */
  readonly places: string;
  /** A score of at least this means success. */
  readonly passScore: number;
  /** The score that decides; null: the first that a run has. */
  readonly scorer: string | null;
  /** How runs that broke count. */
  readonly errors: ErrorPolicy;
  /** What the set tells of attacks; absent: nothing. */
  readonly attack?: RecordedAttack;
  /** Tasks of which all runs are the same one, since nobody was asked for them and nothing was drawn; absent: none. */
  readonly constantTasks?: readonly string[];
}

export interface RecordedSource {
  /** The file or folder, relative to the root of the suite, with `/`. */
  readonly name: string;
  /** The files of the source. */
  readonly files: readonly RecordedFile[];
  /** What each of its runs is read with. */
  readonly shared: JsonObject;
}

/** A file with recorded runs. */
export interface RecordedFile {
  /** Relative to the root of the suite, with `/`. */
  readonly name: string;
  /** Its name in the source. */
  readonly inSource: string;
  /** Size of the file. */
  readonly bytes: Count;
  /** Of the whole file, as hexadecimal digits. */
  readonly sha256: string;
}

/** What only recorded trials have. */
export interface RecordingFacts {
  /** Trials of the same task are attempts at the same thing. */
  readonly task: string;
  /** What the task is crossed of; absent: the source does not say that it is. */
  readonly crossed?: Crossing;
  /** The source's own number of the attempt; null: it says none. */
  readonly attempt: Count | null;
  /** The source's own name of the run; null: it says none. */
  readonly id: string | null;
  /** Where it stands: names of files and the byte at which its first piece begins. */
  readonly at: {
    /** The files that it comes from. */
    readonly files: readonly string[];
    /** Where it begins in the last of these. */
    readonly byte: Count;
  };
  /** Verdicts and measures of the source, the one that decided first. */
  readonly scores: readonly {
    /** The score's name. */
    readonly name: string;
    /** What the source says; null: nothing. */
    readonly value: number | boolean | string | null;
    /** Whether that is a pass; null: it cannot be told. */
    readonly passed: boolean | null;
    /** Why, as the source says; null: it does not. */
    readonly explanation: string | null;
  }[];
  /** From its beginning to its end; null: not told. */
  readonly durationMs: Amount | null;
  /** The calls that the source holds to be right; null: it names none. */
  readonly gold:
    | readonly {
        /** Name of the expected call. */
        readonly name: string;
        /** Arguments of the expected call. */
        readonly args: JsonObject[string];
      }[]
    | null;
  /** Texts that the source wants to be said; null: it names none. */
  readonly goldTexts: readonly string[] | null;
  /** What the source says besides; null: nothing. */
  readonly extra: JsonObject | null;
  /** Why something is not known, by what it is. */
  readonly unsaid: Readonly<Record<string, string>>;
}

/** What recorded trials are besides trials: attempts at tasks. */
export interface RecordingReport {
  /** The format that its files are in. */
  readonly format: string;
  /** What makes the runs one sample, as the source calls it; '': it says nothing. */
  readonly set: string;
  /** What the set tells of attacks, and as which categories its file counts them; absent: nothing. */
  readonly attack?: RecordedAttack & {
    /** Categories of OWASP that the attack belongs to. */
    readonly owasp: readonly AsiId[];
  };
  /** The files with their digests. */
  readonly files: readonly Omit<RecordedFile, 'inSource'>[];
  /** What attempts with an error count as, and what the other way would give. */
  readonly errors: ErrorReport;
  /** How many tasks there are. */
  readonly tasks: Count;
  /** How many tasks had which results, those with the fewest trials first. pass^k and its intervals follow from it. */
  readonly histogram: readonly TaskClass[];
  /** Trials with the number of another trial of their task: several sets may have been taken for one. */
  readonly repeated: Count;
  /** Trials of the task with the fewest and of the task with the most. */
  readonly trialsPerTask: {
    /** Attempts at the task with the fewest. */
    readonly least: Count;
    /** Attempts at the task with the most. */
    readonly most: Count;
  };
  /** Mean over tasks, for each k up to the most trials of a task. */
  readonly passHatK: readonly TaskPassHatK[];
  /** The chance that of k trials at least one passes: mean over tasks. */
  readonly passAtK: readonly {
    /** Of how many attempts at a task one must pass. */
    readonly k: Count;
    /** The chance of that. */
    readonly value: Proportion;
    /** Tasks with at least k attempts. */
    readonly tasks: Count;
  }[];
  /** Share of attempts that passed, with its error by tasks. */
  readonly passRate: ClusteredRate;
  /**
   * What all tasks are crossed of, such as user tasks and attacks: intervals know that tasks which share one are alike. Null:
   * they are not crossed, or of a single row or column.
   */
  readonly crossed: CrossedTasks | null;
  /** Null: fewer than two tasks, or one has a single trial, which shows no luck. */
  readonly variance: RecordedVariance | null;
  /** What would settle whether each bar of pass^k holds, or without a bar an interval as narrow as ± 0.05; []: nothing is open. */
  readonly needs: readonly NeededRuns[];
  /** What the attempts cost, as the source tells. */
  readonly cost: RecordedCost;
  /** The first tasks in the order of their first trials, at most 10,000. */
  readonly perTask: readonly TaskRow[];
  /** Tasks that are not among them. */
  readonly omitted: Count;
  /** Why something is not known, by what it is. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Runs that say nothing about their subject. */
export interface ErrorReport {
  /** What attempts with an error count as. */
  readonly policy: ErrorPolicy;
  /** Attempts with an error. */
  readonly count: Count;
  /** count / all trials. */
  readonly rate: Proportion;
  /** Pass rate and pass^k by the other reading (left out where they count as failures, and the other way round); null: the same. */
  readonly otherwise: {
    /** The other way of counting them. */
    readonly policy: 'fail' | 'exclude';
    /** The pass rate by that way; null: no attempt is left. */
    readonly passRate: Proportion | null;
    /** pass^k by that way. */
    readonly passHatK: readonly {
      /** How many attempts at a task must all pass. */
      readonly k: Count;
      /** The chance of that. */
      readonly value: Proportion;
      /** Tasks with at least k attempts. */
      readonly tasks: Count;
    }[];
  } | null;
}

/** Tasks with the same results. */
export interface TaskClass {
  /** Attempts at each of these tasks. */
  readonly trials: Count;
  /** How many of them passed. */
  readonly passed: Count;
  /** Of the trials: ended by errors. */
  readonly errors: Count;
  /** How many tasks are alike in this. */
  readonly tasks: Count;
}

/** pass^k over tasks, for one k. */
export interface TaskPassHatK {
  /** How many attempts at a task must all pass. */
  readonly k: Count;
  /** The chance of that. */
  readonly value: Proportion;
  /** 95 %, for tasks like these; null: fewer than two tasks. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Tasks that have so many trials. */
  readonly tasks: Count;
  /** Tasks that have fewer, and are left out. */
  readonly dropped: Count;
}

export interface CrossedTasks {
  /** Rows, such as tasks. */
  readonly rows: Count;
  /** Columns, such as attacks. */
  readonly columns: Count;
  /** Groups of tasks with means of their own; 1: there is one mean. */
  readonly strata: Count;
  /** True: the parts of the pass rate's variance came to less than 0, and the larger of rows and columns was taken. */
  readonly floored: boolean;
}

/** The pass rate of all trials, with an error that knows that trials of one task are alike. */
export interface ClusteredRate {
  /** Share of the attempts that passed. */
  readonly rate: Proportion;
  /** 95 %, for tasks like these; null: fewer than two tasks. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Standard error, by tasks; null: there are too few. */
  readonly error: Amount | null;
  /** The error if all trials were independent. */
  readonly naiveError: Amount | null;
  /** (error / naiveError)²: how many trials count as one; null where all trials agree. */
  readonly designEffect: Amount | null;
}

/** Where the spread of the tasks' pass rates comes from. */
export interface RecordedVariance {
  /** Of the true rates of tasks; 0 where luck explains all of it. */
  readonly tasks: Amount;
  /** Of one trial, the mean over tasks, that nothing but chance explains. */
  readonly luck: Amount;
  /** Share of the variance of the tasks' rates that luck explains; null: all tasks have the same rate. */
  readonly luckShare: Proportion | null;
}

/** What would settle a question that these runs leave open. */
export interface NeededRuns {
  /** The value that the question is about is pass^k; k = 1 is the pass rate, mean over tasks. */
  readonly k: Count;
  /** The gate or the bar as written, which lies within the interval of the value; null: there is none, and the width counts. */
  readonly bar: string | null;
  /** Half the width of the 95 % interval, now; a gate on an end of an interval has its own level. */
  readonly halfWidth: Amount;
  /** How narrow it has to be: the distance from the value to the bar, which is then told with a chance of 80 %, or 0.05. */
  readonly wanted: Amount;
  /** Tasks like these with as many trials each; null: no number of tasks. */
  readonly tasks: Count | null;
  /** Trials of each of these tasks; null: more trials of the same tasks alone do not settle it. */
  readonly trialsPerTask: Count | null;
  /**
   * Why `trialsPerTask` is null. `tasks_differ`: the spread is between tasks. `few_tasks`: so few tasks leave too much unseen,
   * however often they are tried. `not_known`: single trials, or pass^k for a k above 1, do not show how much is luck.
   */
  readonly why: 'tasks_differ' | 'few_tasks' | 'not_known' | null;
}

/** What the trials cost as far as their source says so. */
export interface RecordedCost {
  /** Billionths of a dollar over all trials; null: some trial is not priced. */
  readonly nanoUsd: Amount | null;
  /** Trials without a price. */
  readonly unpriced: Count;
  /** Billionths of a dollar of all trials over those that passed. */
  readonly nanoUsdPerSuccess: Amount | null;
  /** 95 %, clustered by task; an upper end of null is without limit. */
  readonly nanoUsdPerSuccessInterval: readonly [Amount, Amount | null] | null;
  /** Tokens of all trials; null: some trial does not tell them. */
  readonly tokens: Count | null;
  /** Trials that do not tell their tokens. */
  readonly uncounted: Count;
  /** Tokens of all attempts for each that passed; null: unknown. */
  readonly tokensPerSuccess: Amount | null;
}
