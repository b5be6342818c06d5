import type { Job, Worker } from 'bullmq';
import type { ChainableCommander } from 'ioredis';
import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { messageOf } from '../values/message-of.ts';
import { type BlockSpan, spansOf } from '../pool/blocks/block-grid.ts';
import { DROP_IN_FLIGHT, type Executor } from '../pool/executor.ts';
import { shaped, shapedJson } from '../records/shaped.ts';
import { trialsIn } from '../pool/blocks/trials-in.ts';
import { McpServersMet } from './mcp-askers.ts';
import { type ClaimedPlan, PlanStore } from './plan-store.ts';
import { claimSchema, placeSchema } from './queue.schema.ts';
import { encodeAnswer, type QueuedAnswer, type QueuedFailure, type QueuedRun } from './queue-frames.ts';
import { ALIVE_MS, JOBS_PREFIX, MAX_REDELIVERIES, type RunKeys, runKeys } from './queue-keys.ts';
import type { QueueLibraries } from './queue-libraries.ts';
import { answersOf, isOfContent } from './redis-answers.ts';
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
  /** The plug-ins and grants that the user of this machine gives to the run. */
  readonly base: Omit<RunPlan, 'scenarios'>;
  readonly executor: Executor;
  readonly worker: {
    readonly id: string;
    readonly name: string;
    readonly workers: number;
    readonly concurrency: number;
  };
  /** Called when this machine cannot run anything: a reason to leave. */
  readonly onBroken: (error: PasskError) => void;
  /** Called when this process can do nothing more for this run, for whatever reason. */
  readonly onTrouble: (error: Error) => void;
}

/** One run that this process takes part in: claims blocks, runs them on its own pool, sends the results. */
export class ServedRun {
  private readonly options: ServedRunOptions;
  private readonly keys: RunKeys;
  private readonly plans: PlanStore;
  private readonly worker: Worker;
  private readonly stop = new AbortController();
  private readonly met = new McpServersMet(this.stop.signal);
  private row: WorkerRow;
  private busySince: number | null = null;
  private busyMs = 0;

  constructor(options: ServedRunOptions) {
    this.options = options;
    const { link, libraries, id, run, worker } = options;
    this.keys = runKeys(id);
    this.plans = new PlanStore(run, (positions) => link.client.hmgetBuffer(this.keys.plans, ...positions.map(String)));
    const { name, workers, concurrency } = worker;
    this.row = { name, beat: Date.now(), workers, concurrency, claim: '', done: 0, failed: 0, trials: 0, busyMs: 0 };
    this.worker = new libraries.Worker(id, (job: Job) => this.serve(job), {
      connection: link.client,
      prefix: JOBS_PREFIX,
      lockDuration: run.lockMs,
      // Twice per lock, so that the claims of a dead worker are found within one and a half locks.
      stalledInterval: run.lockMs / 2,
      maxStalledCount: MAX_REDELIVERIES,
      drainDelay: IDLE_SECONDS,
    });
    // The link reports absences of Redis. A lost lock only means that another worker runs the claim once more.
    this.worker.on('error', (error) => {
      if (isOfContent(error)) options.onTrouble(error);
    });
  }

  /** Trials that this process has delivered. */
  get trials(): number {
    return this.row.trials;
  }

  /** Tells the host that this worker is there, and how far it is; hears which servers are still needed. */
  async beat(): Promise<void> {
    const { link, worker } = this.options;
    const [askers] = await answersOf(this.sayRow(link.client.multi().get(this.keys.askers), worker.id).exec());
    this.met.hear(askers);
  }

  /** The row expires by itself, because the host may have ended before it could remove it. */
  private sayRow(commands: ChainableCommander, id: string): ChainableCommander {
    return commands.hset(this.keys.workers, id, this.nextRow()).pexpire(this.keys.workers, ALIVE_MS);
  }

  private nextRow(): string {
    const busy = this.busySince === null ? 0 : performance.now() - this.busySince;
    this.row = { ...this.row, beat: this.row.beat + 1, busyMs: this.busyMs + busy };
    return JSON.stringify(this.row);
  }

  /** Finishes the claim in work and leaves; the host is told. */
  async leave(): Promise<void> {
    // A close that waits for the claim cannot be cut short later, even when Redis is given up meanwhile.
    await this.worker.pause();
    await this.worker.close(true);
    await this.beat();
    await this.options.link.client.hdel(this.keys.workers, this.options.worker.id);
  }

  /** Drops everything: the run has ended, or Redis is gone. */
  async drop(): Promise<void> {
    this.stop.abort(DROP_IN_FLIGHT);
    const closed = this.worker.close(true);
    if (!this.options.link.lost.aborted) return closed;
    // Closing waits for answers of Redis, which has been given up. Its connections ended with those of the link.
    closed.catch(() => undefined);
  }

  private async serve(job: Job): Promise<void> {
    const claim = job.id ?? '';
    this.row = { ...this.row, claim, done: 0, failed: 0 };
    this.busySince = performance.now();
    try {
      const spans = this.spansOf(job);
      // Other workers died of this claim, or seemed to. Run it block by block and name each first, so that the host learns which one it was.
      if (job.stalledCounter > 0) await this.serveOneByOne(claim, spans);
      else await this.serveSpans(claim, spans, true);
    } catch (error) {
      await this.fail(error).catch((trouble: unknown) => {
        if (!this.stop.signal.aborted) this.options.onTrouble(asError(trouble));
        throw trouble;
      });
    } finally {
      this.busyMs += performance.now() - this.busySince;
      this.busySince = null;
      this.row = { ...this.row, claim: '', done: 0, failed: 0 };
    }
  }

  private async serveOneByOne(claim: string, spans: readonly BlockSpan[]): Promise<void> {
    const { client } = this.options.link;
    const at = shapedJson<readonly [number, number]>(await client.hget(this.keys.at, claim), placeSchema);
    // Earlier blocks have been delivered.
    const remaining = at === null ? spans : spansFrom(spans, at);
    const last = remaining.at(-1);
    for (const { scenario, fromBlock, toBlock } of remaining) {
      for (let block = fromBlock; block < toBlock; block++) {
        await client
          .multi()
          .hset(this.keys.at, claim, JSON.stringify([scenario, block]))
          .pexpire(this.keys.at, ALIVE_MS)
          .exec();
        const isLast = scenario === last?.scenario && block === last.toBlock - 1;
        await this.serveSpans(claim, [{ scenario, fromBlock: block, toBlock: block + 1 }], isLast);
      }
    }
    await client.hdel(this.keys.at, claim);
  }

  private async serveSpans(claim: string, spans: readonly BlockSpan[], isLast: boolean): Promise<void> {
    const { executor, base, run } = this.options;
    const claimed = await this.plans.planFor(spans, base);
    requireBlocks(claimed);
    this.met.meet(claimed);
    const before = { done: this.row.done, failed: this.row.failed };
    const began = performance.now();
    const outcome = await runClaim(executor, claimed.plan, {
      blocks: claimed.blocks,
      bail: run.identity.bail,
      // The host counts blocks in trial order, and ends scenarios between them.
      separate: run.identity.stopEarly !== undefined,
      signal: this.stop.signal,
      keptServers: this.met.servers,
      onProgress: ({ done, failed }) => {
        this.row = { ...this.row, done: before.done + done, failed: before.failed + failed };
      },
    });
    if (outcome === null) throw new PasskError('POOL', 'The worker was stopped.');
    const tookMs = performance.now() - began;
    const records = outcome.map((record) => placed(record, claimed));
    const trials = trialsIn(claimed.plan, outcome);
    this.row = { ...this.row, trials: this.row.trials + trials, ...before };
    await this.send({ kind: 'result', digest: run.digest, claim, isLast, tookMs, records });
  }

  /** A plan that cannot be run anywhere ends the run; trouble of this machine gives the claim back. */
  private async fail(error: unknown): Promise<void> {
    if (this.stop.signal.aborted) throw error;
    const { code, message, hint } = error instanceof PasskError ? error : trouble(error);
    const failure = isOfPlan(code) ? code : null;
    if (failure === null) {
      // An error of the plan ends its run only. A machine that can run nothing must leave the queue.
      if (error instanceof PasskError && code === 'POOL') this.options.onBroken(error);
      throw new Error(message);
    }
    const { worker, run } = this.options;
    const answer = { kind: 'failure', digest: run.digest, worker: worker.name, code: failure, message } as const;
    await this.send(hint === undefined ? answer : { ...answer, hint });
  }

  private async send(answer: QueuedAnswer): Promise<void> {
    const { link, worker } = this.options;
    const frame = encodeAnswer(answer);
    // In one transaction: whoever sees a result knows which worker it came from.
    await link.again(() =>
      answersOf(this.sayRow(link.client.multi(), worker.id).xadd(this.keys.results, '*', 'frame', frame).exec()),
    );
  }

  private spansOf(job: Job): readonly BlockSpan[] {
    const data = shaped<{ readonly spans: readonly (readonly [number, number, number])[] }>(job.data, claimSchema);
    if (data === null) throw new PasskError('INTEGRITY', 'A claim is damaged.');
    return data.spans.map(([scenario, fromBlock, toBlock]) => ({ scenario, fromBlock, toBlock }));
  }
}

/** Throws `INTEGRITY` for blocks that the plan does not have. */
function requireBlocks({ plan, blocks }: ClaimedPlan): void {
  const scenarios = spansOf(plan);
  const fits = blocks.every(({ scenario, fromBlock, toBlock }) => {
    const scenarioBlocks = scenarios.find((one) => one.scenario === scenario);
    return scenarioBlocks !== undefined && fromBlock < toBlock && toBlock <= scenarioBlocks.toBlock;
  });
  if (!fits) throw new PasskError('INTEGRITY', 'A claim names blocks that its plan does not have.');
}

/** The blocks from this one on; all of them when it is not among them. */
function spansFrom(spans: readonly BlockSpan[], [scenario, block]: readonly [number, number]): readonly BlockSpan[] {
  const index = spans.findIndex((one) => one.scenario === scenario && one.fromBlock <= block && block < one.toBlock);
  return index < 0 ? spans : spans.slice(index).map((one, at) => (at === 0 ? { ...one, fromBlock: block } : one));
}

function placed(record: Delta, { positions }: ClaimedPlan): Delta {
  const scenario = positions[record.scenario];
  if (scenario === undefined) throw new PasskError('INTERNAL', 'A result names a scenario that was not claimed.');
  return { ...record, scenario };
}

function isOfPlan(code: PasskError['code']): code is QueuedFailure['code'] {
  return code === 'INPUT' || code === 'PLUGIN' || code === 'PLAN' || code === 'INTEGRITY';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function trouble(error: unknown): PasskError {
  return new PasskError('INTERNAL', messageOf(error));
}
