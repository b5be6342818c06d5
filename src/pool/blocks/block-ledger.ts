import { createHash } from 'node:crypto';
import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { blockCount, type BlockSpan, scenarioAt, trialsOf } from './block-grid.ts';
import { IntervalSet } from './interval-set.ts';
import { verdictsOf } from '../tally/tally-codec.ts';

/** The exact set of blocks that have arrived, so that each counts once, wherever it came from and however often. */
export class BlockLedger {
  private readonly plan: RunPlan;
  private readonly received = new Map<number, IntervalSet>();
  private readonly digests: Map<string, string> | null;
  /** Trials that have arrived. */
  trials = 0;
  /** Failed and broken trials among them. */
  failed = 0;

  /**
   * `compareRepeats`: remember a digest of each delta, to compare it with a later one of the same blocks. Wanted
   * where deltas may be delivered twice; memory then grows with their number.
   */
  constructor(plan: RunPlan, { compareRepeats = false }: { readonly compareRepeats?: boolean } = {}) {
    this.plan = plan;
    this.digests = compareRepeats ? new Map() : null;
  }

  /**
   * True: new, to be counted. False: counted before, to be dropped. Throws `INTEGRITY` for a result that the plan does not
   * have, that overlaps others in part, or that differs from what the same blocks of a pure program gave before.
   */
  accept(delta: Delta): boolean {
    const scenario = scenarioAt(this.plan, delta.scenario);
    const { fromBlock, toBlock } = delta;
    const name = `Blocks ${fromBlock} to ${toBlock - 1} of "${scenario.scenario.name}"`;
    const inRange = Number.isInteger(fromBlock) && Number.isInteger(toBlock) && fromBlock >= 0 && fromBlock < toBlock;
    if (!inRange || toBlock > blockCount(scenario)) {
      throw new PasskError('INTEGRITY', `${name} arrived, but the plan has ${blockCount(scenario)} blocks of it.`);
    }
    const counts = verdictsOf(delta.tally);
    const range = trialsOf(scenario, fromBlock, toBlock);
    if (counts.passed + counts.failed + counts.broken !== range.to - range.from) {
      throw new PasskError(
        'INTEGRITY',
        `${name} hold ${range.to - range.from} trials, but arrived with another number.`,
      );
    }
    const added = this.setOf(delta.scenario).add(fromBlock, toBlock);
    if (added === 'partial') {
      throw new PasskError('INTEGRITY', `${name} arrived, but some of them had already arrived with others.`, {
        hint: 'Merge only results of one run, cut at the same blocks.',
      });
    }
    if (added === 'known') {
      this.compare(delta, scenario.traits.repeatable, name);
      return false;
    }
    this.digests?.set(keyOf(delta), digestOf(delta));
    this.trials += range.to - range.from;
    this.failed += counts.failed + counts.broken;
    return true;
  }

  /** The blocks of these spans that have not arrived. */
  missing(spans: readonly BlockSpan[]): BlockSpan[] {
    return spans.flatMap(({ scenario, fromBlock, toBlock }) =>
      this.setOf(scenario)
        .missing(fromBlock, toBlock)
        .map(({ from, to }) => ({ scenario, fromBlock: from, toBlock: to })),
    );
  }

  private compare(delta: Delta, isRepeatable: boolean, name: string): void {
    const before = this.digests?.get(keyOf(delta));
    if (!isRepeatable || before === undefined || before === digestOf(delta)) return;
    throw new PasskError('INTEGRITY', `${name} gave two different results, which a repeatable program never does.`, {
      hint: 'Look for state, clocks or dice in custom nodes, faults or checks of this scenario.',
    });
  }

  private setOf(scenario: number): IntervalSet {
    const intervals = this.received.get(scenario);
    if (intervals !== undefined) return intervals;
    const created = new IntervalSet();
    this.received.set(scenario, created);
    return created;
  }
}

function keyOf({ scenario, fromBlock, toBlock }: Delta): string {
  return `${scenario}:${fromBlock}:${toBlock}`;
}

function digestOf({ tally }: Delta): string {
  return createHash('sha256').update(tally).digest('base64');
}
