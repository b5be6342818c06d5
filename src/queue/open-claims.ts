import { PasskError } from '../errors.ts';
import { FailingScenarios } from '../pool/blocks/bail.ts';
import { describeProgram } from '../trial/describe-program.ts';
import { shapeOf } from '../trial/tally/tally-shape.ts';
import { Tally } from '../trial/tally/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from '../pool/blocks/block-grid.ts';
import { BlockLedger } from '../pool/blocks/block-ledger.ts';
import { markBroken } from '../pool/repair/mark-broken.ts';
import { wantedBlocks } from '../pool/blocks/stop-tracker.ts';
import type { Closings } from '../pool/executor.ts';
import { encodeTally, verdictsOf } from '../pool/tally/tally-codec.ts';
import { trialsIn } from '../pool/blocks/trials-in.ts';
import { ClaimCutter } from './claim-cutter.ts';
import type { QueuedResult } from './queue-frames.ts';

export interface OpenClaimsOptions {
  readonly plan: RunPlan;
  readonly blocks: readonly BlockSpan[];
  readonly bail: number;
  /** Scenarios that end early; absent: none does. */
  readonly closings?: Closings;
}

/** Keeps account of blocks: with a worker, arrived, or to be handed out. Each counts once, however often it arrives. */
export class OpenClaims {
  private readonly plan: RunPlan;
  private readonly blocks: readonly BlockSpan[];
  private readonly bail: number;
  private readonly failing: FailingScenarios;
  private readonly closings: Closings | undefined;
  private readonly ledger: BlockLedger;
  private readonly cutter: ClaimCutter;
  private readonly out = new Map<string, readonly BlockSpan[]>();
  /** Blocks that were given up. A worker that was only slow may still deliver one, which is then ignored. */
  private readonly givenUp = new Set<string>();
  private count = 0;
  /** Trials that have arrived, and failed and broken ones among them. */
  readonly arrived: { trials: number; failed: number } = { trials: 0, failed: 0 };

  constructor({ plan, blocks, bail, closings }: OpenClaimsOptions) {
    this.plan = plan;
    this.blocks = blocks;
    this.bail = bail;
    this.failing = new FailingScenarios(bail);
    this.closings = closings;
    this.ledger = new BlockLedger(plan, { compareRepeats: true });
    this.cutter = new ClaimCutter(plan, blocks);
  }

  /** True when no more results are expected. With bail, none are beyond the block that ends the run. */
  get isDone(): boolean {
    return this.cutter.isEmpty && this.out.size === 0;
  }

  get size(): number {
    return this.out.size;
  }

  has(claim: string): boolean {
    return this.out.has(claim);
  }

  /** Positions of the scenarios that have blocks with a worker or to be handed out. */
  get scenariosLeft(): ReadonlySet<number> {
    const spans = [...this.cutter.remaining, ...[...this.out.values()].flatMap((spans) => this.missing(spans))];
    return new Set(spans.map(({ scenario }) => scenario));
  }

  /** A new claim to be sent; null when everything has been handed out. */
  open(speed: { readonly workers: number; readonly concurrency: number }): {
    readonly name: string;
    readonly spans: readonly BlockSpan[];
  } | null {
    const spans = this.cutter.next(speed);
    if (spans.length === 0) return null;
    const name = `claim-${++this.count}`;
    this.out.set(name, spans);
    return { name, spans };
  }

  /** Gives up the blocks of a scenario from this one on: they are neither handed out nor waited for. */
  close(scenario: number, block: number): void {
    this.cutter.close(scenario, block);
    for (const [claim, spans] of this.out) if (this.missing(spans).length === 0) this.out.delete(claim);
  }

  /** Redis has forgotten all open claims: their blocks will be handed out again, under new names. */
  reopen(): void {
    for (const claim of [...this.out.keys()]) this.giveBack(claim);
  }

  /** Takes what a worker sent; returns what counts. Throws `INTEGRITY` for results that contradict others. */
  take({ claim, records, isLast, tookMs }: QueuedResult): readonly Delta[] {
    const fresh = records.filter((record) => this.accept(record));
    const spans = this.out.get(claim);
    if (spans === undefined) return fresh;
    const trials = trialsIn(this.plan, records);
    const scenarios = [...new Set(records.map(({ scenario }) => scenario))];
    if (trials > 0) this.cutter.note(scenarios, trials, tookMs);
    if (isLast) {
      // With bail, what is missing comes after the block that ends the run.
      if (this.bail > 0) this.out.delete(claim);
      else this.giveBack(claim);
    } else if (this.missing(spans).length === 0) this.out.delete(claim);
    return fresh;
  }

  /**
   * A claim that no worker survived: the block that was run alone is broken, the rest is handed out again. `at` is that
   * block; null: no worker got that far.
   */
  fail(claim: string, at: readonly [scenario: number, block: number] | null, cause: string): readonly Delta[] {
    const spans = this.out.get(claim);
    if (spans === undefined) return [];
    const blamed = at !== null && spans.some((span) => contains(span, at)) ? this.brokenBlock(at, cause) : null;
    const fresh = blamed !== null && this.accept(blamed) ? [blamed] : [];
    for (const block of fresh) this.givenUp.add(nameOf(block));
    this.giveBack(claim);
    return fresh;
  }

  private accept(record: Delta): boolean {
    const missing = this.ledger.missing([record]);
    // A worker that was taken for dead may still deliver a claim whose blocks already come one by one.
    const isPart = missing.length > 0 && trialsIn(this.plan, missing) < trialsIn(this.plan, [record]);
    if (isPart || this.givenUp.has(nameOf(record)) || !this.ledger.accept(record)) return false;
    this.arrived.trials = this.ledger.trials;
    this.arrived.failed = this.ledger.failed;
    const { failed, broken } = verdictsOf(record.tally);
    if (this.bail === 0 || failed + broken === 0) return true;
    const last = this.failing.note(record.scenario, record.fromBlock);
    if (last !== null) this.cutter.stopAfter(last.scenario, last.at);
    return true;
  }

  private giveBack(claim: string): void {
    const spans = this.out.get(claim) ?? [];
    this.out.delete(claim);
    const missing = this.missing(spans);
    if (missing.length > 0) this.cutter.putBack(missing);
  }

  /** Those of these blocks that are needed and have not arrived. */
  private missing(spans: readonly BlockSpan[]): readonly BlockSpan[] {
    return wantedBlocks(this.ledger.missing(spans), this.closings);
  }

  private brokenBlock([scenario, block]: readonly [number, number], cause: string): Delta {
    const plan = scenarioAt(this.plan, scenario);
    const tally = new Tally(shapeOf(describeProgram(plan)));
    const { from, to } = trialsOf(plan, block, block + 1);
    for (let trial = from; trial < to; trial++) markBroken(tally, trial, cause);
    return { scenario, fromBlock: block, toBlock: block + 1, tally: encodeTally(tally) };
  }

  /** Throws `INTERNAL` when blocks are missing although no worker has a claim. */
  requireWhole(): void {
    if (this.bail > 0 || this.missing(this.blocks).length === 0) return;
    throw new PasskError('INTERNAL', 'Some blocks were handed out but never arrived.');
  }
}

function contains(span: BlockSpan, [scenario, block]: readonly [number, number]): boolean {
  return span.scenario === scenario && block >= span.fromBlock && block < span.toBlock;
}

function nameOf({ scenario, fromBlock, toBlock }: BlockSpan): string {
  return `${scenario}:${fromBlock}:${toBlock}`;
}
