import { PasskError } from '../errors.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { RunPlan } from '../types/plan.ts';
import type { QueueWorker } from '../types/queue-worker.ts';
import { untilBail } from '../pool/blocks/bail.ts';
import { spansOf } from '../pool/blocks/block-grid.ts';
import type { Executor } from '../pool/executor.ts';
import { planDigest } from '../records/plan-digest.ts';
import { HostedRun } from './hosted-run.ts';
import { loadQueueLibraries } from './queue-libraries.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisLink } from './redis-link.ts';

export interface QueueExecutorOptions {
  readonly address: RedisAddress;
  /** What the run's results depend on; workers compare it with what they are. */
  readonly identity: PlanIdentity;
  /** Folder that names of scenario files are relative to, as seen from the working directory. */
  readonly root: string;
  readonly lockMs: number;
  readonly outageMs: number;
  readonly waitMs: number;
  readonly onNotice: (text: string) => void;
}

/** An executor whose blocks are run by the workers of a queue. */
export interface QueueExecutor extends Executor {
  /** Workers that took part so far. */
  workers(): readonly QueueWorker[];
}

/** Hands the blocks of a plan to workers on any machines, by way of Redis. */
export function createQueueExecutor(settings: QueueExecutorOptions): QueueExecutor {
  let link: RedisLink | null = null;
  let hosted: HostedRun | null = null;
  return {
    async *run(plan, options = {}) {
      refuseHostFunctions(plan);
      const blocks = options.blocks ?? spansOf(plan);
      if (blocks.length === 0 || options.signal?.aborted === true) return;
      const libraries = await loadQueueLibraries();
      link ??= new RedisLink(libraries, settings.address, settings);
      const { identity, root, lockMs, waitMs, onNotice } = settings;
      const asksWorld = plan.scenarios.some(({ effects }) => effects !== undefined);
      const run = { identity, digest: planDigest(identity), root, asksWorld, lockMs };
      hosted = new HostedRun({ link, libraries, plan, blocks, run, waitMs, onNotice, options });
      const deltas = hosted.deltas();
      const { bail = 0 } = options;
      if (bail > 0) yield* untilBail(deltas, { blocks, bail });
      else yield* deltas;
    },
    async close() {
      link?.close();
    },
    workers: () => hosted?.table.report() ?? [],
  };
}

/** Functions, agents and keys of models live in the host's process; they are not for other machines. */
function refuseHostFunctions(plan: RunPlan): void {
  const first = plan.scenarios.find(
    (plan) =>
      plan.liveModels.length > 0 ||
      plan.liveNodes.length > 0 ||
      plan.liveEndpoints !== undefined ||
      plan.traits.place === 'host',
  );
  if (plan.hostFunctions.length === 0 && first === undefined) return;
  throw new PasskError(
    'USAGE',
    `Scenario "${first?.scenario.name ?? ''}" asks models, agents or functions of this process, which workers of a queue cannot reach.`,
    { hint: 'Run it without --queue, or answer it with turns and mocks.' },
  );
}
