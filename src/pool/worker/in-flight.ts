import { setMaxListeners } from 'node:events';
import type { TrialProgram } from '../../trial/program.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { closedAt, type Control, dropsInFlight, isAborted, isHeld } from '../control.ts';
import { clearInFlight, publishInFlight } from '../in-flight-table.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { whyRetired } from './retired-worker.ts';

/** How long what is in flight may take to end after a run was stopped. */
export const ENDING_MS = 5000;
/** How long trials that were told to end are waited for. */
const DROP_MS = 250;

export interface InFlightOptions {
  readonly control: Control;
  readonly worker: number;
  /** Blocks at a time. */
  readonly most: number;
  /** Runs a block to its end; null: nothing of it counts. */
  run(begun: BegunBlock, signal: AbortSignal): Promise<BlockEnd | null>;
  /** A block has begun or ended. */
  changed(): void;
  finished(begun: BegunBlock, end: BlockEnd): void;
  post(scenario: number, from: number, to: number, tally: Tally): void;
  /** Nothing that is in flight can be trusted any more. */
  onRetired(cause: string): void;
  /** Post each block on its own instead of joining neighbours. */
  readonly separate: boolean;
}

/** One block that begins now. */
export interface BegunBlock {
  readonly plan: ScenarioPlan;
  readonly program: TrialProgram;
  readonly block: number;
  /** Its position in the run's grid; null: it was not claimed from it. */
  readonly position: number | null;
}

/** The result of a block. */
export interface BlockEnd {
  /** To be posted; null: it was judged elsewhere, and is posted from there. */
  readonly tally: Tally | null;
  /** Failed and broken trials. */
  readonly failing: number;
}

/** Room that some blocks have to themselves. */
export interface Room {
  free: number;
}

/** The place that a block in flight takes. */
interface Entry {
  leave(): void;
}

/** A block that has begun. */
export interface Begun {
  /** Null: the run was stopped before it had ended. Never rejects. */
  readonly ended: Promise<BlockEnd | null>;
}

interface Running extends BegunBlock {
  readonly dueAt: number;
  /** Ends this block alone. */
  readonly stop: AbortController;
}

/** Blocks of programs that wait for the outside world: several at a time, of any scenarios, in one worker. */
export class InFlight {
  private readonly options: InFlightOptions;
  private readonly free: number[];
  private readonly running = new Map<Entry, Running>();
  private readonly ended = new Map<number, { readonly block: number; readonly tally: Tally }[]>();
  private isStopped = false;
  private stoppedAt: number | null = null;
  private waiting: (() => void)[] = [];

  constructor(options: InFlightOptions) {
    this.options = options;
    this.free = Array.from({ length: options.most }, (_, entry) => options.most - 1 - entry);
  }

  get isEmpty(): boolean {
    return this.running.size === 0;
  }

  /** Blocks that may begin now, where other workers leave room for them. */
  get room(): number {
    return this.free.length;
  }

  has(scenario: number): boolean {
    for (const { plan } of this.running.values()) if (plan.index === scenario) return true;
    return false;
  }

  /** Begins a block as soon as there is room for it, its own or that of all; null: the run has been stopped. */
  async begin(begun: BegunBlock, room: Room | null = null): Promise<Begun | null> {
    const { control } = this.options;
    for (;;) {
      if (isAborted(control)) return null;
      const entry = isHeld(control) ? null : room === null ? this.enter(begun) : enterRoom(room);
      if (entry !== null) return { ended: this.start(begun, entry) };
      await this.change();
    }
  }

  /** Null: as many blocks as may be are in flight. */
  private enter({ plan, block }: BegunBlock): Entry | null {
    const { control, worker } = this.options;
    const at = this.free.pop();
    if (at === undefined) return null;
    if (!publishInFlight(control, worker, at, { scenario: plan.index, block })) {
      this.free.push(at);
      return null;
    }
    return {
      leave: () => {
        clearInFlight(control, worker, at);
        this.free.push(at);
      },
    };
  }

  /** Everything has ended and is posted, or was dropped because the run has been stopped. */
  async end(): Promise<void> {
    while (this.running.size > 0 && !this.isStopped) await this.change();
    this.drop();
    this.post();
    while (this.running.size > 0) await this.change();
  }

  /** Called regularly; false: something in flight is overdue, so the worker must not be waited for. */
  tick(): boolean {
    const { control } = this.options;
    const now = monotonicMs();
    if (isAborted(control)) {
      this.stoppedAt ??= now;
      if (dropsInFlight(control) || now - this.stoppedAt > ENDING_MS) this.drop();
    }
    for (const { plan, block, stop } of this.running.values()) if (block >= closedAt(control, plan.index)) stop.abort();
    this.post();
    this.wake();
    for (const { dueAt } of this.running.values()) if (now > dueAt) return false;
    return true;
  }

  private async start(begun: BegunBlock, entry: Entry): Promise<BlockEnd | null> {
    this.options.changed();
    const stop = new AbortController();
    // Each call of the trial may listen.
    setMaxListeners(0, stop.signal);
    this.running.set(entry, { ...begun, dueAt: monotonicMs() + longestMs(begun.plan), stop });
    // A trial that does not end when it is told to is left behind, with its result and its errors.
    const ended = await unlessDropped(stop.signal, this.options.run(begun, stop.signal));
    const retired = whyRetired();
    if (retired !== null) {
      this.options.onRetired(retired);
      // Whatever is in flight is run again, each block alone.
      return new Promise(() => {});
    }
    this.running.delete(entry);
    entry.leave();
    this.options.changed();
    // What ends after the stop may have ended because of it.
    const end = stop.signal.aborted ? null : ended;
    if (end !== null) this.keep(begun, end);
    this.wake();
    return end;
  }

  /** Drops whatever ends from now on. */
  drop(): void {
    this.isStopped = true;
    for (const { stop } of this.running.values()) stop.abort();
  }

  private keep(begun: BegunBlock, end: BlockEnd): void {
    const { plan, program, block } = begun;
    const { tally } = end;
    if (tally !== null) {
      program.noteCounted?.(tally);
      const others = this.ended.get(plan.index);
      if (others === undefined) this.ended.set(plan.index, [{ block, tally }]);
      else others.push({ block, tally });
    }
    this.options.finished(begun, end);
  }

  /** Posts what has ended; done regularly anyway. */
  post(): void {
    const { separate, post } = this.options;
    for (const [scenario, blocks] of this.ended) {
      for (const { from, to, tally } of joinNeighbours(blocks, separate)) post(scenario, from, to, tally);
    }
    this.ended.clear();
  }

  /** Resolves when a block ends, and now and then. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Null: there is none left. */
function enterRoom(room: Room): Entry | null {
  if (room.free === 0) return null;
  room.free--;
  return {
    leave: () => {
      room.free++;
    },
  };
}

/** What it comes to; null: it has not come a while after the signal. One promise in place of a race, which takes several. */
function unlessDropped<T>(signal: AbortSignal, ended: Promise<T | null>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => resolve(null), DROP_MS), { once: true });
    ended.then(resolve, reject);
  });
}

/** A block whose trials take longer than they may will not end by itself. */
export function longestMs({ traits, blockSize, retries = 0 }: ScenarioPlan): number {
  return traits.longestMs * blockSize * (1 + retries);
}

function joinNeighbours(
  blocks: { readonly block: number; readonly tally: Tally }[],
  separate: boolean,
): { readonly from: number; to: number; readonly tally: Tally }[] {
  blocks.sort((a, b) => a.block - b.block);
  const joined: { readonly from: number; to: number; readonly tally: Tally }[] = [];
  for (const { block, tally } of blocks) {
    const last = joined.at(-1);
    if (!separate && last !== undefined && last.to === block) {
      last.tally.merge(tally);
      last.to++;
    } else joined.push({ from: block, to: block + 1, tally });
  }
  return joined;
}
