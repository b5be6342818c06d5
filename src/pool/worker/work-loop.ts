import { FailingScenarios } from '../blocks/bail.ts';
import type { BlockGrid, BlockSpan } from '../blocks/block-grid.ts';
import { type Claimed, closedAt, type Control, isAborted, publishRunning } from '../control.ts';
import type { InFlight, Room } from './in-flight.ts';
import type { Sequence } from '../blocks/ordered-blocks.ts';
import type { PreparedPrograms } from './prepare-programs.ts';
import type { Ready } from './ready-programs.ts';

/** Plans asked for at once: enough that small scenarios do not wait one by one. */
const PREFETCH = 64;

/** Positions of a grid, from … to − 1. */
export interface Claim {
  readonly from: number;
  readonly to: number;
}

/** Hands out the positions of a grid, and says where they end. */
export interface Claims {
  /** Blocks of these in flight at a time, whatever others are; null: they share the room of the place. */
  readonly atOnce: number | null;
  /** What must have ended before the first of these begins; null or absent: nothing. */
  readonly after?: Claims | null;
  /** The next positions; `full`: there is no room for them now; null: none is left. */
  next(): Claimed | Promise<Claimed>;
  /** With bail: nothing at or beyond this position is needed. */
  limit(): number;
}

/** Where blocks were claimed. */
interface ClaimedFrom {
  readonly claims: Claims;
  readonly room: Room | null;
  /** Position of the first. */
  readonly from: number;
}

export interface WorkLoopParts {
  readonly control: Control;
  readonly worker: number;
  /** As in `ExecutorRunOptions`; 0: run all. */
  readonly bail: number;
  readonly inFlight: InFlight;
  readonly programs: Pick<PreparedPrograms, 'request' | 'take' | 'release'>;
  /** The sources of blocks, side by side. */
  readonly claims: readonly Claims[];
  /** The block at each position. */
  readonly grid: () => BlockGrid;
  /** Sends what waits to be sent: blocks begin whose trials wait. */
  flush(): void;
  /** Runs blocks whose trials run at once; `position` of the first in the grid, null: they were not claimed from it. */
  runPure(ready: Ready, span: BlockSpan, position: number | null): Promise<void>;
}

/** Begins blocks one after the other, wherever they run: claimed ones, given ones, and sequences. */
export class WorkLoop {
  private readonly parts: WorkLoopParts;
  private isOver = false;
  /** Where it is in what it has claimed: the block there may not have begun; null: it has begun all. */
  position: number | null = null;

  constructor(parts: WorkLoopParts) {
    this.parts = parts;
  }

  /** Claims blocks until none is left, beside these sequences. What one of them throws ends the others as well. */
  async runBeside(sequences: readonly Sequence[]): Promise<void> {
    try {
      const over = new Map<Claims, Promise<void>>();
      for (const claims of this.parts.claims) over.set(claims, this.runClaims(claims, over));
      await Promise.all([...over.values(), ...sequences.map((sequence) => this.runSequence(sequence))]);
    } finally {
      this.isOver = true;
    }
  }

  /** `claimed`: where the blocks come from; null: they were not claimed. */
  async runSpans(spans: readonly BlockSpan[], claimed: ClaimedFrom | null): Promise<void> {
    const { programs, control } = this.parts;
    let at = claimed?.from ?? null;
    for (const [index, span] of spans.entries()) {
      if (index % PREFETCH === 0) {
        programs.request(spans.slice(index, index + PREFETCH).map(({ scenario }) => scenario));
      }
      const ready = await programs.take(span.scenario);
      if (ready === null || isAborted(control)) return;
      if (ready.program.sync) await this.parts.runPure(ready, span, at);
      else await this.beginAll(ready, span, claimed === null || at === null ? null : { ...claimed, from: at });
      programs.release(span.scenario);
      if (at !== null) {
        at += span.toBlock - span.fromBlock;
        this.position = at;
      }
    }
  }

  /** `over`: when those before it are. */
  private async runClaims(claims: Claims, over: ReadonlyMap<Claims, Promise<void>>): Promise<void> {
    const { control, inFlight } = this.parts;
    if (claims.after != null) await over.get(claims.after);
    const grid = this.parts.grid();
    const room = claims.atOnce === null ? null : { free: claims.atOnce };
    for (let claim = await claims.next(); claim !== null && !this.isOver; claim = await claims.next()) {
      if (claim === 'full') await inFlight.change();
      else {
        this.position = claim.from;
        await this.runSpans(grid.slice(claim.from, claim.to), { claims, room, from: claim.from });
        this.position = null;
      }
    }
    if (room === null || !this.parts.claims.some(({ after }) => after === claims)) return;
    while (room.free < (claims.atOnce ?? 0) && !this.isOver && !isAborted(control)) await inFlight.change();
  }

  /** One block after the other; with bail, up to the first failing one of the last scenario that may fail. */
  private async runSequence(sequence: Sequence): Promise<void> {
    const { control, worker, bail, programs, inFlight } = this.parts;
    const failing = new FailingScenarios(bail);
    for (const { scenario, fromBlock, toBlock } of sequence) {
      const ready = await programs.take(scenario);
      for (let block = fromBlock; ready !== null && block < Math.min(toBlock, closedAt(control, scenario)); block++) {
        if (this.isOver) return;
        const begun = await inFlight.begin({ ...ready, block, position: null });
        if (begun === null) return;
        publishRunning(control, worker, scenario, block, 0);
        const ended = await begun.ended;
        // An agent that is asked again may answer differently, so what it has answered must survive this worker.
        inFlight.post();
        if (ended === null) return;
        if (bail > 0 && ended.failing > 0 && failing.note(scenario, block) !== null) return;
      }
      programs.release(scenario);
    }
  }

  /** Begins blocks one after the other, each as soon as there is room; they end when they end. */
  private async beginAll({ plan, program }: Ready, span: BlockSpan, claimed: ClaimedFrom | null): Promise<void> {
    this.parts.flush();
    const { control, worker, bail, inFlight } = this.parts;
    for (let block = span.fromBlock; block < Math.min(span.toBlock, closedAt(control, span.scenario)); block++) {
      const position = claimed === null ? null : claimed.from + block - span.fromBlock;
      this.position = position;
      if (bail > 0 && claimed !== null && position !== null && position >= claimed.claims.limit()) return;
      if ((await inFlight.begin({ plan, program, block, position }, claimed?.room)) === null) return;
      publishRunning(control, worker, plan.index, block, 0);
    }
  }
}
