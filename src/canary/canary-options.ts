import type { FileLayer } from '../records/file-layer.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import type { TryOptions } from '../settings/try-options.ts';
import type { CanaryReport, RefusalCode } from '../types/canary/canary-report.ts';
import type { NamedCandidate } from './assumed-candidates.ts';

/** Which rollout. */
export interface CanaryOptions {
  /** The file that says how the candidate is rolled out. */
  readonly config: string;
  /** The file with its state; default: the name of the configuration with `.state.json`. Its journal stands beside it. */
  readonly state?: string;
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
  /** Where the journal is kept; absent: the disk. */
  readonly files?: FileLayer;
}

/** Where transitions are signed. */
export interface CanaryAuditOptions {
  /** An audit log, such as that of the releases. */
  readonly log: string;
  /** The private key, as PEM. */
  readonly key: string;
}

/** Options of `canary.step()`. */
export interface StepCanaryOptions extends CanaryOptions {
  /** Absent: transitions stand in the state alone. */
  readonly audit?: CanaryAuditOptions;
  /** Files of outcomes, a line of JSON each; `-`: `input`. */
  readonly outcomes: readonly string[];
  /** Outcomes as lines of JSON, in chunks of any size. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** The clock of the reader, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** An outcome that was set aside. */
export interface SetAside {
  /** Why these outcomes were not counted. */
  readonly reason: RefusalCode;
  /** `-`: it came from the input. */
  readonly file: string;
  /** From 1, without empty lines. */
  readonly line: number;
}

export interface CanaryStep {
  readonly report: CanaryReport;
  /** Outcomes that this step read. */
  readonly read: number;
  /** The first that it set aside, but for doubles and what came after the end. */
  readonly setAside: readonly SetAside[];
}

export interface ServeCanaryOptions extends CanaryOptions {
  /** Absent: transitions stand in the state alone. */
  readonly audit?: CanaryAuditOptions;
  /** Default 0: any free one. */
  readonly port?: number;
  /** What clients must know; absent: every program of this machine may give outcomes. */
  readonly token?: string;
  /** The clock of the reader, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is rehearsed. */
export interface RehearseCanaryOptions {
  /** The file that says how the candidate is rolled out. */
  readonly config: string;
  /** Of each assumed candidate; default 1000. */
  readonly rollouts?: number;
  /** The same seed plays the same rollouts; default 0. */
  readonly seed?: number;
  /** Default 1000. */
  readonly requestsPerHour?: number;
  /** Hours between two steps; default 0: outcomes count as they come. */
  readonly stepHours?: number;
  /** Default: that of the good candidate. */
  readonly baselinePassRate?: number;
  /** Default: one that is good, one at the floor, one that is bad, one that costs too much, and one that does harm. */
  readonly candidates?: readonly NamedCandidate[];
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
  /** Ends the rehearsal early; it then rejects. */
  readonly signal?: AbortSignal;
}

/** Options of `canary.shadow()`. `agents` is the candidate; each task is tried once. */
export interface ShadowCanaryOptions extends TryOptions, Pick<RunSuiteOptions, 'paths' | 'seed'> {
  /** The file that says how the candidate is rolled out. */
  readonly config: string;
  /** The file that gets the outcomes; it must not be there. */
  readonly out: string;
  /** Names of tools that change nothing, besides those whose files say so; a call of any other may write. */
  readonly readOnly?: readonly string[];
  /** True: a write that was refused is a violation, which takes the candidate back; default: an error, which holds it. */
  readonly writesViolate?: boolean;
  /** The clock of the outcomes, in milliseconds since 1970. */
  readonly now?: () => number;
}
