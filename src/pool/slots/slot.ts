import type { McpUsers } from '../../trial/mcp-users.ts';
import type { GrantedWorld, KeptForRun } from '../../types/permissions.ts';
import { type Control, heartbeatOf } from '../control.ts';
import type { HostFunction } from '../host-functions.ts';
import type { RunServers } from '../served-runs.ts';
import type { FromWorker, WorkerTaskEnd, ToWorker, Work } from '../messages.ts';

/** How one piece of work ended, seen from the host. */
export type SlotEnd =
  | WorkerTaskEnd
  | {
      readonly kind: 'died';
      readonly cause: string;
      readonly how: Death;
      /** It had answered before. */
      readonly started: boolean;
      /** It had run no trial before this piece of work. */
      readonly isFresh: boolean;
    };

/**
 * It did not answer and was ended; its code ended it; it filled its heap within one trial; or it fell for any other reason,
 * which may lie outside the trial that was running: a heap that others had filled, a signal.
 */
export type Death = 'hung' | 'exited' | 'filled' | 'fell';

/** JavaScript heap of one worker, in MiB, where nobody says. */
export const HEAP_MB = 1024;

export const OUT_OF_MEMORY = 'worker ran out of memory';

export interface SlotOptions {
  readonly control: Control;
  /** Its words in the shared block. */
  readonly worker: number;
  readonly spans: Float64Array;
  readonly plugins: readonly string[];
  /** What passk may do on this machine; null: nothing. */
  readonly granted: GrantedWorld | null;
  /** Who may ask which MCP server. */
  readonly servers: readonly McpUsers[];
  /** Whose MCP servers the worker keeps for the next piece; null: all end with this one. */
  readonly keptServers: RunServers | null;
  /** Null: the plan names none. */
  readonly hostFunctions: Readonly<Record<string, HostFunction>> | null;
  readonly concurrency: number;
  /** As in `ExecutorRunOptions`; 0: run all. */
  readonly bail: number;
  readonly separate: boolean;
  readonly startTimeoutMs: number;
  /** How long the worker may be silent at what it is doing. */
  silenceLimitMs(): number;
  onMessage(message: FromWorker, answer: (message: ToWorker) => void): void;
}

/** One place for a worker: gives it work, hears from it, ends it when it does not answer. */
export interface Slot {
  readonly worker: number;
  /** Everything that the worker has posted has been handed on when this resolves; never rejects. */
  run(work: Work): Promise<SlotEnd>;
  /** Called regularly; `elapsedMs`: time since the last call in which the host itself was awake. */
  watch(elapsedMs: number): void;
  /** Ends the worker at once; a new one takes its place when there is work. */
  kill(verdict: string): void;
}

/** Where slots get their workers from, which stay warm from run to run. */
export interface WorkerSource {
  /** Each counts only its own trials in flight: they must be few enough together. */
  readonly isApart: boolean;
  open(options: SlotOptions): Slot;
  /** Ends the MCP servers that workers keep for the next piece of a run, but for those needed. Called while none of them works. */
  endServers(needed: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What a worker at work was told last of the MCP servers that it keeps. */
export class NeededServers {
  private readonly runServers: RunServers | null;
  private said: KeptForRun['needed'];

  constructor(runServers: RunServers | null) {
    this.runServers = runServers;
    this.said = runServers?.servers.needed ?? null;
  }

  /** As its task says. */
  get forTask(): KeptForRun | null {
    return this.runServers === null ? null : { run: this.runServers.run, needed: this.said };
  }

  /** What it does not know yet; null: nothing. */
  news(): ToWorker | null {
    const needed = this.runServers?.servers.needed ?? null;
    if (needed === this.said) return null;
    this.said = needed;
    return { kind: 'needed', needed };
  }
}

/** How long a worker has shown no sign of life. */
export class Silence {
  private readonly control: Control;
  private readonly worker: number;
  private lastBeat = 0;
  private silentMs = 0;

  constructor(control: Control, worker: number) {
    this.control = control;
    this.worker = worker;
  }

  reset(): void {
    this.silentMs = 0;
  }

  /** Milliseconds; 0 when it has stirred since the last call. */
  after(elapsedMs: number): number {
    const beat = heartbeatOf(this.control, this.worker);
    this.silentMs = beat === this.lastBeat ? this.silentMs + elapsedMs : 0;
    this.lastBeat = beat;
    return this.silentMs;
  }
}

/** Why a worker ended. What the host did itself counts before what the system says. */
export function deathOf(observed: {
  readonly hung: boolean;
  /** The host ended it. */
  readonly wasEnded: boolean;
  readonly hasFilled: boolean;
  readonly how: 'exited' | 'full' | null;
}): Death {
  const { hung, wasEnded, hasFilled, how } = observed;
  if (hung) return hasFilled ? 'filled' : 'hung';
  if (how === 'full' && hasFilled) return 'filled';
  return how === 'exited' && !wasEnded ? 'exited' : 'fell';
}
