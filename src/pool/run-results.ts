import { PasskError } from '../errors.ts';
import { Tally, type TallyShape } from '../trial/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';
import { BlockLedger } from './block-ledger.ts';
import type { Interval } from './interval-set.ts';
import { markBroken } from './mark-broken.ts';
import type { FromWorker } from './messages.ts';
import { PartialBlocks } from './partial-blocks.ts';
import { decodeTally, encodeTally } from './tally-codec.ts';

/** One block of one scenario. */
export interface BlockId {
  readonly scenario: number;
  readonly block: number;
}

/** What has arrived in a run: hands on each block once, whole, and knows what is missing. */
export class RunResults {
  private readonly plan: RunPlan;
  private readonly push: (delta: Delta) => void;
  private readonly ledger: BlockLedger;
  private readonly partial = new PartialBlocks();
  private readonly shapes = new Map<number, TallyShape>();
  private readonly abandoned = new Set<number>();

  constructor(plan: RunPlan, push: (delta: Delta) => void) {
    this.plan = plan;
    this.push = push;
    this.ledger = new BlockLedger(plan);
  }

  /** Trials in whole blocks that have arrived. */
  get trials(): number {
    return this.ledger.trials;
  }

  /** Failed and broken trials among them. */
  get failed(): number {
    return this.ledger.failed;
  }

  take(message: Extract<FromWorker, { kind: 'shape' | 'blocks' | 'trials' }>): void {
    const { scenario } = message;
    if (message.kind === 'shape') this.shapes.set(scenario, message.shape);
    else if (message.kind === 'blocks') {
      this.deliver({ scenario, fromBlock: message.from, toBlock: message.to, tally: message.tally });
    } else if (!this.abandoned.has(scenario)) {
      this.addTrials(message, message, decodeTally(message.tally, this.shapeOf(scenario)));
    }
  }

  /** The trials count as broken. */
  break(block: BlockId, range: Interval, cause: string): void {
    const tally = new Tally(this.shapeOf(block.scenario));
    for (let trial = range.from; trial < range.to; trial++) markBroken(tally, trial, cause);
    this.addTrials(block, range, tally);
  }

  /** Whatever is missing of these blocks counts as broken; what still arrives of the scenario is dropped. */
  abandon(scenario: number, spans: readonly BlockSpan[], cause: string): void {
    this.abandoned.add(scenario);
    for (const span of this.missing(spans)) {
      for (let block = span.fromBlock; block < span.toBlock; block++) {
        const whole = trialsOf(scenarioAt(this.plan, scenario), block, block + 1);
        for (const range of this.missingTrials({ scenario, block }, whole))
          this.break({ scenario, block }, range, cause);
      }
    }
  }

  isAbandoned(scenario: number): boolean {
    return this.abandoned.has(scenario);
  }

  /** True: some worker has compiled the scenario. */
  isPrepared(scenario: number): boolean {
    return this.shapes.has(scenario);
  }

  missing(spans: readonly BlockSpan[]): BlockSpan[] {
    return this.ledger.missing(spans);
  }

  /** Trials of the range that have not arrived, be it alone or with their block. */
  missingTrials({ scenario, block }: BlockId, range: Interval): Interval[] {
    const whole = this.missing([{ scenario, fromBlock: block, toBlock: block + 1 }]);
    return whole.length === 0 ? [] : this.partial.missing(keyOf({ scenario, block }), range);
  }

  private addTrials({ scenario, block }: BlockId, range: Interval, tally: Tally): void {
    const whole = trialsOf(scenarioAt(this.plan, scenario), block, block + 1);
    const complete = this.partial.add(keyOf({ scenario, block }), range, whole, tally);
    if (complete === null) return;
    this.deliver({ scenario, fromBlock: block, toBlock: block + 1, tally: encodeTally(complete) });
  }

  private deliver(delta: Delta): void {
    if (this.abandoned.has(delta.scenario) && this.missing([delta]).length === 0) return;
    if (this.ledger.accept(delta)) this.push(delta);
  }

  private shapeOf(scenario: number): TallyShape {
    const shape = this.shapes.get(scenario);
    if (shape !== undefined) return shape;
    throw new PasskError('INTERNAL', `No worker has told the shape of scenario ${scenario}.`);
  }
}

function keyOf({ scenario, block }: BlockId): string {
  return `${scenario}:${block}`;
}
