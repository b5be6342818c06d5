import { PasskError } from '../errors.ts';
import type { TrialRecord } from '../types/record.ts';
import type { Trace } from '../types/trace.ts';
import type { TrialResult } from '../types/trial.ts';
import type { LeafWalk } from './leaf-walk.ts';
import type { ProgramInfo } from './program-info.ts';
import type { Tally } from './tally/tally.ts';
import type { TallyShape } from './tally/tally-shape.ts';

/** A compiled scenario: runs any of its trials, in any order, as often as asked, always with the same result. */
export interface TrialProgram {
  readonly info: ProgramInfo;
  readonly shape: TallyShape;
  /** True: `run` may be used. */
  readonly sync: boolean;
  newTally(): Tally;
  /**
   * Trials from … to − 1 into `tally`; synchronous, where `sync`. Never throws for what a trial does. Returns `to`.
   * Under `withWork` it may end earlier, at the trial it returns, and throws `TooMuchWork` for a trial that alone takes more
   * than half of the allowance: then the tally and the program are of no use any more.
   */
  run(from: number, to: number, tally: Tally): number;
  /** The same for any program, with at most `concurrency` trials at a time. */
  runAsync(from: number, to: number, tally: Tally, options: RunAsyncOptions): Promise<void>;
  /** Null: trials are judged while they run. */
  readonly records: RecordedTrials | null;
  /** The tree of answers from its first leaf on; only where answers are enumerated. */
  leaves(): LeafWalk;
  /** One trial again with the recorder on; where answers are enumerated, the leaf of that number. */
  inspect(trial: number): Promise<InspectedTrial>;
  /**
   * The same at once, where `sync`. Under `withWork` it throws `TooMuchWork` for what takes more. `isWhole`: the record of a
   * subject that is no workflow is not cut to a length, and its credentials are not hidden.
   */
  inspectNow(trial: number, isWhole?: boolean): InspectedTrial;
  /** Trials in this tally count from now on: what a report shows of the lowest of them, it shows of no higher one. */
  noteCounted?(tally: Tally): void;
  /** Ends what the program opened for itself in the real world. Programs that are `sync` open nothing. */
  close(): Promise<void>;
}

/** Trials whose running and judging are apart, so that each may be done where it belongs. */
export interface RecordedTrials {
  /** Runs one trial. Never rejects: a failure of the harness is a record of a broken trial. */
  record(trial: number, signal: AbortSignal): Promise<TrialRecord>;
  /**
   * Judges a trial by its record, whoever ran it, and counts it. Under `withWork` it throws `TooMuchWork` for what takes
   * more: then the tally is of no use any more.
   */
  judge(record: TrialRecord, tally: Tally): void;
}

/** Throws `INTERNAL` for a program that judges its trials while they run. */
export function recordedTrials({ records }: TrialProgram): RecordedTrials {
  if (records !== null) return records;
  throw new PasskError('INTERNAL', 'Trials of this program are judged while they run, not by their records.');
}

/** The program of a workflow. */
export interface WorkflowProgram extends TrialProgram {
  inspect(trial: number): Promise<InspectedWorkflow>;
  inspectNow(trial: number): InspectedWorkflow;
}

export interface InspectedWorkflow extends InspectedTrial {
  readonly trace: Trace;
}

/** One trial and everything that happened in it. */
export interface InspectedTrial {
  readonly result: TrialResult;
  /** Null: the subject is no workflow, so the record is all there is. */
  readonly trace: Trace | null;
  readonly record: TrialRecord;
}

export interface RunAsyncOptions {
  readonly concurrency: number;
  readonly signal?: AbortSignal;
}
