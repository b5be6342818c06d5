import type { GateVerdict } from './gate.ts';
import type { GeneratedSetHash } from './generated/generated-set.ts';
import type { Amount, Count, Proportion } from './numbers.ts';
import type { ScenarioReport } from './scenario-report.ts';
import type { Sampler } from './scenario.ts';

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
  readonly durationMs: Amount;
  /** Version of passk that ran. */
  readonly passk: string;
  readonly seed: Count;
  readonly verdict: GateVerdict;
  /** In plan order. */
  readonly scenarios: readonly HistoryScenario[];
  /** Sets that were generated, by their hashes; absent: none. */
  readonly generated?: readonly GeneratedSetHash[];
}

export interface HistoryScenario {
  readonly name: string;
  readonly file: string;
  readonly verdict: ScenarioReport['verdict'];
  readonly seed: Count;
  readonly sampler: Sampler;
  /** SHA-256 of what was run, apart from trials, seed, sampler, bar and file name; null: it did not load. */
  readonly digest: string | null;
  /** Trials that were judged: passed, failed and broken. */
  readonly trials: Count;
  readonly passed: Count;
  readonly broken: Count;
  /** Trials beside these that a simulated user spoilt, as many as its file allows; absent: none. */
  readonly spoilt?: Count;
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
  readonly run: HistoryRun;
}

/** What two runs of a scenario must share for their rates to be comparable. */
export const HISTORY_CHANGES = ['scenario', 'sampler', 'seed', 'passk'] as const;

export type HistoryChange = (typeof HISTORY_CHANGES)[number];

/** One scenario over the runs that have it. */
export interface HistoryTrend {
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
  readonly flips: { readonly total: number; readonly unchanged: number };
  /** Oldest first; never empty. */
  readonly points: readonly HistoryPoint[];
}

export interface HistoryPoint
  extends Pick<
    HistoryScenario,
    'verdict' | 'trials' | 'passed' | 'broken' | 'spoilt' | 'passRate' | 'interval' | 'tokens' | 'costPerSuccess'
  > {
  /** The run it stems from. */
  readonly run: string;
  readonly startedAt: string;
  /** What differs from the point before, so that their rates compare only so far; [] for the first run of all. */
  readonly changed: readonly HistoryChange[];
}
