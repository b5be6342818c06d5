import { PasskError } from '../errors.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { BlockSpan } from '../pool/blocks/block-grid.ts';
import { decodePlan, type QueuedRun } from './queue-frames.ts';

/** Packed bytes of plans in a worker's memory; beyond them the oldest are dropped, and fetched again when needed. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A plan of a claim's scenarios alone, and where each stands in the whole plan. */
export interface ClaimedPlan {
  readonly plan: RunPlan;
  readonly blocks: readonly BlockSpan[];
  /** Position in the whole plan, by position in this one. */
  readonly positions: readonly number[];
}

/** The scenario plans of one run as a worker needs them: fetched on the first claim, checked against their digests. */
export class PlanStore {
  private readonly run: QueuedRun;
  private readonly fetch: (positions: readonly number[]) => Promise<readonly (Uint8Array | null)[]>;
  private readonly plans = new Map<number, { readonly plan: Omit<ScenarioPlan, 'index'>; readonly bytes: number }>();
  private bytes = 0;

  constructor(run: QueuedRun, fetch: (positions: readonly number[]) => Promise<readonly (Uint8Array | null)[]>) {
    this.run = run;
    this.fetch = fetch;
  }

  /** What the spans need, with `base` for the rest. Throws `INTEGRITY` for a plan that is not what the run says. */
  async planFor(spans: readonly BlockSpan[], base: Omit<RunPlan, 'scenarios'>): Promise<ClaimedPlan> {
    const positions = [...new Set(spans.map(({ scenario }) => scenario))];
    const missing = positions.filter((position) => !this.plans.has(position));
    const stored = new Map(positions.flatMap((position) => [[position, this.plans.get(position)?.plan] as const]));
    const fetched = missing.length === 0 ? [] : await this.fetch(missing);
    for (const [at, position] of missing.entries()) {
      const plan = await this.decode(position, fetched[at] ?? null);
      stored.set(position, plan);
      this.keep(position, plan, fetched[at]?.length ?? 0);
    }
    const scenarios = positions.flatMap((position, index) => {
      const plan = stored.get(position);
      return plan === undefined ? [] : [{ ...plan, index }];
    });
    const blocks = spans.map((span) => ({ ...span, scenario: positions.indexOf(span.scenario) }));
    return { plan: { ...base, scenarios }, blocks, positions };
  }

  private async decode(position: number, bytes: Uint8Array | null): Promise<Omit<ScenarioPlan, 'index'>> {
    const expected = this.run.identity.scenarios[position];
    const plan = bytes === null || expected === undefined ? null : await decodePlan(bytes, expected.digest);
    if (plan !== null && expected?.trials === plan.trials) return plan;
    throw new PasskError('INTEGRITY', `The plan of scenario ${position} is not the one that the run says.`, {
      hint: 'Something else writes to the keys of this run: give passk a database of its own.',
    });
  }

  private keep(position: number, plan: Omit<ScenarioPlan, 'index'>, bytes: number): void {
    this.plans.set(position, { plan, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: size }] of this.plans) {
      if (this.bytes <= MOST_BYTES || oldest === position) break;
      this.plans.delete(oldest);
      this.bytes -= size;
    }
  }
}
