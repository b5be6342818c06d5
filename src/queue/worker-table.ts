import type { QueueWorker } from '../types/queue-worker.ts';
import { shapedJson } from '../records/shaped.ts';
import { workerRowSchema } from './queue.schema.ts';

/** What a worker process says of itself, a few times a second. */
export interface WorkerRow {
  readonly name: string;
  /** Goes up with each report, which tells an idle worker from a silent one. */
  readonly beat: number;
  /** Number of its threads. */
  readonly workers: number;
  /** Its trials in flight at once. */
  readonly concurrency: number;
  /** The claim it is working on; empty: none. */
  readonly claim: string;
  /** Trials of that claim that are done. */
  readonly done: number;
  readonly failed: number;
  /** Trials of claims that it has delivered. */
  readonly trials: number;
  readonly busyMs: number;
}

interface SeenWorker {
  readonly row: WorkerRow;
  readonly heardAt: number;
}

/** The workers of a run as its host sees them. Workers that left stay in the report. */
export class WorkerTable {
  private readonly present = new Map<string, SeenWorker>();
  private readonly all = new Map<string, WorkerRow>();
  private readonly silentMs: number;
  private readonly onNotice: (text: string) => void;

  constructor({ silentMs, onNotice }: { readonly silentMs: number; readonly onNotice: (text: string) => void }) {
    this.silentMs = silentMs;
    this.onNotice = onNotice;
  }

  /** Takes the rows of workers in Redis at `now` milliseconds; returns the workers to be forgotten. */
  update(rows: Readonly<Record<string, string>>, now: number): readonly string[] {
    for (const [id, text] of Object.entries(rows)) {
      const row = shapedJson<WorkerRow>(text, workerRowSchema);
      if (row === null) continue;
      const before = this.present.get(id);
      if (before === undefined) {
        if (this.all.get(id)?.beat === row.beat) continue;
        this.onNotice(`Worker ${row.name} takes part with ${row.workers} threads.`);
      }
      if (before?.row.beat !== row.beat) this.present.set(id, { row, heardAt: now });
      this.all.set(id, row);
    }
    const silent: string[] = [];
    for (const [id, { row, heardAt }] of this.present) {
      if (Object.hasOwn(rows, id) && now - heardAt < this.silentMs) continue;
      this.present.delete(id);
      if (!Object.hasOwn(rows, id)) this.onNotice(`Worker ${row.name} has left.`);
      else {
        silent.push(id);
        this.onNotice(`Worker ${row.name} has gone silent; others take over what it held.`);
      }
    }
    return silent;
  }

  get count(): number {
    return this.present.size;
  }

  /** Most trials in flight of one worker. */
  get concurrency(): number {
    return [...this.present.values()].reduce((most, { row }) => Math.max(most, row.concurrency), 16);
  }

  /** Trials of claims in work, of those claims that `isOpen` says are not settled. */
  inFlight(isOpen: (claim: string) => boolean): { readonly done: number; readonly failed: number } {
    const open = new Map<string, WorkerRow>();
    for (const { row } of this.present.values()) if (isOpen(row.claim)) open.set(row.claim, row);
    let done = 0;
    let failed = 0;
    for (const row of open.values()) {
      done += row.done;
      failed += row.failed;
    }
    return { done, failed };
  }

  /** The workers present now, by name. */
  shown(): readonly QueueWorker[] {
    return rowsOf([...this.present.values()].map(({ row }) => row));
  }

  /** All workers that ever took part, by name. */
  report(): readonly QueueWorker[] {
    return rowsOf([...this.all.values()]);
  }
}

function rowsOf(rows: readonly WorkerRow[]): readonly QueueWorker[] {
  return rows
    .map(({ name, workers, trials, done, busyMs }) => ({
      name,
      workers,
      trials: trials + done,
      trialsPerSecond: busyMs > 0 ? ((trials + done) / busyMs) * 1000 : null,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
