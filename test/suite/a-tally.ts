import type { TallyShape } from '../../src/trial/tally/tally-shape.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import type { ProgramInfo } from '../../src/trial/program-info.ts';
import type { ScenarioPlan } from '../../src/types/plan.ts';
import type { Scenario, WorkflowSubject } from '../../src/types/scenario.ts';
import { COUNTERS, type CounterName } from '../../src/types/trial.ts';
import { anExpected } from '../checks/builders.ts';
import { SYNC } from '../trial/some-traits.ts';

/** A program of three nodes, three checks and one turn with two variants. */
export const anInfo: ProgramInfo = {
  nodes: [
    { node: 'classify', type: 'llm_infer' },
    { node: 'route', type: 'switch' },
    { node: 'done', type: 'terminate' },
  ],
  edges: [
    { from: 'classify', to: 'route', when: null },
    { from: 'route', to: 'done', when: 'alpha' },
  ],
  checks: ['status', 'last_node', 'path'],
  turns: [{ turn: '0', variants: 2 }],
  faults: [],
};

const shape: TallyShape = { nodes: 3, edges: 2, checks: 3, variants: [2], faults: 0, columns: '' };

export interface TallyNumbers {
  readonly trials: number;
  /** The first trial counted; 0 where absent. */
  readonly from?: number;
  /** Trials that fail these checks, by position; all others pass. */
  readonly failing?: Readonly<Record<number, readonly number[]>>;
  readonly broken?: Readonly<Record<number, string>>;
  readonly tokens?: number;
}

/** The counts of trials from … trials − 1, each with one call and the same tokens. */
export function aTally({ trials, from = 0, failing = {}, broken = {}, tokens = 100 }: TallyNumbers): Tally {
  const tally = new Tally(shape);
  for (let trial = from; trial < trials; trial++) {
    const checks = failing[trial];
    const cause = broken[trial];
    const each = COUNTERS.map((name) => (name === 'llmCalls' ? 1 : name === 'llmTokens' ? tokens : 0));
    for (const [i, value] of each.entries()) tally.counters[i] = (tally.counters[i] ?? 0) + value;
    tally.addSquaredTokens(tokens);
    if (trial === 0) tally.first = [...each];
    tally.elapsedUs += 1500;
    tally.maxElapsedUs = 1500;
    tally.served[trial % 2] = (tally.served[trial % 2] ?? 0) + 1;
    tally.nodeVisits[0] = (tally.nodeVisits[0] ?? 0) + 1;
    tally.edgeVisits[0] = (tally.edgeVisits[0] ?? 0) + 1;
    if (cause !== undefined) {
      tally.markBroken(trial, cause);
      continue;
    }
    tally.statuses[0] = (tally.statuses[0] ?? 0) + 1;
    if (checks === undefined) {
      tally.stops[0] = (tally.stops[0] ?? 0) + 1;
      tally.markPassed(trial);
    } else {
      tally.stops[3] = (tally.stops[3] ?? 0) + 1;
      tally.markFailed(trial, checks);
    }
  }
  return tally;
}

/** Counters that are 0 but for these. */
export function named(values: Partial<Record<CounterName, number>> = {}): Record<CounterName, number> {
  return { ...(Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Record<CounterName, number>), ...values };
}

/** Fields of a scenario, and of the workflow that is tried. */
export type PlanChanges = Partial<Omit<Scenario, 'subject'>> & Partial<Omit<WorkflowSubject, 'kind'>>;

/** A plan for `trials` trials of a scenario, with these fields changed. */
export function aPlan(
  trials: number,
  { workflow, dryRun, children, trigger, turns, policy, world, ...changes }: PlanChanges = {},
): ScenarioPlan {
  const scenario: Scenario = {
    name: 'classify',
    file: 'corpus/classify.toml',
    capabilities: ['llm_infer', 'switch'],
    tags: ['smoke'],
    trials,
    minPassRate: null,
    timeoutMs: 30_000,
    seed: null,
    sampler: null,
    subject: {
      kind: 'workflow',
      workflow: workflow ?? {
        name: 'w',
        startNodes: [],
        nodes: [],
        edges: [],
        mcpServers: [],
        backends: [],
        triggers: [],
        httpRoutes: [],
      },
      ...(dryRun !== undefined && { dryRun }),
      children: children ?? {},
      trigger: trigger ?? { kind: 'manual', start: 'main', payload: null },
      turns: turns ?? [],
      policy: policy ?? null,
      world: world ?? { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {} },
    },
    faults: { intelErrorOnCall: null },
    expected: anExpected({}),
    ...changes,
  };
  return {
    index: 0,
    scenario,
    sampler: 'seeded',
    words: [1, 2, 3, 4],
    trials,
    traits: SYNC,
    userCode: false,
    blockSize: 4096,
    schemas: false,
    liveModels: [],
    liveNodes: [],
  };
}
