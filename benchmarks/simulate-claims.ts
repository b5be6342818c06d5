import type { BlockGrid } from '../src/pool/blocks/block-grid.ts';
import { claimBlocks, createControl } from '../src/pool/control.ts';

/** Measured costs in milliseconds. */
export interface ClaimCosts {
  /** One block of a scenario, by its position. */
  block(scenario: number): number;
  /** To compile a scenario that a worker has not at hand. */
  readonly prepare: number;
  readonly claim: number;
  /** What the host does for one delta, one after the other; a worker posts one per scenario and 100 ms. */
  readonly delta: number;
  /** Workers start one after the other, each so much later. */
  readonly start: number;
}

export interface SimulatedRun {
  readonly tookMs: number;
  /** Share of worker time between each worker's end and the last one's. */
  readonly tailIdle: number;
  readonly speedup: number;
  /** Share of the run that the host is busy with deltas. */
  readonly host: number;
}

const DELTA_MS = 100;

/** Plays the real claim function for so many workers; time is made up of the given costs. */
export function simulateClaims(grid: BlockGrid, workers: number, costs: ClaimCosts): SimulatedRun {
  const control = createControl({ workers, total: grid.total });
  const clocks = Array.from({ length: workers }, (_, worker) => ({ worker, at: worker * costs.start, scenario: -1 }));
  const ends: number[] = [];
  let work = 0;
  let deltas = 0;
  while (clocks.length > 0) {
    // The worker that is free first claims next.
    const next = clocks.reduce((first, clock) => (clock.at < first.at ? clock : first));
    const claim = claimBlocks(control, next.worker);
    next.at += costs.claim;
    // Nothing waits for answers, so there is always room.
    if (claim === null || claim === 'full') {
      ends.push(next.at);
      clocks.splice(clocks.indexOf(next), 1);
      continue;
    }
    for (const span of grid.slice(claim.from, claim.to)) {
      const took = (span.toBlock - span.fromBlock) * costs.block(span.scenario);
      next.at += took + (span.scenario === next.scenario ? 0 : costs.prepare);
      next.scenario = span.scenario;
      work += took;
      deltas += 1 + Math.floor(took / DELTA_MS);
    }
  }
  const last = Math.max(...ends);
  // Whatever workers do, the run is not over before the host has taken all deltas.
  const tookMs = Math.max(last, deltas * costs.delta);
  const idle = ends.reduce((sum, end) => sum + (last - end), 0);
  return {
    tookMs,
    tailIdle: idle / (workers * last),
    speedup: work / tookMs,
    host: (deltas * costs.delta) / tookMs,
  };
}
