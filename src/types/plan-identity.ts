import type { StopRule } from './stop-early.ts';

/**
 * What the results of a run depend on, as digests: equal identities mean equal results of pure programs, in any clone
 * of the scenarios and on any machine. Holds no absolute path, no clock and no name of a machine.
 */
export interface PlanIdentity {
  /** Version of passk: another one may count otherwise. */
  readonly passk: string;
  /** The suite's seed; scenarios with a seed of their own keep it in their digest. */
  readonly seed: number;
  readonly bail: number;
  /** What may end scenarios early; absent: nothing. Then results stand block by block. */
  readonly stopEarly?: StopRule;
  /** What the user granted, as flags; paths are relative to the working directory. Absent: nothing. */
  readonly grants?: readonly string[];
  /** Modules of the user, in loading order: file name, and digest of the file's bytes. */
  readonly plugins: readonly { readonly name: string; readonly digest: string }[];
  /**
   * Modules that scenarios name, such as agents, in order of their names: file from the root of the suite, and digest of its
   * bytes. What they import is not among them. Absent: none is named.
   */
  readonly modules?: readonly { readonly name: string; readonly digest: string }[];
  /** In plan order; the digest covers everything a worker is given of the scenario, seed words and trials included. */
  readonly scenarios: readonly ScenarioIdentity[];
}

export interface ScenarioIdentity {
  readonly name: string;
  readonly file: string;
  readonly trials: number;
  readonly digest: string;
}
