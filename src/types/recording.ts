import type { AsiId } from './release/origin.ts';
import type { RecordedAttack } from './sessions/recorded-attack.ts';
import type { StateValue } from './value-test.ts';
import type { JsonObject } from './json.ts';
import type { Amount, Count, Proportion } from './numbers.ts';

/** What becomes of runs that ended by an error of their harness. `block`: no verdict as long as there is one. */
export const ERROR_POLICIES = ['fail', 'exclude', 'block'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** Runs that another program made, each of which is read as one trial. */
export interface RecordingSubject {
  readonly kind: 'recording';
  /** The importer that reads them. */
  readonly format: string;
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
  readonly errors: ErrorPolicy;
  /** What the set tells of attacks; absent: nothing. */
  readonly attack?: RecordedAttack;
}

export interface RecordedSource {
  /** The file or folder, relative to the root of the suite, with `/`. */
  readonly name: string;
  readonly files: readonly RecordedFile[];
  /** What each of its runs is read with. */
  readonly shared: JsonObject;
}

export interface RecordedFile {
  /** Relative to the root of the suite, with `/`. */
  readonly name: string;
  /** Its name in the source. */
  readonly inSource: string;
  readonly bytes: Count;
  /** Of the whole file, as hexadecimal digits. */
  readonly sha256: string;
}

/** Where a task stands in a crossed design. Tasks of one row are alike, and so are those of one column. */
export interface Crossing {
  readonly row: string;
  readonly column: string;
  /** What has a mean of its own, such as a suite; '': all tasks have one mean. */
  readonly stratum: string;
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
  readonly at: { readonly files: readonly string[]; readonly byte: Count };
  /** Verdicts and measures of the source, the one that decided first. */
  readonly scores: readonly {
    readonly name: string;
    readonly value: number | boolean | string | null;
    readonly passed: boolean | null;
    readonly explanation: string | null;
  }[];
  /** From its beginning to its end; null: not told. */
  readonly durationMs: Amount | null;
  /** The calls that the source holds to be right; null: it names none. */
  readonly gold: readonly { readonly name: string; readonly args: JsonObject[string] }[] | null;
  /** Texts that the source wants to be said; null: it names none. */
  readonly goldTexts: readonly string[] | null;
  /** What the source says besides; null: nothing. */
  readonly extra: JsonObject | null;
  /** Why something is not known, by what it is. */
  readonly unsaid: Readonly<Record<string, string>>;
}

/** What recorded trials are besides trials: attempts at tasks. */
export interface RecordingReport {
  readonly format: string;
  /** What makes the runs one sample, as the source calls it; '': it says nothing. */
  readonly set: string;
  /** What the set tells of attacks, and as which categories its file counts them; absent: nothing. */
  readonly attack?: RecordedAttack & { readonly owasp: readonly AsiId[] };
  readonly files: readonly Omit<RecordedFile, 'inSource'>[];
  readonly errors: ErrorReport;
  /** How many tasks there are. */
  readonly tasks: Count;
  /** How many tasks had which results, those with the fewest trials first. pass^k and its intervals follow from it. */
  readonly histogram: readonly TaskClass[];
  /** Trials with the number of another trial of their task: several sets may have been taken for one. */
  readonly repeated: Count;
  /** Trials of the task with the fewest and of the task with the most. */
  readonly trialsPerTask: { readonly least: Count; readonly most: Count };
  /** Mean over tasks, for each k up to the most trials of a task. */
  readonly passHatK: readonly TaskPassHatK[];
  /** The chance that of k trials at least one passes: mean over tasks. */
  readonly passAtK: readonly { readonly k: Count; readonly value: Proportion; readonly tasks: Count }[];
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
  readonly policy: ErrorPolicy;
  readonly count: Count;
  /** count / all trials. */
  readonly rate: Proportion;
  /** Pass rate and pass^k by the other reading (left out where they count as failures, and the other way round); null: the same. */
  readonly otherwise: {
    readonly policy: 'fail' | 'exclude';
    readonly passRate: Proportion | null;
    readonly passHatK: readonly { readonly k: Count; readonly value: Proportion; readonly tasks: Count }[];
  } | null;
}

/** Tasks with the same results. */
export interface TaskClass {
  readonly trials: Count;
  readonly passed: Count;
  /** Of the trials: ended by errors. */
  readonly errors: Count;
  readonly tasks: Count;
}

export interface TaskPassHatK {
  readonly k: Count;
  readonly value: Proportion;
  /** 95 %, for tasks like these; null: fewer than two tasks. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Tasks that have so many trials. */
  readonly tasks: Count;
  /** Tasks that have fewer, and are left out. */
  readonly dropped: Count;
}

export interface CrossedTasks {
  readonly rows: Count;
  readonly columns: Count;
  /** Groups of tasks with means of their own; 1: there is one mean. */
  readonly strata: Count;
  /** True: the parts of the pass rate's variance came to less than 0, and the larger of rows and columns was taken. */
  readonly floored: boolean;
}

/** The pass rate of all trials, with an error that knows that trials of one task are alike. */
export interface ClusteredRate {
  readonly rate: Proportion;
  /** 95 %, for tasks like these; null: fewer than two tasks. */
  readonly interval: readonly [Proportion, Proportion] | null;
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
   * Why `trialsPerTask` is null. `tasks_differ`: the spread is between tasks. `not_known`: single trials, or pass^k for a k
   * above 1, do not show how much is luck.
   */
  readonly why: 'tasks_differ' | 'not_known' | null;
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
  readonly tokensPerSuccess: Amount | null;
}

export interface TaskRow {
  readonly task: string;
  /** Of a set that tells of attacks: what the task is crossed of; absent: the source does not say that it is. */
  readonly crossed?: Crossing;
  readonly trials: Count;
  readonly passed: Count;
  readonly errors: Count;
  readonly nanoUsd: Amount | null;
  readonly tokens: Count | null;
}

/** In order and number, in number, none besides, all of them, all of them in order. */
export const TRAJECTORY_MATCHES = ['strict', 'unordered', 'subset', 'superset', 'in-order'] as const;
export type TrajectoryMatch = (typeof TRAJECTORY_MATCHES)[number];

export const ARGUMENT_MATCHES = ['exact', 'ignore', 'subset', 'superset'] as const;
/** How arguments are compared; a list of fields: these alone. A dot leads into an object. */
export type ArgumentMatch = (typeof ARGUMENT_MATCHES)[number] | readonly string[];

/** Where calls first leave those that are right. */
export interface Divergence {
  /** Position of the call that was not expected, or that may have been meant for the gold one; null: there is none. */
  readonly call: Count | null;
  /** Position of the gold call that was not made; null: none is missing. */
  readonly gold: Count | null;
}

/** How calls follow those that are right. */
export type TrajectoryTerms = Omit<GoldExpectation, 'counts'>;

/** How the arguments of one gold call are compared. */
export interface GoldCallTerms {
  /** Absent: as the terms say of its tool, or of all. */
  readonly args?: ArgumentMatch;
  /** Tests of places in the arguments, in place of comparing what stands there. */
  readonly where: readonly StateValue[];
}

export interface GoldExpectation {
  readonly match: TrajectoryMatch;
  readonly args: ArgumentMatch;
  /** In place of `args`, by tool. */
  readonly tools: Readonly<Record<string, ArgumentMatch>>;
  /** What single gold calls say of their arguments, by their position; absent: none says anything. */
  readonly calls?: readonly GoldCallTerms[];
  /** True: a trial that differs fails. False: it is counted. */
  readonly counts: boolean;
}
