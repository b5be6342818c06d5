import type { RepairBounds } from './repaired-block.ts';
import type { Death } from '../slots/slot.ts';

/** Workers that may die one after the other while they prepare a scenario that nobody has prepared yet. */
const MAX_PREPARATIONS = 2;
/** The same while trials of other scenarios are in flight in them. */
const MAX_BUSY_PREPARATIONS = 3;
/** Workers that may die while they have nothing to run. */
const MAX_IDLE = 100;

/** Counts the workers of a run that died, by what they were doing. */
export class LostWorkers {
  private readonly bounds: RepairBounds;
  private readonly deaths = new Map<number, number>();
  private readonly hangs = new Map<number, number>();
  private readonly preparing = new Map<number, number>();
  private idle = 0;
  /** All of them. */
  total = 0;

  constructor(bounds: RepairBounds) {
    this.bounds = bounds;
  }

  /** Counts a culprit of a scenario that is not pure. True: the scenario has cost more workers than it may. */
  countCulprit(scenario: number, how: Death): boolean {
    const { deaths, hangs, bounds } = this;
    if (how === 'hung') return add(hangs, scenario) >= bounds.hangs;
    return add(deaths, scenario) >= bounds.deaths;
  }

  /**
   * How often the scenario was being prepared when a worker died; null: not too often yet. `isBusy`: trials were in flight
   * in it.
   */
  countPreparing(scenario: number, isBusy: boolean): number | null {
    const count = add(this.preparing, scenario);
    return count >= (isBusy ? MAX_BUSY_PREPARATIONS : MAX_PREPARATIONS) ? count : null;
  }

  /** Notes that a worker has prepared the scenario, so that it was not what earlier workers died of. */
  notePrepared(scenario: number): void {
    this.preparing.delete(scenario);
  }

  /** True: too many workers died that had nothing to run. */
  countIdle(): boolean {
    return ++this.idle >= MAX_IDLE;
  }
}

function add(counts: Map<number, number>, scenario: number): number {
  const count = (counts.get(scenario) ?? 0) + 1;
  counts.set(scenario, count);
  return count;
}
