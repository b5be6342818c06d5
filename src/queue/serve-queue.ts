import { randomBytes } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import type { RunPlan } from '../types/plan.ts';
import type { Executor } from '../pool/executor.ts';
import { decodeRunHead, type QueuedRun } from './queue-frames.ts';
import { ALIVE_MS, isRunName, JOBS_PREFIX, RUNS_KEY, runKeys } from './queue-keys.ts';
import { loadQueueLibraries, type QueueLibraries } from './queue-libraries.ts';
import type { RedisAddress } from './redis-address.ts';
import { answersOf, isOfContent } from './redis-answers.ts';
import { RedisLink } from './redis-link.ts';
import { removeJobs, removeKeys } from './remove-run.ts';
import { ServedRun } from './served-run.ts';

const BEAT_MS = 250;
/** Most runs that are looked at, the oldest first. */
const MOST_RUNS = 1000;
/** When a run that was left is tried again. */
const PATIENCE_MS = 10_000;

/** The plug-ins and grants that the user of this machine gives to a run, or why the run is refused, as the end of a sentence. */
export type Admission = { readonly base: Omit<RunPlan, 'scenarios'> } | { readonly refused: string };

export interface ServeQueueOptions {
  readonly address: RedisAddress;
  readonly name: string;
  readonly workers: number;
  readonly concurrency: number;
  readonly executor: Executor;
  readonly admit: (run: QueuedRun) => Promise<Admission>;
  readonly outageMs: number;
  /** Leave after the first run that was taken part in. */
  readonly once: boolean;
  readonly onNotice: (text: string) => void;
  /** Finish the claims in work, then leave. */
  readonly signal: AbortSignal;
}

/**
 * Takes part in every run of a queue that the user of this machine admits, until the signal says to leave. Rejects with
 * `QUEUE` when Redis is away for too long, with `POOL` when this machine cannot run anything.
 */
export async function serveQueue(options: ServeQueueOptions): Promise<void> {
  const libraries = await loadQueueLibraries();
  const server = new QueueServer(libraries, options);
  try {
    await server.serve();
  } finally {
    await server.close();
  }
}

class QueueServer {
  private readonly libraries: QueueLibraries;
  private readonly options: ServeQueueOptions;
  private readonly link: RedisLink;
  private readonly id = randomBytes(6).toString('hex');
  private readonly served = new Map<string, ServedRun>();
  /** Runs that this worker stays out of, and until when. */
  private readonly refused = new Map<string, number>();
  private saidGarbage = false;
  private broken: PasskError | null = null;
  private ended = 0;

  constructor(libraries: QueueLibraries, options: ServeQueueOptions) {
    this.libraries = libraries;
    this.options = options;
    this.link = new RedisLink(libraries, options.address, options);
  }

  async serve(): Promise<void> {
    const { signal, once } = this.options;
    while (!signal.aborted && this.broken === null && !(once && this.ended > 0 && this.served.size === 0)) {
      try {
        await this.link.orLost(() => this.look(), signal);
        await this.link.orLost(() => after(BEAT_MS), signal);
      } catch (error) {
        if (!signal.aborted || error !== signal.reason) throw error;
      }
    }
    const broken: PasskError | null = this.broken;
    if (broken !== null) throw broken;
    await this.link.orLost(() => this.leaveAll());
  }

  async close(): Promise<void> {
    await Promise.all([...this.served.values()].map((run) => run.drop().catch(() => undefined)));
    this.link.close();
  }

  private async look(): Promise<void> {
    const ids = await this.runs();
    for (const id of ids) await this.ofRun(id, () => this.meet(id));
    for (const id of [...this.served.keys()].filter((one) => !ids.includes(one))) await this.dropRun(id);
    for (const id of [...this.refused.keys()].filter((one) => !ids.includes(one))) this.refused.delete(id);
    for (const [id, run] of this.served) await this.ofRun(id, () => run.beat());
  }

  /** Names of the runs that take workers. Anybody with access to Redis may have put anything there. */
  private async runs(): Promise<readonly string[]> {
    const { client } = this.link;
    try {
      const names = await client.zrange(RUNS_KEY, '0', String(MOST_RUNS - 1));
      this.saidGarbage = false;
      const strangers = names.filter((name) => !isRunName(name));
      if (strangers.length > 0) {
        await client.zrem(RUNS_KEY, ...strangers);
        this.options.onNotice(`${RUNS_KEY} held ${strangers.length} entries that are no runs; they were removed.`);
      }
      return names.filter(isRunName);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      if (!this.saidGarbage) {
        this.options.onNotice(`${RUNS_KEY} holds something that passk did not write (${error.message}); delete it.`);
      }
      this.saidGarbage = true;
      return [];
    }
  }

  /** An error that concerns one run ends this worker's part in that run, and nothing else. */
  private async ofRun(id: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isOfContent(error) && !isOfData(error)) throw error;
      await this.leaveRun(id, error.message);
    }
  }

  private async leaveRun(id: string, why: string): Promise<void> {
    const run = this.served.get(id);
    this.served.delete(id);
    this.refused.set(id, performance.now() + PATIENCE_MS);
    this.options.onNotice(`Run ${id} is left: ${why.replace(/\.$/, '')}.`);
    await run?.drop().catch(() => undefined);
  }

  private async meet(id: string): Promise<void> {
    const { client } = this.link;
    const keys = runKeys(id);
    const [alive, bytes] = await Promise.all([client.exists(keys.alive), client.getBuffer(keys.head)]);
    if (alive === 0) return this.sweep(id);
    if (bytes === null) return this.dropRun(id);
    if (this.served.has(id) || (this.refused.get(id) ?? 0) > performance.now()) return;
    const run = decodeRunHead(bytes);
    const admission = typeof run === 'string' ? { refused: run } : await this.options.admit(run);
    if (typeof run === 'string' || 'refused' in admission) {
      const why = 'refused' in admission ? admission.refused : '';
      this.refused.set(id, Number.POSITIVE_INFINITY);
      this.options.onNotice(`Run ${id} is refused: ${why}.`);
      const refusal = JSON.stringify({ name: this.options.name, why });
      await answersOf(client.multi().hset(keys.refused, this.id, refusal).pexpire(keys.refused, ALIVE_MS).exec());
      return;
    }
    this.join(id, run, admission.base);
  }

  private join(id: string, run: QueuedRun, base: Omit<RunPlan, 'scenarios'>): void {
    const { name, workers, concurrency, executor, onNotice } = this.options;
    const { scenarios } = run.identity;
    const trials = scenarios.reduce((sum, scenario) => sum + scenario.trials, 0);
    onNotice(`Takes part in run ${id}: ${scenarios.length} scenarios, ${trials} trials.`);
    const worker = { id: this.id, name, workers, concurrency };
    const onBroken = (error: PasskError): void => {
      this.broken ??= error;
    };
    const onTrouble = (error: Error): void => void this.leaveRun(id, error.message);
    const { link, libraries } = this;
    this.served.set(id, new ServedRun({ link, libraries, id, run, base, executor, worker, onBroken, onTrouble }));
  }

  private async dropRun(id: string): Promise<void> {
    const run = this.served.get(id);
    if (run === undefined) return;
    this.served.delete(id);
    await run.drop();
    this.ended++;
    this.options.onNotice(`Run ${id} has ended; this worker did ${run.trials} trials of it.`);
  }

  /** Removes the keys of a host that is gone. If the host is alive after all, it publishes its run again. */
  private async sweep(id: string): Promise<void> {
    await this.dropRun(id);
    const { client } = this.link;
    // The run has ended meanwhile, or another worker removes it.
    if (!(await removeKeys(client, id))) return;
    const queue = new this.libraries.Queue(id, { connection: client, prefix: JOBS_PREFIX });
    queue.on('error', () => undefined);
    await removeJobs(queue);
    this.options.onNotice(`The host of run ${id} is gone; its keys have been removed.`);
  }

  private async leaveAll(): Promise<void> {
    await Promise.all([...this.served.values()].map((run) => run.leave()));
    this.served.clear();
  }
}

/** True for errors of a run's data. Absences of Redis are handled by the link. */
function isOfData(error: unknown): error is Error {
  if (error instanceof PasskError) return error.code !== 'QUEUE';
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
