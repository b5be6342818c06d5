import type { Trace } from '../types/trace.ts';
import type { TrialResult } from '../types/trial.ts';
import type { LeafWalk } from './leaf-walk.ts';
import type { Tally, TallyShape } from './tally.ts';

/** Names behind the positions that tallies count by. */
export interface ProgramInfo {
  /** Top-level nodes in file order, then children's as `key#node`. */
  readonly nodes: readonly { readonly node: string; readonly type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly when: string | null }[];
  readonly checks: readonly string[];
  readonly turns: readonly { readonly turn: string; readonly variants: number }[];
  /** What is declared to go wrong around the subject, as `faultLabels`. */
  readonly faults: readonly string[];
}

/** A compiled scenario: runs any of its trials, in any order, as often as asked, always with the same result. */
export interface TrialProgram {
  readonly info: ProgramInfo;
  readonly shape: TallyShape;
  /** True: `run` may be used. */
  readonly pure: boolean;
  newTally(): Tally;
  /** Trials from … to − 1 into `tally`; synchronous; pure programs only. Never throws for what a trial does. */
  run(from: number, to: number, tally: Tally): void;
  /** The same for any program, with at most `concurrency` trials at a time. */
  runAsync(from: number, to: number, tally: Tally, options: RunAsyncOptions): Promise<void>;
  /** The tree of answers from its first leaf on; only where answers are enumerated. */
  leaves(): LeafWalk;
  /** One trial again with the recorder on; where answers are enumerated, the leaf of that number. */
  inspect(trial: number): Promise<InspectedTrial>;
  /** Ends what the program opened for itself in the real world. Pure programs open nothing. */
  close(): Promise<void>;
}

/** One trial and everything that happened in it. */
export interface InspectedTrial {
  readonly result: TrialResult;
  readonly trace: Trace;
}

export interface RunAsyncOptions {
  readonly concurrency: number;
  readonly signal?: AbortSignal;
}
