import { shapedJson } from '../records/shaped.ts';
import { refusalSchema } from './queue.schema.ts';

interface Refusal {
  readonly name: string;
  readonly why: string;
}

/** Workers that came to a run and do not take part in it, as its host heard of them. */
export class WorkerRefusals {
  private readonly byWorker = new Map<string, Refusal | null>();

  /** Takes what stands in Redis, by the id of the worker; returns what is new of it, as sentences. */
  update(refused: Readonly<Record<string, string>>): readonly string[] {
    const news: string[] = [];
    for (const [id, text] of Object.entries(refused)) {
      if (this.byWorker.has(id)) continue;
      const refusal = shapedJson<Refusal>(text, refusalSchema);
      this.byWorker.set(id, refusal);
      if (refusal !== null) news.push(`Worker ${refusal.name} does not take part: ${refusal.why}.`);
    }
    return news;
  }

  /** Why nobody works and what to do. To start more workers alike does not help where some have refused the run. */
  absence(queue: string): string {
    const [first, ...others] = [...this.byWorker.values()].filter((refusal) => refusal !== null);
    if (first === undefined) return `No worker is there; start some with passk worker and the same queue (${queue}).`;
    const more = others.length === 0 ? '' : `, as ${others.length} more`;
    return `No worker takes part: ${first.name} was there and refused (${first.why})${more}. Start one that can, with the same queue (${queue}).`;
  }
}
