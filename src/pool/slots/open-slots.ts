import { mcpUsers } from '../../trial/mcp-users.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { HasProcessCode } from '../../types/scenarios/process-code.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { BlockSpan } from '../blocks/block-grid.ts';
import type { Control } from '../control.ts';
import type { CompileProgram } from '../executor.ts';
import { HostSlot } from './host-slot.ts';
import type { HostedBlocks } from '../blocks/hosted-blocks.ts';
import { type FromWorker, packSpans, type ToWorker } from '../messages.ts';
import type { BlockId } from '../results/run-results.ts';
import type { InFlightShares } from './share-in-flight.ts';
import { silenceLimitOf } from '../silence-limit.ts';
import type { Slot, SlotOptions, WorkerSource } from './slot.ts';

/** What slots are opened with besides what the run itself says of each. */
export type SharedSlotOptions = Omit<
  SlotOptions,
  'control' | 'worker' | 'spans' | 'plugins' | 'granted' | 'servers' | 'onMessage' | 'silenceLimitMs' | 'concurrency'
>;

export interface OpenSlotsOptions extends SharedSlotOptions, HasProcessCode {
  readonly plan: RunPlan;
  readonly source: WorkerSource;
  /** Makes programs of what the host runs itself; null: it runs nothing. */
  readonly compile: CompileProgram | null;
  readonly shares: InFlightShares;
  readonly control: Control;
  /** The block at each position of the grid. */
  readonly order: readonly BlockSpan[];
  readonly hosted: HostedBlocks | null;
  /** A worker that shows no sign of life for so long is ended; sooner where its trials may take less. */
  readonly hangTimeoutMs: number;
  /** True: whoever hangs there is blamed for it. */
  isJudged(worker: number): boolean;
  judge(block: BlockId, record: TrialRecord): Promise<number>;
  receive(worker: number, message: FromWorker, answer: (message: ToWorker) => void): void;
}

/** The places of a run: its workers, and the host after them, where it runs something itself. */
export interface Slots {
  readonly workers: readonly Slot[];
  readonly host: Slot | null;
}

export function openSlots(options: OpenSlotsOptions): Slots {
  const { plan, source, compile, shares, control, order, hosted, hangTimeoutMs, receive } = options;
  const spans = packSpans(order);
  const servers = mcpUsers(plan);
  const workers = shares.inWorkers.map((concurrency, worker) =>
    source.open({
      ...options,
      concurrency,
      worker,
      spans,
      plugins: plan.plugins,
      granted: plan.granted ?? null,
      servers,
      silenceLimitMs: () =>
        silenceLimitOf(plan, { control, worker, longestMs: hangTimeoutMs, isJudged: options.isJudged(worker) }),
      onMessage: (message, answer) => receive(worker, message, answer),
    }),
  );
  if (hosted === null || compile === null) return { workers, host: null };
  const worker = workers.length;
  const host = new HostSlot({
    ...options,
    compile,
    concurrency: shares.onHost,
    worker,
    plugins: plan.plugins,
    blocks: hosted,
    onMessage: (message) => receive(worker, message, () => {}),
  });
  return { workers, host };
}
