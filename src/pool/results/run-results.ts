import { PasskError } from '../../errors.ts';
import { Tally } from '../../trial/tally/tally.ts';
import type { TallyShape } from '../../trial/tally/tally-shape.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { type BlockSpan, scenarioAt, trialsOf } from '../blocks/block-grid.ts';
import { BlockLedger } from '../blocks/block-ledger.ts';
import type { Interval } from '../blocks/interval-set.ts';
import { markNotRun } from '../repair/mark-broken.ts';
import type { FromWorker } from '../messages.ts';
import { type Culprit, type RepairBounds, RepairedBlock } from '../repair/repaired-block.ts';
import { decodeTally, encodeTally } from '../tally/tally-codec.ts';

/** One block of one scenario. */
export interface BlockId {
  readonly scenario: number;
  readonly block: number;
}

export interface RunResultsOptions {
  readonly plan: RunPlan;
  readonly bounds: RepairBounds;
  /** Gets each block once. */
  push(delta: Delta): void;
  /** Some trials of a block that is repaired are not to be run. */
  onGivenUp(block: BlockId): void;
  /** A block that was repaired is to be run as a whole after all. */
  onInnocent(block: BlockId): void;
}

/** What has arrived in a run: hands on each block once, whole, and knows what is missing. */
export class RunResults {
  private readonly options: RunResultsOptions;
  private readonly ledger: BlockLedger;
  private readonly repaired = new Map<string, RepairedBlock>();
  /** Blocks that were found innocent, and are run as a whole once more. */
  private readonly innocent = new Set<string>();
  private readonly shapes = new Map<number, TallyShape>();
  private readonly abandoned = new Set<number>();

  constructor(options: RunResultsOptions) {
    this.options = options;
    this.ledger = new BlockLedger(options.plan);
  }

  /** Trials in whole blocks that have arrived. */
  get trials(): number {
    return this.ledger.trials;
  }

  /** Failed and broken trials among them. */
  get failed(): number {
    return this.ledger.failed;
  }

  take(message: Extract<FromWorker, { kind: 'shape' | 'blocks' | 'trial' }>): void {
    const { scenario } = message;
    if (message.kind === 'shape') this.shapes.set(scenario, message.shape);
    else if (message.kind === 'blocks') {
      this.deliver({ scenario, fromBlock: message.from, toBlock: message.to, tally: message.tally });
    } else this.addTrial(message, message.trial, decodeTally(message.tally, this.shapeOf(scenario)));
  }

  /** The trial ends its worker whenever it is run. */
  blame(block: BlockId, trial: number, culprit: Culprit): void {
    this.addTrial(block, trial, culprit);
  }

  /** Whatever is missing of these blocks counts as broken; what still arrives of the scenario is dropped. */
  abandon(scenario: number, spans: readonly BlockSpan[], cause: string): void {
    this.abandoned.add(scenario);
    for (const span of this.missing(spans)) {
      for (let block = span.fromBlock; block < span.toBlock; block++) {
        const tally = new Tally(this.shapeOf(scenario));
        const { from, to } = trialsOf(scenarioAt(this.options.plan, scenario), block, block + 1);
        for (let trial = from; trial < to; trial++) markNotRun(tally, trial, cause);
        this.deliver({ scenario, fromBlock: block, toBlock: block + 1, tally: encodeTally(tally) });
      }
    }
  }

  isAbandoned(scenario: number): boolean {
    return this.abandoned.has(scenario);
  }

  missing(spans: readonly BlockSpan[]): BlockSpan[] {
    return this.ledger.missing(spans);
  }

  /** Trials of the range that have not arrived, be it alone or with their block. */
  missingTrials({ scenario, block }: BlockId, range: Interval): Interval[] {
    const missing = this.missing([{ scenario, fromBlock: block, toBlock: block + 1 }]);
    if (missing.length === 0) return [];
    return this.repaired.get(keyOf({ scenario, block }))?.missing(range) ?? [range];
  }

  private addTrial({ scenario, block }: BlockId, trial: number, result: Tally | Culprit): void {
    const span = { scenario, fromBlock: block, toBlock: block + 1 };
    // The block was given up meanwhile.
    if (this.missing([span]).length === 0) return;
    const repaired = this.repairedBlock({ scenario, block });
    const complete = repaired.add(trial, result);
    if (complete === null) return;
    this.repaired.delete(keyOf({ scenario, block }));
    if (this.isCountedAsWhole(scenario) && !repaired.hasCulprits && !this.innocent.has(keyOf({ scenario, block }))) {
      this.innocent.add(keyOf({ scenario, block }));
      this.options.onInnocent({ scenario, block });
      return;
    }
    this.deliver({ ...span, tally: encodeTally(complete) });
    if (repaired.hasGivenUp) this.options.onGivenUp({ scenario, block });
  }

  /** Only the whole block says how many of its trials ran and how many are counted like them. */
  private isCountedAsWhole(scenario: number): boolean {
    return scenarioAt(this.options.plan, scenario).dedupe === true;
  }

  private repairedBlock(id: BlockId): RepairedBlock {
    const existing = this.repaired.get(keyOf(id));
    if (existing !== undefined) return existing;
    const { plan, bounds } = this.options;
    const trials = trialsOf(scenarioAt(plan, id.scenario), id.block, id.block + 1);
    const created = new RepairedBlock(trials, { empty: new Tally(this.shapeOf(id.scenario)), bounds });
    this.repaired.set(keyOf(id), created);
    return created;
  }

  private deliver(delta: Delta): void {
    if (this.abandoned.has(delta.scenario) && this.missing([delta]).length === 0) return;
    if (this.ledger.accept(delta)) this.options.push(delta);
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
