import { compileWorkflow } from '../engine/compile.ts';
import { Graphs } from '../engine/engine.ts';
import type { Graph } from '../engine/graph.ts';
import type { SchemaCompiler } from '../engine/json-schema.ts';
import type { Registry } from '../plugin/registry.ts';
import type { WorkflowPlan } from '../types/plan.ts';
import type { Workflow } from '../types/workflow.ts';

export interface GraphTools {
  readonly registry: Registry;
  readonly compileSchema: SchemaCompiler;
  /** How many moves and outputs the program keeps; absent: `MEMO_LIMIT`. */
  readonly memoLimit?: number;
}

const MEMO_LIMIT = 4096;

/** The workflows of a scenario, its own and its children's, with every name resolved. */
export function compileGraphs(plan: WorkflowPlan, tools: GraphTools): Graphs {
  const { workflow: top, children, dryRun: isDry } = plan.scenario.subject;
  // A child runs on its parent's engine: with the backends and servers of that one, not its own.
  const backends = ['default', ...top.backends.map(({ name }) => name)];
  const mcpServers = top.mcpServers.map(({ name }) => name);
  const sampled = top.mcpServers.flatMap(({ name, sampling }) => (sampling === undefined ? [] : [[name, sampling]]));
  const mcpSampling: Readonly<Record<string, string>> = Object.fromEntries(sampled);
  const liveBackends = [...plan.liveModels, ...Object.keys(plan.liveEndpoints ?? {})];
  const memoLimit = { left: tools.memoLimit ?? MEMO_LIMIT };
  const { compileSchema } = tools;
  const dryRun = isDry === true;
  const nodeTypes = tools.registry.nodes;
  const graphs: Graph[] = [];
  let nodeOffset = 0;
  let edgeOffset = 0;
  const add = (key: string, workflow: Workflow): void => {
    const names = { backends, mcpServers, mcpSampling, liveBackends };
    const options = { key, ...names, nodeTypes, compileSchema, nodeOffset, edgeOffset, memoLimit, dryRun };
    graphs.push(compileWorkflow(workflow, options));
    nodeOffset += workflow.nodes.length;
    edgeOffset += workflow.edges.length;
  };
  add('', top);
  for (const key in children) add(key, children[key] as Workflow);
  return new Graphs(graphs);
}
