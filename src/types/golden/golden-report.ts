import type { ComparedMean, ComparedPairs } from '../reports/comparison.ts';
import type { GateVerdict } from '../reports/gate.ts';
import type { PreferenceReport } from '../judges/preference-report.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { TrialRecord } from '../record.ts';
import type { Sha256 } from '../release/trial-line.ts';

export const GOLDEN_RUN_SCHEMA = 'passk-golden-run/1';

/** How a candidate compares with the baseline of a golden set. */
export interface GoldenReport {
  /** Names the shape of the document. */
  readonly schema: typeof GOLDEN_RUN_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** Whether the candidate may replace the baseline. */
  readonly verdict: GateVerdict;
  /** Sentences. */
  readonly reasons: readonly string[];
  /** The golden set that both were tried on. */
  readonly set: {
    /** Where the set stands, as it was named. */
    readonly file: string;
    /** SHA-256 over the pinned tasks. */
    readonly hash: Sha256;
    /** Tasks in the set. */
    readonly tasks: Count;
  };
  /** The seed of every random choice. */
  readonly seed: Count;
  /** The file with the agents of the candidate; null: those of the tasks' own files. */
  readonly agents: string | null;
  /** Where the tasks of the candidate stand, as they were named; null: the pinned files. */
  readonly paths: readonly string[] | null;
  /** What could become worse without being a regression. */
  readonly limits: GoldenLimits;
  /** Tasks that both runs judged. */
  readonly paired: Count;
  /** Names of tasks that the baseline judged and the candidate did not: each of its trials is broken. */
  readonly unjudged: readonly string[];
  /** Trials of the candidate that asked for what was never recorded. */
  readonly replayMisses: Count;
  /** Tasks that passed before and fail now, and the reverse. A task passes where more than half of its trials do. */
  readonly tasks: GoldenTasks | null;
  /** Candidate − baseline, mean over tasks: pass^1, and pass^k for the largest k up to 8 that all tasks have trials for. */
  readonly passHatK: readonly ({
    /** How many trials in a row must pass. */
    readonly k: Count;
  } & ComparedMean)[];
  /** What a trial costs, before and now. */
  readonly cost: {
    /** Dollars of a trial; null: not all of it is priced. */
    readonly usd: ComparedMean | null;
    /** Tokens of a trial; null: not all of them are told. */
    readonly tokens: ComparedMean | null;
    /** Candidate / baseline − 1 of cost per success, in dollars where they are known, else in tokens; null: it has none. */
    readonly perSuccess: number | null;
  };
  /** How many calls a trial makes, before and now; null: they cannot be counted. */
  readonly trajectory: GoldenTrajectory | null;
  /** What a judge prefers; absent: none was asked. */
  readonly preference?: PreferenceReport;
  /** How much the same candidate differs from itself; null: it was not measured. */
  readonly noise: GoldenNoise | null;
  /** Tasks and measures that became worse. */
  readonly regressions: readonly GoldenRegression[];
  /** Tasks of which another share of trials passes than before, the worst first, at most 200. */
  readonly changes: readonly GoldenChange[];
  /** Names of tasks that never failed in the baseline and did worse, which so few trials do not surely tell from chance. */
  readonly worse: readonly string[];
  /** Names of other tasks that did worse: the baseline itself fails them now and then. */
  readonly flaky: readonly string[];
  /** What is filed for the regressions, one for each. */
  readonly issues: readonly GoldenIssue[];
  /** Where issues went; null: nobody said where. */
  readonly sink: {
    /** Where issues are filed, without secrets. */
    readonly name: string;
    /** How many of them were not there before. */
    readonly filed: Count;
  } | null;
}

/** What may become worse before a candidate of a golden set fails. */
export interface GoldenLimits {
  /** Loss of pass^k that does not matter. */
  readonly margin: Proportion;
  /** Largest share of tasks lost. */
  readonly maxRegressionRate: Proportion;
  /** Largest relative rise of cost per success. */
  readonly maxCostIncrease: Amount;
  /** Largest share of answers that people find worse, less those that they find better. */
  readonly maxPreferenceLoss: Proportion;
  /** Highest chance to fail a candidate that is the baseline. */
  readonly alpha: Proportion;
  /** Tasks that the set must have. */
  readonly minTasks: Count;
}

export interface GoldenTasks extends ComparedPairs {
  /** (gained − lost) / pairs. */
  readonly difference: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
  /** Lost / pairs. */
  readonly regressionRate: Proportion;
}

/** Whether sessions make the calls that the trial of the same number made before. Decides nothing. */
export interface GoldenTrajectory {
  /** Share of trials whose calls differ, mean over tasks. */
  readonly diverged: Proportion;
  /** 95 %, for tasks like these. */
  readonly interval: readonly [number, number] | null;
  /** The same of the baseline against itself; null: it ran once. */
  readonly floor: Proportion | null;
  /** 95 % of diverged − floor; null: as above. */
  readonly beyondFloor: readonly [number, number] | null;
  /** Where the first passing trials part, of the first 20 tasks where they do. */
  readonly first: readonly {
    /** The task. */
    readonly task: string;
    /** How the trajectories differ. */
    readonly text: string;
  }[];
}

/** What the baseline does against itself. Limits are never below it. */
export interface GoldenNoise {
  /** Runs of the baseline. */
  readonly runs: Count;
  /** The largest share of tasks that one run lost against the first, or the first against it. */
  readonly regressionRate: Proportion;
  /** The largest change of the mean pass^k, up or down. */
  readonly passHatK: Proportion;
  /** The largest relative change of cost per success; null: it has none. */
  readonly cost: Amount | null;
}

/** A task whose trials pass less often than before, or oftener. */
export interface GoldenChange {
  /** The name of the task. */
  readonly task: string;
  /** The baseline's trials. */
  readonly baseline: {
    /** Trials that passed. */
    readonly passed: Count;
    /** All trials that were counted. */
    readonly trials: Count;
  };
  /** The candidate's trials. */
  readonly candidate: {
    /** Trials that passed. */
    readonly passed: Count;
    /** All trials that were counted. */
    readonly trials: Count;
  };
  /**
   * `regressed`: it stands among the regressions; `flaky`: it did worse, as the baseline itself does now and then; `worse`: it
   * did worse, and the baseline never failed it.
   */
  readonly became: 'regressed' | 'worse' | 'flaky' | 'better';
}

/** A task that the candidate does worse, by more than chance explains. */
export interface GoldenRegression {
  /** The name of the task. */
  readonly task: string;
  /** The file of the task. */
  readonly file: string;
  /** The baseline's trials. */
  readonly baseline: {
    /** Trials that passed. */
    readonly passed: Count;
    /** All trials that were counted. */
    readonly trials: Count;
  };
  /** The candidate's trials. */
  readonly candidate: {
    /** Trials that passed. */
    readonly passed: Count;
    /** All trials that were counted. */
    readonly trials: Count;
  };
  /** Of this task alone, corrected over tasks; null: chance plays no part. */
  readonly q: Proportion | null;
  /** `task`: its own trials show it. `set`: it is one of more lost tasks than chance explains. */
  readonly shownBy: 'task' | 'set';
  /** The check that its first failing trial failed; null: it failed none. */
  readonly check: string | null;
  /** Where its calls first leave those of the baseline; null: nobody kept them. */
  readonly divergence: string | null;
  /** Numbers of trials that failed, the first 20. */
  readonly trials: readonly Count[];
  /** Where it was recorded; []: it was not. */
  readonly traceIds: readonly string[];
  /** The command that shows its first failing trial; null: nothing shows it. */
  readonly replay: string | null;
  /** Identifies the regression from run to run. */
  readonly fingerprint: Sha256;
  /** A trial of the baseline, and the first that failed now; absent: nobody kept both. */
  readonly trialsBeside?: {
    /** A trial of the baseline. */
    readonly baseline: TrialRecord;
    /** A trial of the candidate that failed. */
    readonly candidate: TrialRecord;
  };
}

/** For whoever keeps track of regressions. */
export interface GoldenIssue extends Pick<GoldenRegression, 'check' | 'divergence' | 'trials' | 'traceIds' | 'replay'> {
  /** Of task, check and first diverging call: what regresses again has the same one. */
  readonly fingerprint: Sha256;
  /** `regression`: of a task; `gate`: of the set as a whole, where no task is to blame. */
  readonly kind: 'regression' | 'gate';
  /** Hash of the golden set. */
  readonly set: Sha256;
  /** Null: it is about the set as a whole. */
  readonly task: string | null;
  /** The task's file; null: the issue concerns the whole set. */
  readonly file: string | null;
  /** What regressed, in a sentence. */
  readonly message: string;
}
