import type { Job, Worker } from 'bullmq';
import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { messageOf } from '../../values/message-of.ts';
import type { BlockSpan } from '../block-grid.ts';
import { DROP_FLIGHTS, type Executor } from '../executor.ts';
import { shaped, shapedJson } from '../shaped.ts';
import { trialsIn } from '../trials-in.ts';
import { type ClaimedPlan, PlanStore } from './plan-store.ts';
import { claimSchema, placeSchema } from './queue.schema.ts';
import { encodeAnswer, type QueuedAnswer, type QueuedFailure, type QueuedRun } from './queue-frames.ts';
import { JOBS_PREFIX, MAX_REDELIVERIES, type RunKeys, runKeys } from './queue-keys.ts';
import type { QueueLibraries } from './queue-libraries.ts';
import type { RedisLink } from './redis-link.ts';
import { runClaim } from './run-claim.ts';
import type { WorkerRow } from './worker-table.ts';

/** Seconds for which an idle worker waits for a claim in one go. */
const IDLE_SECONDS = 2;

export interface ServedRunOptions {
  readonly link: RedisLink;
  readonly libraries: Pick<QueueLibraries, 'Worker'>;
  readonly id: string;
  readonly run: QueuedRun;
  /** What this machine's user gives to the run: plug-ins of this machine, and grants. */
  readonly base: Omit<RunPlan, 'scenarios'>;
  readonly executor: Executor;
  readonly worker: { readonly id: string; readonly name: string; readonly workers: number; readonly lanes: number };
  /** Called when this machine cannot run anything: a reason to leave. */
  readonly onBroken: (error: PasskError) => void;
}

/** One run that this process takes part in: claims blocks, runs them on its own pool, sends the results. */
export class ServedRun {
  private readonly given: ServedRunOptions;
  private readonly keys: RunKeys;
  private readonly plans: PlanStore;
  private readonly worker: Worker;
  private readonly stop = new AbortController();
  private row: WorkerRow;
  private busySince: number | null = null;
  private busyMs = 0;

  constructor(given: ServedRunOptions) {
    this.given = given;
    const { link, libraries, id, run, worker } = given;
    this.keys = runKeys(id);
    this.plans = new PlanStore(run, (positions) => link.client.hmgetBuffer(this.keys.plans, ...positions.map(String)));
    const { name, workers, lanes } = worker;
    this.row = { name, beat: Date.now(), workers, lanes, claim: '', done: 0, failed: 0, trials: 0, busyMs: 0 };
    this.worker = new libraries.Worker(id, (job: Job) => this.serve(job), {
      connection: link.client,
      prefix: JOBS_PREFIX,
      lockDuration: run.lockMs,
      // Twice per lock: a dead worker's claims lie about for one and a half of it at most.
      stalledInterval: run.lockMs / 2,
      maxStalledCount: MAX_REDELIVERIES,
      drainDelay: IDLE_SECONDS,
    });
    // Absences of Redis are the link's to tell; lost locks only mean that others run the same once more.
    this.worker.on('error', () => undefined);
  }

  /** Trials that this process has delivered. */
  get trials(): number {
    return this.row.trials;
  }

  /** Tells the host that this worker is there, and how far it is. */
  async beat(): Promise<void> {
    await this.given.link.client.hset(this.keys.workers, this.given.worker.id, this.nextRow());
  }

  private nextRow(): string {
    const busy = this.busySince === null ? 0 : performance.now() - this.busySince;
    this.row = { ...this.row, beat: this.row.beat + 1, busyMs: this.busyMs + busy };
    return JSON.stringify(this.row);
  }

  /** Finishes the claim in work and leaves; the host is told. */
  async leave(): Promise<void> {
    await this.worker.close();
    await this.beat();
    await this.given.link.client.hdel(this.keys.workers, this.given.worker.id);
  }

  /** Drops everything: the run has ended, or Redis is gone. */
  async drop(): Promise<void> {
    this.stop.abort(DROP_FLIGHTS);
    await this.worker.close(true);
  }

  private async serve(job: Job): Promise<void> {
    const claim = job.id ?? '';
    this.row = { ...this.row, claim, done: 0, failed: 0 };
    this.busySince = performance.now();
    try {
      const spans = this.spansOf(job);
      // Others have died of it, or seemed to: block by block, saying which, so that the host learns the culprit.
      if (job.stalledCounter > 0) await this.serveOneByOne(claim, spans);
      else await this.serveSpans(claim, spans, true);
    } catch (error) {
      await this.fail(error);
    } finally {
      this.busyMs += performance.now() - this.busySince;
      this.busySince = null;
      this.row = { ...this.row, claim: '', done: 0, failed: 0 };
    }
  }

  private async serveOneByOne(claim: string, spans: readonly BlockSpan[]): Promise<void> {
    const { client } = this.given.link;
    const blocks = spans.flatMap(({ scenario, fromBlock, toBlock }) =>
      Array.from({ length: toBlock - fromBlock }, (_, i): BlockSpan => {
        return { scenario, fromBlock: fromBlock + i, toBlock: fromBlock + i + 1 };
      }),
    );
    const at = shapedJson<readonly [number, number]>(await client.hget(this.keys.at, claim), placeSchema);
    const known = at === null ? 0 : blocks.findIndex((one) => one.scenario === at[0] && one.fromBlock === at[1]);
    // What comes before has been delivered.
    const left = blocks.slice(Math.max(0, known));
    for (const [index, block] of left.entries()) {
      await client.hset(this.keys.at, claim, JSON.stringify([block.scenario, block.fromBlock]));
      await this.serveSpans(claim, [block], index === left.length - 1);
    }
    await client.hdel(this.keys.at, claim);
  }

  private async serveSpans(claim: string, spans: readonly BlockSpan[], isLast: boolean): Promise<void> {
    const { executor, base, run } = this.given;
    const claimed = await this.plans.planFor(spans, base);
    const before = { done: this.row.done, failed: this.row.failed };
    const began = performance.now();
    const found = await runClaim(executor, claimed.plan, {
      blocks: claimed.blocks,
      bail: run.identity.bail,
      // The host counts blocks in trial order, and ends scenarios between them.
      separate: run.identity.stopEarly !== undefined,
      signal: this.stop.signal,
      onProgress: ({ done, failed }) => {
        this.row = { ...this.row, done: before.done + done, failed: before.failed + failed };
      },
    });
    if (found === null) throw new PasskError('POOL', 'The worker was stopped.');
    const tookMs = performance.now() - began;
    const records = found.map((record) => placed(record, claimed));
    const trials = trialsIn(claimed.plan, found);
    this.row = { ...this.row, trials: this.row.trials + trials, ...before };
    await this.send({ kind: 'result', digest: run.digest, claim, isLast, tookMs, records });
  }

  /** A plan that cannot be run anywhere ends the run; trouble of this machine gives the claim back. */
  private async fail(error: unknown): Promise<void> {
    if (this.stop.signal.aborted) throw error;
    const { code, message, hint } = error instanceof PasskError ? error : trouble(error);
    const failure = isOfPlan(code) ? code : null;
    if (failure === null) {
      this.given.onBroken(error instanceof PasskError ? error : trouble(error));
      throw new Error(message);
    }
    const { worker, run } = this.given;
    const told = { kind: 'failure', digest: run.digest, worker: worker.name, code: failure, message } as const;
    await this.send(hint === undefined ? told : { ...told, hint });
  }

  private async send(answer: QueuedAnswer): Promise<void> {
    const { link, worker } = this.given;
    const frame = encodeAnswer(answer);
    // Together: whoever sees a result knows whose it is.
    await link.again(() =>
      link.client
        .multi()
        .hset(this.keys.workers, worker.id, this.nextRow())
        .xadd(this.keys.results, '*', 'frame', frame)
        .exec(),
    );
  }

  private spansOf(job: Job): readonly BlockSpan[] {
    const data = shaped<{ readonly spans: readonly (readonly [number, number, number])[] }>(job.data, claimSchema);
    if (data === null) throw new PasskError('INTEGRITY', 'A claim is damaged.');
    return data.spans.map(([scenario, fromBlock, toBlock]) => ({ scenario, fromBlock, toBlock }));
  }
}

function placed(record: Delta, { positions }: ClaimedPlan): Delta {
  const scenario = positions[record.scenario];
  if (scenario === undefined) throw new PasskError('INTERNAL', 'A result names a scenario that was not claimed.');
  return { ...record, scenario };
}

function isOfPlan(code: PasskError['code']): code is QueuedFailure['code'] {
  return code === 'INPUT' || code === 'PLUGIN' || code === 'PLAN' || code === 'INTEGRITY';
}

function trouble(error: unknown): PasskError {
  return new PasskError('INTERNAL', messageOf(error));
}
