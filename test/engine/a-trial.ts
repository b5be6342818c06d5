import type { TrialTools } from '../../src/trial/compile-trial.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Chaos } from '../../src/types/chaos.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import type { Policy } from '../../src/types/policy.ts';
import type { Turn } from '../../src/types/scenario.ts';
import type { World } from '../../src/types/scenarios/world.ts';
import type { Trace } from '../../src/types/trace.ts';
import type { Outcome } from '../../src/types/trial.ts';
import type { McpServer, Retry, Workflow, WorkflowEdge } from '../../src/types/workflow.ts';
import { compilePure } from '../support/compile-pure.ts';
import { anExpected } from '../checks/builders.ts';
import { SYNC } from '../trial/some-traits.ts';

/** A node in one line: its id, type, the type's keys. */
export type NodeLine = readonly [id: string, type: string, config?: JsonObject, retry?: Partial<Retry>];

export interface FlowParts {
  readonly nodes: readonly NodeLine[];
  /** `from -> to`, `from -label-> to`, either with `*3` behind: a loop edge followed three times. */
  readonly edges?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
  readonly maxLlmTokens?: number;
}

/** A workflow that starts at its first node. */
export function aFlow({ nodes, edges = [], mcpServers = [], maxLlmTokens }: FlowParts, name = 'flow'): Workflow {
  return {
    name,
    startNodes: [{ name: 'main', source: 'manual', entryNode: nodes[0]?.[0] ?? '' }],
    nodes: nodes.map(([id, type, config = {}, retry]) => ({
      id,
      type,
      config,
      ...(retry === undefined ? {} : { retry: { maxAttempts: 1, backoffMs: 0, on: 'any', jitter: 0, ...retry } }),
    })),
    edges: edges.map(readEdge),
    mcpServers,
    backends: [],
    triggers: [],
    httpRoutes: [],
    ...(maxLlmTokens === undefined ? {} : { budget: { maxLlmTokens } }),
  };
}

function readEdge(line: string): WorkflowEdge {
  const [, from = '', when, to = '', loop] = /^(\S+) -(?:(\S+)-)?> (\S+?)(?: \*(\d+))?$/.exec(line) ?? [];
  return {
    from,
    to,
    ...(when === undefined ? {} : { when }),
    ...(loop === undefined ? {} : { maxIterations: Number(loop) }),
  };
}

/** A turn that always says the same, for five tokens. */
export function aTurn(
  content: string,
  parts: Partial<Turn> = {},
  fault?: { readonly type: string; readonly config: JsonObject },
): Turn {
  const variant = {
    content,
    promptTokens: 3,
    completionTokens: 2,
    weight: 1,
    ...(fault === undefined ? {} : { fault }),
  };
  return { repeat: false, variants: [variant], ...parts };
}

export interface TrialParts extends FlowParts {
  readonly children?: Readonly<Record<string, FlowParts>>;
  readonly payload?: Json;
  readonly turns?: readonly Turn[];
  readonly world?: Partial<World>;
  readonly policy?: Policy;
  readonly timeoutMs?: number;
  readonly chaos?: Chaos;
  readonly aroundPorts?: NonNullable<TrialTools['aroundPorts']>;
}

/** The plan of a pure scenario of one trial. */
export function aPlan(parts: TrialParts): WorkflowPlan {
  const { children = {}, payload = null, turns = [], world = {}, policy = null, timeoutMs = 30_000, chaos } = parts;
  return {
    index: 0,
    scenario: {
      name: 'trial',
      file: '<memory>',
      capabilities: [],
      tags: [],
      trials: 1,
      minPassRate: null,
      timeoutMs,
      seed: null,
      sampler: null,
      subject: {
        kind: 'workflow',
        workflow: aFlow(parts),
        children: Object.fromEntries(Object.entries(children).map(([key, child]) => [key, aFlow(child, key)])),
        trigger: { kind: 'manual', start: 'main', payload },
        turns,
        policy,
        world: { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {}, ...world },
      },
      faults: { intelErrorOnCall: null, ...(chaos === undefined ? {} : { chaos }) },
      expected: anExpected({}),
    },
    sampler: 'seeded',
    words: [1, 2, 3, 4],
    trials: 1,
    traits: SYNC,
    userCode: false,
    schemas: true,
    liveModels: [],
    liveNodes: [],
    blockSize: 4096,
  };
}

/** A compiled scenario. */
export function aProgram(parts: TrialParts): WorkflowProgram {
  return compilePure(aPlan(parts), { ...(parts.aroundPorts === undefined ? {} : { aroundPorts: parts.aroundPorts }) });
}

/** Trial 0 of a scenario that must not be broken. */
export async function aTrial(parts: TrialParts): Promise<Outcome & { readonly trace: Trace }> {
  const { result, trace } = await aProgram(parts).inspect(0);
  if (result.outcome === null) throw new Error(`the trial is broken: ${result.brokenBy}`);
  return { ...result.outcome, trace };
}

/** The tally of trial 0. */
export function aTally(parts: TrialParts): Tally {
  const program = aProgram(parts);
  const tally = program.newTally();
  program.run(0, 1, tally);
  return tally;
}
