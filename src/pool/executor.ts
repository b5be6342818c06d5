import type { TrialProgram } from '../trial/program.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import type { QueueWorker } from '../types/queue-worker.ts';
import type { BlockSpan } from './blocks/block-grid.ts';
import type { CallHost, HostFunction } from './host-functions.ts';
import type { KeptServers } from './kept-servers.ts';

/** Where scenarios have ended before their last block, as far as is known. */
export interface Closings {
  /** The first block of the scenario that is not needed; infinite while it goes on. */
  closedAt(scenario: number): number;
  /** Calls `listener` for every end so far and from then on, until the returned function is called. */
  onClose(listener: (scenario: number, block: number) => void): () => void;
}

/**
 * Runs the blocks of a plan anywhere, and yields the results in any order, every block exactly once.
 * An executor is warm: it may run one plan after another until it is closed.
 */
export interface Executor {
  /**
   * Ends early without an error when `signal` is aborted; throws a `PasskError` when the run cannot go on.
   * Leaving the loop stops the run.
   */
  run(plan: RunPlan, options?: ExecutorRunOptions): AsyncIterable<Delta>;
  /** Releases everything; a run in progress is stopped. */
  close(): Promise<void>;
}

export interface ExecutorRunOptions extends HasProcessCode {
  readonly signal?: AbortSignal;
  /** Called about ten times a second with numbers that never fall. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Called when workers take part in the run. */
  readonly onWorkers?: () => void;
  /** The blocks to run, ascending and without overlap; absent: all blocks of the plan. */
  readonly blocks?: readonly BlockSpan[];
  /**
   * Stop at the first failing block of the scenario that is the last of so many with one: exactly the blocks up to and
   * including it are yielded, in order (see `untilBail`). Absent or 0: run all.
   */
  readonly bail?: number;
  /** Yield each block on its own, as `bail` does. */
  readonly separate?: boolean;
  /** Scenarios that end early: blocks beyond may be left out. Needs `separate`; not for use with `bail`. */
  readonly closings?: Closings;
  /** Functions of this run by name, besides those of the executor. */
  readonly hostFunctions?: Readonly<Record<string, HostFunction>>;
  /**
   * For pieces of one run that come one after the other: workers keep the MCP servers that it says for the next piece of the
   * run, which has the same object, until another run comes or the executor is closed. Absent: servers end with this run.
   */
  readonly keptServers?: KeptServers;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** The worker processes of a queue that take part now; absent: there is no queue. */
  readonly peers?: readonly QueueWorker[];
}

/** The reason of a signal that drops trials in flight; with any other reason they may end. */
export const DROP_IN_FLIGHT: Error = new Error('What is in flight is dropped.');

/** What a program may be compiled with besides its plan. */
export interface CompileServices extends HasProcessCode {
  /** Plug-in modules as `file:` URLs, in loading order. */
  readonly plugins: readonly string[];
  /** Null: the plan names no host functions. */
  readonly callHost: CallHost | null;
  /** False: trials are only recorded, and judged elsewhere: no code of the user is loaded. Absent: true. */
  readonly judges?: boolean;
  /** False: each trial runs all of its code, and shares no work with other trials. Absent: true. */
  readonly remembersMoves?: boolean;
}

/** Makes a program from plain data; the executors take it as an argument and never look inside. */
export type CompileProgram = (plan: ScenarioPlan, services: CompileServices) => TrialProgram | Promise<TrialProgram>;

/** True: the blocks are run by the host itself, because their trials only wait. */
export function runsOnHost(plan: RunPlan, { scenario }: BlockSpan): boolean {
  return plan.scenarios[scenario]?.traits.place === 'host';
}

/**
 * True: trials may run on the calling thread, as long as each of them is short. Everything else needs a worker (decisions 3
 * and 16).
 */
export function runsInline(plan: ScenarioPlan): boolean {
  return plan.traits.place === 'here';
}
