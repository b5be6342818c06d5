import type { RunPlan } from '../types/plan.ts';
import { type BlockSpan, scenarioAt } from '../pool/blocks/block-grid.ts';
import { trialsIn } from '../pool/blocks/trials-in.ts';

/** Time that one claim should take: much longer than its way through Redis, and short enough to run again when it is lost. */
const CLAIM_MS = 1_000;
const SHORTEST_MS = 50;
/** Trials that wait for the outside world cannot be timed: a claim holds so many for each one that a worker has in flight. */
const TRIALS_AT_A_TIME = 4;
const MAX_SPANS = 64;

/** Cuts the blocks of a run into claims that take about a second at the speed that was measured. */
export class ClaimCutter {
  private readonly plan: RunPlan;
  private readonly pending: BlockSpan[];
  private readonly rates = new Map<number, number>();
  private overall: number | null = null;
  private left: number;

  /** `spans` in the order in which they are to be handed out. */
  constructor(plan: RunPlan, spans: readonly BlockSpan[]) {
    this.plan = plan;
    this.pending = [...spans];
    this.left = trialsIn(plan, spans);
  }

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /** What is to be handed out. */
  get remaining(): readonly BlockSpan[] {
    return this.pending;
  }

  /** Notes that one worker process took `tookMs` for so many trials of these scenarios. */
  note(scenarios: readonly number[], trials: number, tookMs: number): void {
    const rate = trials / Math.max(0.1, tookMs);
    const mixed = (before: number | null | undefined): number => (before == null ? rate : (before + rate) / 2);
    this.overall = mixed(this.overall);
    for (const scenario of scenarios) this.rates.set(scenario, mixed(this.rates.get(scenario)));
  }

  /** Takes blocks that have to be handed out again; they come first. */
  putBack(spans: readonly BlockSpan[]): void {
    this.pending.unshift(...spans);
    this.left += trialsIn(this.plan, spans);
  }

  /** Drops all blocks that come after this one in plan order. */
  stopAfter(scenario: number, block: number): void {
    const remaining = this.pending.flatMap((span) => {
      if (span.scenario !== scenario) return span.scenario < scenario ? [span] : [];
      const toBlock = Math.min(span.toBlock, block + 1);
      return toBlock > span.fromBlock ? [{ ...span, toBlock }] : [];
    });
    this.pending.splice(0, this.pending.length, ...remaining);
    this.left = trialsIn(this.plan, remaining);
  }

  /** Drops the blocks of a scenario from this one on. */
  close(scenario: number, block: number): void {
    const remaining = this.pending.flatMap((span) => {
      const toBlock = span.scenario === scenario ? Math.min(span.toBlock, block) : span.toBlock;
      return toBlock > span.fromBlock ? [{ ...span, toBlock }] : [];
    });
    this.pending.splice(0, this.pending.length, ...remaining);
    this.left = trialsIn(this.plan, remaining);
  }

  /** The next claim, ascending within a scenario; [] when there is nothing left. `concurrency`: trials that a worker has in flight at once. */
  next({ workers, concurrency }: { readonly workers: number; readonly concurrency: number }): BlockSpan[] {
    // Near the end claims become short, so that all workers end together.
    const leftMs = this.overall === null ? 0 : this.left / this.overall;
    let budget = Math.min(CLAIM_MS, Math.max(SHORTEST_MS, leftMs / (2 * Math.max(1, workers))));
    const share = Math.max(1, Math.ceil(this.left / (2 * Math.max(1, workers))));
    const claim: BlockSpan[] = [];
    while (budget > 0 && claim.length < MAX_SPANS) {
      const span = this.pending.shift();
      if (span === undefined) break;
      const { blockSize, traits } = scenarioAt(this.plan, span.scenario);
      const rate = this.rates.get(span.scenario);
      const affordable = rate === undefined ? 1 : Math.floor((budget * rate) / blockSize);
      // A scenario that does not fit into what is left of this claim opens the next one.
      if (affordable === 0 && claim.length > 0) {
        this.pending.unshift(span);
        break;
      }
      const waiting = traits.sync ? 1 : Math.min(share, concurrency * TRIALS_AT_A_TIME);
      const toBlock = Math.min(span.toBlock, span.fromBlock + Math.max(1, affordable, waiting));
      if (toBlock < span.toBlock) this.pending.unshift({ ...span, fromBlock: toBlock });
      const cut = { ...span, toBlock };
      const last = claim.at(-1);
      // Neighbouring blocks are one span: a worker's pool would join them anyway.
      if (last?.scenario === cut.scenario && last.toBlock === cut.fromBlock) {
        claim[claim.length - 1] = { ...last, toBlock };
      } else claim.push(cut);
      const trials = trialsIn(this.plan, [cut]);
      this.left -= trials;
      // Nobody has measured these blocks yet: one of them fills a claim, unless other scenarios have been measured.
      const speed = rate ?? this.overall;
      budget -= speed === null ? budget : trials / speed;
    }
    return claim;
  }
}
