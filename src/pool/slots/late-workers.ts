import type { Work } from '../messages.ts';
import type { Slot, SlotEnd, SlotOptions, WorkerSource } from './slot.ts';

/** Workers that start when there is work for one: a run whose trials only wait starts none. */
export class LateWorkers implements WorkerSource {
  readonly isApart: boolean;
  private readonly begin: () => Promise<WorkerSource>;
  private source: Promise<WorkerSource> | null = null;

  constructor(begin: () => Promise<WorkerSource>, { isApart }: Pick<WorkerSource, 'isApart'>) {
    this.isApart = isApart;
    this.begin = begin;
  }

  open(options: SlotOptions): Slot {
    return new LateSlot(this, options);
  }

  /** Starts them, once. Rejects with `POOL` when none can be started; the next call tries again. */
  async start(): Promise<WorkerSource> {
    this.source ??= this.begin();
    try {
      return await this.source;
    } catch (error) {
      this.source = null;
      throw error;
    }
  }

  async endServers(needed: readonly string[]): Promise<void> {
    const started = await this.source?.catch(() => null);
    await started?.endServers(needed);
  }

  async close(): Promise<void> {
    const { source } = this;
    this.source = null;
    const started = await source?.catch(() => null);
    await started?.close();
  }
}

class LateSlot implements Slot {
  private readonly workers: LateWorkers;
  private readonly options: SlotOptions;
  private slot: Slot | null = null;

  constructor(workers: LateWorkers, options: SlotOptions) {
    this.workers = workers;
    this.options = options;
  }

  get worker(): number {
    return this.options.worker;
  }

  async run(work: Work): Promise<SlotEnd> {
    this.slot ??= (await this.workers.start()).open(this.options);
    return this.slot.run(work);
  }

  watch(elapsedMs: number): void {
    this.slot?.watch(elapsedMs);
  }

  kill(verdict: string): void {
    this.slot?.kill(verdict);
  }
}
