import { PasskError } from '../../errors.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';

/** Blocks fromBlock … toBlock − 1 of one scenario. */
export interface BlockSpan {
  readonly scenario: number;
  readonly fromBlock: number;
  /** Exclusive. */
  readonly toBlock: number;
}

/** Positions are 32-bit words in shared memory; the margin keeps racing claims from wrapping. */
export const MAX_POSITIONS = 2 ** 31 - 2 ** 20;

/** All blocks of a run laid end to end, so that one counter hands them out. */
export class BlockGrid {
  readonly spans: readonly BlockSpan[];
  readonly total: number;
  /** Position of each span's first block, and the total at the end. */
  private readonly starts: readonly number[];

  constructor(spans: readonly BlockSpan[]) {
    this.spans = spans;
    const starts = [0];
    let total = 0;
    for (const span of spans) {
      total += span.toBlock - span.fromBlock;
      starts.push(total);
    }
    this.starts = starts;
    this.total = total;
    if (total <= MAX_POSITIONS) return;
    throw new PasskError('PLAN', `The plan has ${total} blocks; one run takes at most ${MAX_POSITIONS}.`, {
      hint: 'Lower `trials` (each trial with real input and output is a block of its own), or run the scenarios in parts.',
    });
  }

  /** The blocks at positions from … to − 1, scenario by scenario. */
  slice(from: number, to: number): BlockSpan[] {
    const parts: BlockSpan[] = [];
    let at = from;
    for (let index = this.spanAt(from); at < to && index < this.spans.length; index++) {
      const span = this.spans[index] as BlockSpan;
      const start = this.starts[index] as number;
      const end = Math.min(to, this.starts[index + 1] as number);
      if (end > at) {
        parts.push({
          scenario: span.scenario,
          fromBlock: span.fromBlock + (at - start),
          toBlock: span.fromBlock + (end - start),
        });
        at = end;
      }
    }
    return parts;
  }

  /** The position after the last span that is such a one; 0: none is. */
  startAfter(isSuch: (span: BlockSpan) => boolean): number {
    return this.starts[this.spans.findLastIndex(isSuch) + 1] as number;
  }

  private spanAt(position: number): number {
    let low = 0;
    let high = this.spans.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Every block of the scenarios that `includes` accepts, in plan order. */
export function spansOf(plan: RunPlan, includes: (scenario: ScenarioPlan) => boolean = () => true): BlockSpan[] {
  return plan.scenarios
    .filter((scenario) => scenario.trials > 0 && includes(scenario))
    .map((scenario) => ({ scenario: scenario.index, fromBlock: 0, toBlock: blockCount(scenario) }));
}

export function blockCount(scenario: ScenarioPlan): number {
  return Math.ceil(scenario.trials / scenario.blockSize);
}

/** Trials of blocks fromBlock … toBlock − 1; the last block of a scenario may be short. */
export function trialsOf(
  scenario: ScenarioPlan,
  fromBlock: number,
  toBlock: number,
): { readonly from: number; readonly to: number } {
  return { from: fromBlock * scenario.blockSize, to: Math.min(scenario.trials, toBlock * scenario.blockSize) };
}

/** The scenario at a position of the plan, which must have it. */
export function scenarioAt(plan: RunPlan, index: number): ScenarioPlan {
  const scenario = plan.scenarios[index];
  if (scenario !== undefined && scenario.index === index) return scenario;
  throw new PasskError('INTEGRITY', `A result names scenario ${index}, which the plan does not have.`);
}
