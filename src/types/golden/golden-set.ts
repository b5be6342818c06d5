import type { Baseline } from '../baseline.ts';
import type { GateVerdict } from '../reports/gate.ts';
import type { Amount, Count } from '../numbers.ts';
import type { TrialRecord } from '../record.ts';
import type { Sha256 } from '../release/trial-line.ts';

export const GOLDEN_SCHEMA = 'passk-golden/2';

/** Tasks that candidates are held to, by what stands in their files, and the runs that they are compared with. */
export interface GoldenSet {
  readonly schema: typeof GOLDEN_SCHEMA;
  /** Version of passk that ran. */
  readonly passk: string;
  /** Of the names and hashes of all files. */
  readonly hash: Sha256;
  /** By name. */
  readonly files: readonly GoldenFile[];
  readonly seed: Count;
  /** Trials of each task; null: as many as its file says. */
  readonly trials: Count | null;
  /** The file whose agents ran; null: those of the set. */
  readonly agents: { readonly file: string; readonly sha256: Sha256 } | null;
  /** One or more of the same agents. The first is what candidates are compared with; the others say what chance does. */
  readonly runs: readonly GoldenRun[];
  /** How these runs compared with those before them; null: they were pinned with the set. */
  readonly judged: GoldenJudged | null;
  /** Who made these runs the baseline, and why; null: they were pinned with the set, or are a candidate's. */
  readonly accepted: GoldenAcceptance | null;
  /** SHA-256 of all the rest: it shows that somebody edited the file, and is no signature. */
  readonly seal: Sha256;
}

export interface GoldenFile {
  /** Relative to the folder of the golden set, with `/`. */
  readonly name: string;
  readonly sha256: Sha256;
  /** `tasks`: it is run; `read`: files of tasks name it. */
  readonly kind: 'tasks' | 'read';
}

export interface GoldenRun {
  /** As `--save-baseline` writes it. */
  readonly baseline: Baseline;
  /** In plan order. */
  readonly tasks: readonly GoldenTask[];
}

export interface GoldenTask {
  readonly name: string;
  readonly file: string;
  /** Trials that passed or failed. */
  readonly trials: Count;
  readonly passed: Count;
  readonly broken: Count;
  /** Of these trials; null: not all of them are told. */
  readonly tokens: Count | null;
  /** Dollars of these trials; null: not all of it is priced. */
  readonly usd: Amount | null;
  /** By trial, a digest of its calls; null: the trial is broken, or no session. */
  readonly calls: readonly (string | null)[];
  /** What was said and done in its first trials; absent: it is of a further run, or each trial is broken. */
  readonly records?: GoldenRecords;
}

/** Trials in full, with credentials hidden, long texts cut, and without what they cost. */
export interface GoldenRecords {
  /** The first trial that passed; null: none did. */
  readonly passed: TrialRecord | null;
  /** The first that failed; null: none did. */
  readonly failed: TrialRecord | null;
}

export interface GoldenJudged {
  readonly verdict: GateVerdict;
  /** Names of tasks. */
  readonly regressions: readonly string[];
  /** Of the golden set that they were compared with. */
  readonly pin: Sha256;
  /** True: their answers are those of a cassette, whoever gave them; absent: the agents gave them. */
  readonly isReplayed?: true;
}

export interface GoldenAcceptance {
  readonly reason: string;
  /** Null: nobody says. */
  readonly by: string | null;
  readonly at: string;
  /** True: it had not passed, or its answers were those of a cassette. */
  readonly isForced: boolean;
}
