import { liveModelFunction, liveNodeFunction } from '../plugin/live-node.ts';
import type { Executor } from '../pool/executor.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { displayName } from '../source/source-file.ts';
import { createHybridExecutor } from '../pool/hybrid-executor.ts';
import { monotonicMs } from '../pool/monotonic-ms.ts';
import { identifyPlan } from '../records/plan-digest.ts';
import type { QueueExecutor } from '../queue/queue-executor.ts';
import { startClock } from '../pool/start-clock.ts';
import { buildProgram } from '../trial/build-program.ts';
import type { HasFilePlaces } from '../types/check-places.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { LiveCounts } from '../types/live-counts.ts';
import type { RunPlan } from '../types/plan.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import type { QueueWorker } from '../types/queue-worker.ts';
import type { AgentNotices } from '../host/agent-notices.ts';
import type { SessionSpan } from '../host/session-span.ts';
import { openOutside, type Outside } from '../host/open-outside.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import type { RowsOf } from './counts/progress-rows.ts';
import type { ScenarioCounts } from './counts/count-checks.ts';
import { RunCounts } from './counts/run-counts.ts';
import { isSettledBy, settlersOf } from './stop-early.ts';

/** The results of a run, before they are folded into a report. */
export interface RunResult {
  /** One per planned scenario, in plan order. */
  readonly scenarios: readonly ScenarioCounts[];
  /** True: stopped by the signal, or by the budget, before all trials had run. */
  readonly partial: boolean;
  /** Null: no real model was asked. */
  readonly live: LiveCounts | null;
  /** What a reader of the report must know of the run. */
  readonly notices: readonly Issue[];
  /** By contract, what the run learned of its agent; absent: not known. */
  readonly agents?: AgentNotices['facts'];
  /** When sessions were under way, by the scenario's position in the plan; absent: not known. */
  readonly spans?: ReadonlyMap<number, SessionSpan>;
  readonly usedWorkers: boolean;
  /** The worker processes of the queue; null: there was no queue. */
  readonly queue: readonly QueueWorker[] | null;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Calls to real models of a run that is under way. */
export type LiveCalls = Pick<Outside, 'counts' | 'charge'>;

/** Puts something between the runner and its executor. */
export type Through = (executor: Executor, live: LiveCalls) => Executor;

/** Options of a run, and what has a line of its own in its progress. */
export interface RunnerOptions extends ResolvedRunOptions, HasProcessCode, HasFilePlaces {
  /** Absent or null: nothing has. */
  readonly rowsOf?: RowsOf | null;
}

/** Runs plans, one after the other; workers that were started stay warm until it is closed. */
export interface Runner {
  run(plan: RunPlan, options: RunnerOptions, through?: Through): Promise<RunResult>;
  close(): Promise<void>;
}

export function createRunner(
  options: Pick<ResolvedRunOptions, 'workers' | 'isolation' | 'concurrency' | 'nodes' | 'models' | 'onOutput'>,
): Runner {
  const executor = createHybridExecutor({
    workers: options.workers,
    isolation: options.isolation,
    concurrency: options.concurrency,
    // What runs on the calling thread is pure, or only waits: the real world is for workers.
    compile: (plan, services) => buildProgram(plan, { ...services, startClock, effects: null }),
    hostFunctions: hostFunctions(options),
    onOutput: options.onOutput,
  });
  return {
    async run(plan, options, through = (same) => same) {
      const startedAt = new Date();
      const start = monotonicMs();
      const outside = await openOutside(plan, options, process.env);
      const ends = [options.signal, ...outside.ends].filter((end) => end instanceof AbortSignal);
      const counts = new RunCounts(plan, options.minPassRate);
      let usedWorkers = false;
      let isOver = false;
      let queue: QueueExecutor | null = null;
      try {
        queue = await queueFor(plan, options);
        const deltas = through(queue ?? executor, outside).run(plan, {
          bail: options.bail,
          onWorkers: () => {
            usedWorkers = true;
          },
          onProgress: (progress) => {
            const rows = options.rowsOf?.(counts, outside.openQuestions);
            options.onProgress({ kind: 'progress', ...progress, ...(rows !== undefined && { rows }) });
          },
          ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
          hostFunctions: outside.functions,
          processCode: options.processCode,
        });
        for await (const delta of deltas) {
          const scenario = counts.add(delta);
          if (scenario !== null) options.onProgress({ kind: 'failing', scenario });
        }
        isOver = ends.every((end) => !end.aborted);
      } finally {
        await queue?.close();
        await outside.close(isOver);
      }
      const scenarios = counts.all();
      const partial = ends.some((end) => end.aborted) && !isWhole(plan, scenarios, settlersOf(plan, options));
      return {
        scenarios,
        partial,
        live: outside.counts(),
        notices: outside.notices(),
        agents: outside.agents(),
        spans: outside.spans,
        usedWorkers,
        queue: queue?.workers() ?? null,
        startedAt,
        durationMs: monotonicMs() - start,
      };
    },
    close: () => executor.close(),
  };
}

async function queueFor(plan: RunPlan, options: ResolvedRunOptions): Promise<QueueExecutor | null> {
  const { queue, cwd } = options;
  if (queue === null) return null;
  const root = displayName(plan.granted?.root ?? cwd, cwd);
  const { createQueueExecutor } = await import('../queue/queue-executor.ts');
  return createQueueExecutor({ ...queue, identity: await identifyPlan(plan, options), root });
}

function isWhole(plan: RunPlan, scenarios: RunResult['scenarios'], settlers: ReturnType<typeof settlersOf>): boolean {
  const isSettled = isSettledBy(settlers);
  return plan.scenarios.every(({ trials }, index) => {
    const tally = scenarios[index]?.tally;
    return tally !== undefined && (tally.executed === trials || isSettled(index, tally));
  });
}

/** The user's live nodes and models as functions of plain data. */
function hostFunctions({ nodes, models }: Pick<ResolvedRunOptions, 'nodes' | 'models'>): Record<string, HostFunction> {
  const functions: Record<string, HostFunction> = {};
  for (const [type, node] of Object.entries(nodes)) {
    functions[liveNodeFunction(type)] = (payload, signal) => {
      // Made by the live node's own step, so the shape is known.
      const { inputs, config } = payload as unknown as {
        readonly inputs: readonly Json[];
        readonly config: JsonObject;
      };
      return node.run(inputs, config, { signal });
    };
  }
  for (const [backend, model] of Object.entries(models)) {
    functions[liveModelFunction(backend)] = (payload, signal) =>
      model(payload as unknown as Parameters<typeof model>[0], { signal });
  }
  return functions;
}
