/** By this share of its heap memory must have grown while one trial ran for the trial to have filled it. */
const FILLED = 0.5;

/**
 * How far memory has grown since workers that share it last stirred: a worker that fills its heap does nothing else for
 * seconds, and on a busy machine for longer than anybody waits.
 */
export class MemoryGrowth {
  private readonly heapMb: number;
  /** Memory in use when a worker last stirred. */
  private readonly before = new Map<number, number>();
  private readonly silent = new Set<number>();
  private readonly grown = new Map<number, number>();

  /** `heapMb`: JavaScript heap of one worker, in MiB. */
  constructor(heapMb: number) {
    this.heapMb = heapMb;
  }

  /** Called regularly; `usedMb`: memory in use, in MiB; null where nobody can tell. */
  note(worker: number, usedMb: number | null, isSilent: boolean): void {
    if (!isSilent) {
      this.silent.delete(worker);
      this.grown.delete(worker);
      if (usedMb !== null) this.before.set(worker, usedMb);
      return;
    }
    this.silent.add(worker);
    const before = this.before.get(worker);
    if (before === undefined || usedMb === null) return;
    this.grown.set(worker, Math.max(usedMb - before, this.grown.get(worker) ?? 0));
  }

  /** True: since the worker last stirred, memory has grown by as much as only a trial that fills its heap needs. */
  hasFilled(worker: number): boolean {
    // Of several silent workers each may have taken all of the memory.
    return (this.grown.get(worker) ?? 0) >= FILLED * this.heapMb * Math.max(1, this.silent.size);
  }
}
