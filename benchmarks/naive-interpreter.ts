import type { Json } from '../src/types/json.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import type { ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from '../src/types/trial.ts';
import { naiveFailedChecks } from './naive-checks.ts';
import { NaiveKept } from './naive-kept.ts';
import { NaiveWalk } from './naive-walk.ts';
import { NaiveBroken, type NaiveCounters, NaiveWorld } from './naive-world.ts';

/** What one trial came to; nodes and edges are counted by position, the top-level workflow's first. */
export interface NaiveOutcome {
  readonly status: SubjectStatus | 'broken';
  readonly stoppedBy: StoppedBy | null;
  readonly lastNode: string | null;
  readonly path: readonly string[];
  readonly reason: string | null;
  readonly category: ErrorCategory | null;
  readonly finalValue: Json;
  readonly response: HttpResponse | null;
  readonly counters: NaiveCounters;
  readonly elapsedUs: number;
  readonly nodeVisits: readonly number[];
  readonly edgeVisits: readonly number[];
  /** Served variants, all turns' variants in one row. */
  readonly served: readonly number[];
  /** Names of the expectations that do not hold; [] when broken. */
  readonly failedChecks: readonly string[];
  /** Why the harness had no answer; null unless broken. */
  readonly brokenBy: string | null;
}

/**
 * One trial, read off the specification in the plainest way: without `kept`, every trial builds all steps again; it
 * looks values up by name, and awaits everything. A second opinion on what trials mean, and, with `kept`, the baseline
 * for how fast they are.
 */
export async function runNaive(plan: WorkflowPlan, trial: number, kept = new NaiveKept()): Promise<NaiveOutcome> {
  const { scenario } = plan;
  const { workflow, trigger } = scenario.subject;
  const world = new NaiveWorld(plan, trial, kept);
  const walk = new NaiveWalk(world, {
    key: '',
    workflow,
    name: '',
    depth: 0,
    clockUs: 0,
    deadlineUs: scenario.timeoutMs * 1000,
  });
  world.counters.workflowStarts++;
  try {
    const end = await walk.run(trigger.start, trigger.kind, trigger.payload);
    return {
      ...outcomeOf(world, walk),
      ...end,
      failedChecks: naiveFailedChecks(plan, world, walk, end),
      brokenBy: null,
    };
  } catch (error) {
    if (!(error instanceof NaiveBroken)) throw error;
    const nothing = { stoppedBy: null, reason: null, category: null, finalValue: null, response: null };
    return { ...outcomeOf(world, walk), ...nothing, status: 'broken', failedChecks: [], brokenBy: error.message };
  }
}

function outcomeOf(world: NaiveWorld, walk: NaiveWalk) {
  return {
    lastNode: walk.path.at(-1) ?? null,
    path: walk.path,
    counters: world.counters,
    elapsedUs: walk.clockUs,
    nodeVisits: world.nodeVisits,
    edgeVisits: world.edgeVisits,
    served: world.served,
  };
}
