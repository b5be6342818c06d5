import process from 'node:process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../src/pool/tally-codec.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { ScenarioPlan } from '../../src/types/plan.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../../src/types/workflow.ts';
import { compilePure } from '../support/compile-pure.ts';
import { aPlan, aTurn } from '../engine/a-trial.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';

const RUNS = Number(process.env['PASSK_LAW_RUNS'] ?? 300);
const TRIALS = 4;

/** Everything that four trials tell, in counts and in words; or why there is no program. */
async function told(plan: ScenarioPlan, isFresh: boolean): Promise<unknown> {
  // Programs of different registries have nothing in common.
  const registry = isFresh ? { ...builtinRegistry, nodes: new Map(builtinRegistry.nodes) } : builtinRegistry;
  try {
    const program = compilePure(plan, { registry });
    const tally = program.newTally();
    program.run(0, TRIALS, tally);
    const traces: unknown[] = [];
    for (let trial = 0; trial < TRIALS; trial++) traces.push(await program.inspect(trial));
    const { nodes, edges, turns, checks } = program.info;
    return { bytes: encodeTally(tally), traces, names: { nodes, edges, turns, checks } };
  } catch (error) {
    return String(error);
  }
}

type Change = (workflow: Workflow, at: number) => Workflow;

const ofNode =
  (change: (node: WorkflowNode) => WorkflowNode): Change =>
  (workflow, at) => {
    const chosen = at % workflow.nodes.length;
    return { ...workflow, nodes: workflow.nodes.map((node, i) => (i === chosen ? change(node) : node)) };
  };

const ofEdge =
  (change: (edge: WorkflowEdge) => WorkflowEdge): Change =>
  (workflow, at) => {
    const chosen = at % Math.max(1, workflow.edges.length);
    return { ...workflow, edges: workflow.edges.map((edge, i) => (i === chosen ? change(edge) : edge)) };
  };

function changedConfig(config: JsonObject): JsonObject {
  const entries = Object.entries(config).map(([key, value]): [string, JsonObject[string]] => {
    if (typeof value === 'string') return [key, key === 'backend' ? value : `${value}{{x}}`];
    if (typeof value === 'number') return [key, value + 1];
    return [key, value];
  });
  return Object.fromEntries(entries);
}

/** What tells one workflow from another; the first is a copy that nothing tells from it. */
const changes: Readonly<Record<string, Change>> = {
  nothing: (workflow) => structuredClone(workflow),
  name: (workflow) => ({ ...workflow, name: `${workflow.name} again` }),
  config: ofNode((node) => ({ ...node, config: changedConfig(node.config) })),
  'order of keys': ofNode((node) => ({
    ...node,
    config: Object.fromEntries(Object.entries(node.config).reverse()),
  })),
  type: ofNode((node) => ({ ...node, type: node.type === 'merge' ? 'terminate' : 'merge' })),
  id: (workflow, at) => {
    const old = workflow.nodes[at % workflow.nodes.length]?.id;
    const renamed = (id: string): string => (id === old ? `${id}_again` : id);
    return {
      ...workflow,
      nodes: workflow.nodes.map((node) => ({ ...node, id: renamed(node.id) })),
      edges: workflow.edges.map((edge) => ({ ...edge, from: renamed(edge.from), to: renamed(edge.to) })),
      startNodes: workflow.startNodes.map(({ entryNode, ...start }) =>
        entryNode === undefined ? start : { ...start, entryNode: renamed(entryNode) },
      ),
    };
  },
  retry: ofNode((node) => ({ ...node, retry: { on: 'any', maxAttempts: 3, backoffMs: 1, jitter: 0 } })),
  label: ofEdge((edge) => ({ ...edge, when: `${edge.when ?? ''}?` })),
  loop: ofEdge((edge) => ({ ...edge, maxIterations: (edge.maxIterations ?? 0) + 1 })),
  entry: (workflow, at) => {
    const entryNode = workflow.nodes[at % workflow.nodes.length]?.id ?? '';
    return { ...workflow, startNodes: workflow.startNodes.map((start) => ({ ...start, entryNode })) };
  },
  backends: (workflow) => ({ ...workflow, backends: [] }),
};

test('a program is told nothing by the programs that were compiled before it', {
  timeout: 60_000 + RUNS * 400,
}, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPlan, fc.constantFrom(...Object.keys(changes)), fc.nat(), async (plan, change, at) => {
      const { scenario } = plan;
      await told(plan, false);
      const workflow = changes[change]?.(scenario.workflow, at) ?? scenario.workflow;
      const changed = { ...plan, scenario: { ...scenario, workflow } };
      expect(await told(changed, false)).toEqual(await told(changed, true));
      // What the second one did is nothing to the first either.
      expect(await told(plan, false)).toEqual(await told(plan, true));
    }),
    { numRuns: RUNS },
  );
});

test('a loop tells its model the name of its own workflow, however alike another is', async () => {
  const plan = aPlan({
    nodes: [['loop', 'agent_loop', { backend: 'default', maxSteps: 3, instructions: 'Go.', tools: ['call_mcp_tool'] }]],
    turns: [
      aTurn('{"action": "tool", "tool": "call_mcp_tool", "args": {"tool": "x"}}'),
      aTurn('{"action": "final", "result": 1}'),
    ],
  });
  for (const name of ['one', 'two', 'one']) {
    const named = { ...plan, scenario: { ...plan.scenario, workflow: { ...plan.scenario.workflow, name } } };
    const { trace } = await compilePure(named).inspect(0);
    expect(JSON.stringify(trace)).toContain(`workflow \`${name}\`: no mcp_servers configured`);
  }
});
