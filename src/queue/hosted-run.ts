import { randomBytes } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import type { BlockSpan } from '../pool/blocks/block-grid.ts';
import { DROP_IN_FLIGHT, type ExecutorRunOptions, type RunProgress } from '../pool/executor.ts';
import { shapedJson } from '../records/shaped.ts';
import { trialsIn } from '../pool/blocks/trials-in.ts';
import { AnswerStream } from './answer-stream.ts';
import { McpAskers } from './mcp-askers.ts';
import { OpenClaims } from './open-claims.ts';
import { placeSchema } from './queue.schema.ts';
import { decodeAnswer, encodePlan, encodeRunHead, type QueuedRun } from './queue-frames.ts';
import { ALIVE_MS, JOBS_PREFIX, MAX_REDELIVERIES, RUNS_KEY, type RunKeys, runKeys } from './queue-keys.ts';
import type { QueueLibraries } from './queue-libraries.ts';
import { answersOf, textsOf } from './redis-answers.ts';
import type { RedisLink } from './redis-link.ts';
import { removeJobs, removeKeys } from './remove-run.ts';
import { WorkerRefusals } from './worker-refusals.ts';
import { WorkerTable } from './worker-table.ts';

const BEAT_MS = 250;
/** Plans that are sent in one go. */
const PLANS_AT_ONCE = 64;
/** How long claims in work may take to end after Ctrl-C. */
const ENDING_MS = 5_000;
/** How long tidying up may take at the end of a run. */
const CLEAN_MS = 5_000;
const WAITING_NOTICE_MS = 2_000;
/** So often workers may send back one claim. */
const ATTEMPTS = 5;

export interface HostedRunOptions {
  readonly link: RedisLink;
  readonly libraries: Pick<QueueLibraries, 'Queue'>;
  readonly plan: RunPlan;
  readonly blocks: readonly BlockSpan[];
  readonly run: QueuedRun;
  /** Longest time without any worker. */
  readonly waitMs: number;
  readonly onNotice: (text: string) => void;
  readonly options: ExecutorRunOptions;
}

type Failed = Pick<Job, 'id' | 'failedReason' | 'remove'>;

/** One run on a queue, seen from its host, which alone knows what has arrived. */
export class HostedRun {
  readonly table: WorkerTable;
  private readonly parts: HostedRunOptions;
  private readonly id: string;
  private readonly keys: RunKeys;
  private readonly queue: Queue;
  private readonly answers: AnswerStream;
  private readonly claims: OpenClaims;
  private readonly askers: McpAskers;
  private readonly total: number;
  private readonly refusals = new WorkerRefusals();
  private beatAt = Number.NEGATIVE_INFINITY;
  private workerSeenAt = performance.now();
  private saidWaiting = false;
  private emptyBeats = 0;
  private shown: RunProgress;
  /** Results that count and that nobody has taken yet. */
  private readonly arrivals: Delta[] = [];

  constructor(parts: HostedRunOptions) {
    this.parts = parts;
    const { link, libraries, plan, blocks, run, onNotice, options } = parts;
    this.id = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
    this.keys = runKeys(this.id);
    this.queue = new libraries.Queue(this.id, { connection: link.client, prefix: JOBS_PREFIX });
    this.queue.on('error', () => undefined);
    this.answers = new AnswerStream({ key: this.keys.results, reader: link.another(), client: link.client });
    const { bail = 0, closings } = options;
    this.claims = new OpenClaims({ plan, blocks, bail, ...(closings !== undefined && { closings }) });
    this.askers = new McpAskers(plan);
    this.table = new WorkerTable({ silentMs: 2 * run.lockMs, onNotice });
    this.total = trialsIn(plan, blocks);
    this.shown = { done: 0, total: this.total, failed: 0 };
  }

  async *deltas(): AsyncGenerator<Delta, void, undefined> {
    const { signal, closings } = this.parts.options;
    const unhear = closings?.onClose((scenario, block) => this.claims.close(scenario, block));
    try {
      await this.publish();
      while (!this.claims.isDone) {
        await this.step(signal);
        yield* this.arrivals.splice(0);
      }
      this.claims.requireWhole();
      await this.meetWorkers();
    } catch (error) {
      if (signal?.aborted !== true || error !== signal.reason) throw error;
      // Ctrl-C in the middle of a turn.
      await this.finish(signal);
      yield* this.arrivals.splice(0);
    } finally {
      unhear?.();
      await this.clean();
    }
  }

  /** One turn: takes what has arrived, looks at the workers, hands out claims. */
  private async step(signal?: AbortSignal): Promise<void> {
    const { link } = this.parts;
    await link.orLost(() => this.read(), signal);
    if (performance.now() - this.beatAt >= BEAT_MS) await link.orLost(() => this.beat(), signal);
    if (signal?.aborted !== true) await link.orLost(() => this.refill(), signal);
  }

  /** Puts the run where workers find it. */
  private async publish(): Promise<void> {
    const { link, plan, run } = this.parts;
    const { client } = link;
    const batches = Math.ceil(plan.scenarios.length / PLANS_AT_ONCE);
    for (let batch = 0; batch < batches; batch++) {
      const plans = plan.scenarios.slice(batch * PLANS_AT_ONCE, (batch + 1) * PLANS_AT_ONCE);
      const fields: (string | Buffer)[] = [];
      for (const one of plans) fields.push(String(one.index), Buffer.from(await encodePlan(one)));
      await link.orLost(() => client.hset(this.keys.plans, ...fields));
    }
    // The head is written last, so that a worker that finds it finds the rest.
    const head = Buffer.from(encodeRunHead(run));
    await link.orLost(() =>
      client
        .multi()
        .set(this.keys.head, head)
        .set(this.keys.alive, '1', 'PX', ALIVE_MS)
        .zadd(RUNS_KEY, Date.now(), this.id)
        .exec(),
    );
  }

  /** Takes the answers that have come since, waiting a little for the first. */
  private async read(): Promise<void> {
    const count = await this.answers.read(BEAT_MS, (frame) => this.arrivals.push(...this.take(frame)));
    if (count > 0) this.emptyBeats = 0;
  }

  private take(bytes: Buffer | undefined): readonly Delta[] {
    const answer = bytes === undefined ? null : decodeAnswer(bytes);
    if (answer === null || answer.digest !== this.parts.run.digest) {
      throw new PasskError('INTEGRITY', 'A result arrived that is damaged or of another plan.', {
        hint: 'Something else writes to the keys of this run: give passk a database of its own.',
      });
    }
    if (answer.kind === 'result') return this.claims.take(answer);
    const { code, message, hint, worker } = answer;
    throw new PasskError(code, `Worker ${worker}: ${message}`, hint === undefined ? {} : { hint });
  }

  /** A short run may end before its host has heard of any worker. */
  private async meetWorkers(): Promise<void> {
    const { link } = this.parts;
    this.table.update(await link.orLost(() => link.client.hgetall(this.keys.workers)), performance.now());
  }

  private async beat(): Promise<void> {
    this.beatAt = performance.now();
    const { client } = this.parts.link;
    const commands = client
      .multi()
      .set(this.keys.alive, '1', 'PX', ALIVE_MS)
      .zadd(RUNS_KEY, 'NX', Date.now(), this.id)
      .exists(this.keys.head)
      .hgetall(this.keys.workers)
      .hgetall(this.keys.refused);
    const askers = this.askers.encode(() => this.claims.scenariosLeft);
    if (askers !== null) commands.set(this.keys.askers, askers, 'PX', ALIVE_MS);
    const [, , head, rows, refused] = await answersOf(commands.exec());
    if (head !== 1) {
      this.parts.onNotice('Redis has forgotten this run; it is published again.');
      this.answers.restart();
      this.claims.reopen();
      await this.publish();
      return;
    }
    const silent = this.table.update(textsOf(rows), performance.now());
    if (silent.length > 0) await client.hdel(this.keys.workers, ...silent);
    for (const news of this.refusals.update(textsOf(refused))) this.parts.onNotice(news);
    this.requireWorkers();
    this.tellProgress();
    await this.inspectClaims();
  }

  private requireWorkers(): void {
    const now = performance.now();
    const { waitMs, onNotice, link } = this.parts;
    if (this.table.count > 0) {
      this.workerSeenAt = now;
      this.saidWaiting = false;
    }
    const waited = now - this.workerSeenAt;
    if (waited > WAITING_NOTICE_MS && !this.saidWaiting) {
      this.saidWaiting = true;
      onNotice(this.refusals.absence(link.shown));
    }
    if (waited <= waitMs) return;
    throw new PasskError('QUEUE', `No worker has taken part for ${Math.ceil(waitMs / 1000)} s.`, {
      hint: this.refusals.absence(link.shown),
    });
  }

  private tellProgress(): void {
    const flying = this.table.inFlight((claim) => this.claims.has(claim));
    const { trials, failed } = this.claims.arrived;
    this.shown = {
      done: Math.min(this.total, Math.max(this.shown.done, trials + flying.done)),
      total: this.total,
      failed: Math.max(this.shown.failed, failed + flying.failed),
    };
    this.parts.options.onProgress?.({ ...this.shown, peers: this.table.shown() });
  }

  /** Claims that BullMQ has given up, and claims that no worker holds any more. */
  private async inspectClaims(): Promise<void> {
    const counts = await this.queue.getJobCounts('wait', 'active', 'delayed', 'prioritized', 'failed');
    if ((counts['failed'] ?? 0) > 0) {
      for (const job of await this.queue.getFailed(0, 99)) this.arrivals.push(...(await this.settleFailed(job)));
    }
    const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0);
    this.emptyBeats = jobs === 0 && this.claims.size > 0 ? this.emptyBeats + 1 : 0;
    // A worker sends results before it closes their claim, so after two looks none can be on its way.
    if (this.emptyBeats > 2) this.claims.reopen();
  }

  private async settleFailed(job: Failed): Promise<readonly Delta[]> {
    const claim = job.id ?? '';
    const { failedReason } = job;
    await job.remove();
    if (!this.claims.has(claim)) return [];
    if (!/stalled/.test(failedReason)) {
      throw new PasskError('QUEUE', `No worker could run some blocks: ${failedReason.replace(/\.$/, '')}.`, {
        hint: 'Look at what the workers say.',
      });
    }
    const text = await this.parts.link.client.hget(this.keys.at, claim);
    const at = shapedJson<readonly [number, number]>(text, placeSchema);
    const deaths = MAX_REDELIVERIES + 1;
    return this.claims.fail(claim, at, `its block has cost ${deaths} worker processes, or they went silent in it`);
  }

  private async refill(): Promise<void> {
    const workers = Math.max(1, this.table.count);
    const jobs: Parameters<Queue['addBulk']>[0] = [];
    // Two for each worker: when one claim ends the next is there, and few wait in Redis.
    while (this.claims.size < 2 * workers + 2) {
      const claim = this.claims.open({ workers, concurrency: this.table.concurrency });
      if (claim === null) break;
      const spans = claim.spans.map(({ scenario, fromBlock, toBlock }) => [scenario, fromBlock, toBlock]);
      const opts = { jobId: claim.name, attempts: ATTEMPTS, removeOnComplete: true };
      jobs.push({ name: 'blocks', data: { spans }, opts });
    }
    if (jobs.length > 0) await this.queue.addBulk(jobs);
  }

  /** After Ctrl-C: hands out nothing more, and takes what claims in work still send. */
  private async finish({ reason }: AbortSignal): Promise<void> {
    const { link } = this.parts;
    if (link.lost.aborted || link.client.status !== 'ready') return;
    const until = AbortSignal.timeout(ENDING_MS);
    try {
      await link.orLost(() => this.queue.drain(), until);
      while (reason !== DROP_IN_FLIGHT && (await link.orLost(() => this.queue.getActiveCount(), until)) > 0) {
        await link.orLost(() => this.read(), until);
      }
      await link.orLost(() => this.read(), until);
    } catch (error) {
      if (error !== until.reason) throw error;
    }
  }

  private async clean(): Promise<void> {
    const { link } = this.parts;
    const tidied = this.removeRun().catch(() => undefined);
    // Without Redis nothing can be tidied; the next run or worker does it.
    const isThere = !link.lost.aborted && link.client.status === 'ready';
    if (isThere) await Promise.race([tidied, after(CLEAN_MS, undefined, { ref: false })]);
    this.answers.close();
  }

  private async removeRun(): Promise<void> {
    await removeKeys(this.parts.link.client, this.id);
    await removeJobs(this.queue);
  }
}
