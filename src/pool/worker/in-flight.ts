import { setMaxListeners } from 'node:events';
import type { TrialProgram } from '../../trial/program.ts';
import type { Tally } from '../../trial/tally.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { closedAt, type Control, dropsFlights, isAborted, isHeld } from '../control.ts';
import { clearFlight, publishFlight } from '../flights.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import { whySpoilt } from './spoilt-worker.ts';

/** How long what is in flight may take to land after a run was stopped. */
export const LANDING_MS = 5000;
/** What was told to end must have ended so soon; nobody waits for it any longer. */
const DROP_MS = 250;

export interface InFlightOptions {
  readonly control: Control;
  readonly worker: number;
  /** Blocks at a time. */
  readonly lanes: number;
  /** Runs a block to its end; null: nothing of it counts. */
  run(begun: BegunBlock, signal: AbortSignal): Promise<Landed | null>;
  /** A block has begun or ended. */
  changed(): void;
  finished(flight: BegunBlock, landed: Landed): void;
  post(scenario: number, from: number, to: number, tally: Tally): void;
  /** Nothing that is in flight can be trusted any more. */
  onSpoilt(cause: string): void;
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

/** What came of a block. */
export interface Landed {
  /** To be posted; null: it was judged elsewhere, and is posted from there. */
  readonly tally: Tally | null;
  /** Failed and broken trials. */
  readonly failing: number;
}

/** A block that has begun. */
export interface Begun {
  /** Null: the run was stopped before it had ended. Never rejects. */
  readonly landed: Promise<Landed | null>;
}

interface Aloft extends BegunBlock {
  readonly dueAt: number;
  /** Ends this block alone. */
  readonly stop: AbortController;
}

/** Blocks of programs that wait for the outside world: several at a time, of any scenarios, in one worker. */
export class InFlight {
  private readonly options: InFlightOptions;
  private readonly free: number[];
  private readonly aloft = new Map<number, Aloft>();
  private readonly landed = new Map<number, { readonly block: number; readonly tally: Tally }[]>();
  private isStopped = false;
  private stoppedAt: number | null = null;
  private waiting: (() => void)[] = [];

  constructor(options: InFlightOptions) {
    this.options = options;
    this.free = Array.from({ length: options.lanes }, (_, lane) => options.lanes - 1 - lane);
  }

  get isEmpty(): boolean {
    return this.aloft.size === 0;
  }

  has(scenario: number): boolean {
    for (const { plan } of this.aloft.values()) if (plan.index === scenario) return true;
    return false;
  }

  /** Begins a block as soon as there is room for it; null: the run has been stopped. */
  async begin(begun: BegunBlock): Promise<Begun | null> {
    const { control, worker } = this.options;
    for (;;) {
      if (isAborted(control)) return null;
      const lane = isHeld(control) ? undefined : this.free.pop();
      if (lane !== undefined) {
        if (publishFlight(control, worker, lane, { scenario: begun.plan.index, block: begun.block })) {
          return { landed: this.fly(begun, lane) };
        }
        this.free.push(lane);
      }
      await this.change();
    }
  }

  /** Everything has landed and is posted, or was dropped because the run has been stopped. */
  async end(): Promise<void> {
    while (this.aloft.size > 0 && !this.isStopped) await this.change();
    this.drop();
    this.post();
    while (this.aloft.size > 0) await this.change();
  }

  /** Called regularly; false: something in flight is overdue, so the worker must not be waited for. */
  tick(): boolean {
    const { control } = this.options;
    const now = monotonicMs();
    if (isAborted(control)) {
      this.stoppedAt ??= now;
      if (dropsFlights(control) || now - this.stoppedAt > LANDING_MS) this.drop();
    }
    for (const { plan, block, stop } of this.aloft.values()) if (block >= closedAt(control, plan.index)) stop.abort();
    this.post();
    this.wake();
    for (const { dueAt } of this.aloft.values()) if (now > dueAt) return false;
    return true;
  }

  private async fly(begun: BegunBlock, lane: number): Promise<Landed | null> {
    const { control, worker } = this.options;
    this.options.changed();
    const stop = new AbortController();
    // Each call of the trial may listen.
    setMaxListeners(0, stop.signal);
    this.aloft.set(lane, { ...begun, dueAt: monotonicMs() + longestMs(begun.plan), stop });
    // Whatever does not end when it is told to is left behind: its result and its errors are of no interest.
    const ended = await Promise.race([this.options.run(begun, stop.signal), droppedLate(stop.signal)]);
    const spoilt = whySpoilt();
    if (spoilt !== null) {
      this.options.onSpoilt(spoilt);
      // Whatever is in flight is run again, each block alone.
      return new Promise(() => {});
    }
    this.aloft.delete(lane);
    clearFlight(control, worker, lane);
    this.options.changed();
    this.free.push(lane);
    // What ends after the stop may have ended because of it.
    const landed = stop.signal.aborted ? null : ended;
    if (landed !== null) this.land(begun, landed);
    this.wake();
    return landed;
  }

  /** What ends from now on is of no interest. */
  drop(): void {
    this.isStopped = true;
    for (const { stop } of this.aloft.values()) stop.abort();
  }

  private land(begun: BegunBlock, landed: Landed): void {
    const { plan, block } = begun;
    const { tally } = landed;
    if (tally !== null) {
      const others = this.landed.get(plan.index);
      if (others === undefined) this.landed.set(plan.index, [{ block, tally }]);
      else others.push({ block, tally });
    }
    this.options.finished(begun, landed);
  }

  /** Posts what has landed; done regularly anyway. */
  post(): void {
    const { separate, post } = this.options;
    for (const [scenario, blocks] of this.landed) {
      for (const { from, to, tally } of joinNeighbours(blocks, separate)) post(scenario, from, to, tally);
    }
    this.landed.clear();
  }

  private change(): Promise<void> {
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

/** Resolves a while after the signal. */
function droppedLate(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => setTimeout(() => resolve(null), DROP_MS), { once: true });
  });
}

/** A block whose trials take longer than they may will not end by itself. */
export function longestMs({ traits, blockSize }: ScenarioPlan): number {
  return traits.longestMs * blockSize;
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
