import type { GateVerdict } from './gate.ts';
import type { GeneratedSetHash } from '../generated/generated-set.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { ScenarioReport } from './scenario-report.ts';
import type { Sampler } from '../scenario.ts';

/** The shape of a history's files; a change that breaks readers is a new number. */
export const HISTORY_FORMAT = 'passk-history/1';

/** A file of a history. */
export interface HistoryDocument {
  readonly format: typeof HISTORY_FORMAT;
  /** SHA-256 of the run as canonical JSON, which betrays damage. */
  readonly digest: string;
  readonly run: HistoryRun;
}

/** What a history keeps of one run. */
export interface HistoryRun {
  /** When the run began: ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** Milliseconds that the run took. */
  readonly durationMs: Amount;
  /** Version of passk that ran. */
  readonly passk: string;
  /** The seed of the run. */
  readonly seed: Count;
  /** The gate's verdict. */
  readonly verdict: GateVerdict;
  /** In plan order. */
  readonly scenarios: readonly HistoryScenario[];
  /** Sets that were generated, by their hashes; absent: none. */
  readonly generated?: readonly GeneratedSetHash[];
}

/** A scenario of a run that a history keeps. */
export interface HistoryScenario {
  /** The scenario's name. */
  readonly name: string;
  /** The scenario's file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** What became of it. */
  readonly verdict: ScenarioReport['verdict'];
  /** The seed of its trials. */
  readonly seed: Count;
  /** How answers were drawn. */
  readonly sampler: Sampler;
  /** SHA-256 of what was run, apart from trials, seed, sampler, bar and file name; null: it did not load. */
  readonly digest: string | null;
  /** Trials that were judged: passed, failed and broken. */
  readonly trials: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that the harness broke. */
  readonly broken: Count;
  /** Trials beside these that a simulated user spoilt, as many as its file allows; absent: none. */
  readonly spoilt?: Count;
  /** The first trials that failed, at most 3; absent: none did, or an older passk kept the run. */
  readonly failedFirst?: readonly Count[];
  /** Null: no trial was judged. */
  readonly passRate: Proportion | null;
  /** Wilson score interval, 95 %. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Mean tokens per trial. */
  readonly tokens: Amount | null;
  /** Tokens of all trials over passing ones; null when none passed. */
  readonly costPerSuccess: Amount | null;
}

/** A run as a history holds it. */
export interface KeptRun {
  /** The first 12 hexadecimal digits of the SHA-256 of its record. */
  readonly id: string;
  /** The run's head. */
  readonly run: HistoryRun;
}

/** What two runs of a scenario must share for their rates to be comparable. */
export const HISTORY_CHANGES = ['scenario', 'sampler', 'seed', 'passk'] as const;

/** What may differ between two runs of a history. */
export type HistoryChange = (typeof HISTORY_CHANGES)[number];

/** One scenario over the runs that have it. */
export interface HistoryTrend {
  /** The scenario's name. */
  readonly name: string;
  /** Of its newest run. */
  readonly file: string;
  /** When its first run in the history began. */
  readonly firstSeen: string;
  /** Runs that have it, also beyond the points that are listed. */
  readonly runs: number;
  /**
   * How often the verdict of a run differs from that of the run before; `unchanged`: between runs of the same scenario
   * with the same seed and sampler, by the same passk.
   */
  readonly flips: {
    /** How often its verdict changed from run to run. */
    readonly total: number;
    /** How often it did between such runs. */
    readonly unchanged: number;
  };
  /** Oldest first; never empty. */
  readonly points: readonly HistoryPoint[];
}

/** A scenario in one run of a history. */
export interface HistoryPoint
  extends Pick<
    HistoryScenario,
    | 'verdict'
    | 'trials'
    | 'passed'
    | 'broken'
    | 'spoilt'
    | 'failedFirst'
    | 'passRate'
    | 'interval'
    | 'tokens'
    | 'costPerSuccess'
  > {
  /** The run it stems from. */
  readonly run: string;
  /** When the run began, as ISO 8601. */
  readonly startedAt: string;
  /** What differs from the point before, so that their rates compare only so far; [] for the first run of all. */
  readonly changed: readonly HistoryChange[];
}
