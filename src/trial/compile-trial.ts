import { compileChecks } from '../checks/compile-checks.ts';
import type { Check } from '../checks/check.ts';
import { createWorld } from '../effects/create-world.ts';
import { compileWorkflow } from '../engine/compile.ts';
import type { Graph } from '../engine/graph.ts';
import type { SchemaCompiler } from '../engine/json-schema.ts';
import { bitOf } from '../engine/note-answer.ts';
import type { RealTime, SessionRules } from '../engine/session.ts';
import { turnLabels } from '../intelligence/turn-labels.ts';
import type { Registry } from '../plugin/registry.ts';
import { createPolicy } from '../policy/create-policy.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Workflow } from '../types/workflow.ts';
import { inspectTrial } from './inspect-trial.ts';
import { Lane, type LaneParts } from './lane.ts';
import type { ProgramInfo, RunAsyncOptions, TrialProgram } from './program.ts';
import { Tally, type TallyShape } from './tally.ts';
import type { HostCall } from './trial-ports.ts';

/** What a program is compiled with: whatever is not plain data. */
export interface TrialTools {
  readonly registry: Registry;
  readonly compileSchema: SchemaCompiler;
  /** Null where no function of the host can be called. */
  readonly callHost: HostCall | null;
  /** Real time for programs that are not pure; called at the start of each trial. */
  readonly startClock: () => RealTime;
}

/** How many moves and outputs one program keeps. */
const MEMO_LIMIT = 4096;

/** The prebuilt engine of one scenario. */
export function compileTrial(plan: ScenarioPlan, tools: TrialTools): TrialProgram {
  const { scenario } = plan;
  const graphs = compileGraphs(plan, tools);
  const checks = compileChecks(scenario.expected, {
    nodeIds: scenario.workflow.nodes.map((node) => node.id),
    compileSchema: tools.compileSchema,
  });
  const budget = scenario.workflow.budget;
  const parts: LaneParts = {
    plan,
    graphs,
    rules: rulesOf(plan, checks),
    world: {
      plan,
      policy: createPolicy(scenario.policy, { mcpServers: scenario.workflow.mcpServers }),
      template: createWorld(
        scenario.world,
        budget?.maxFsWriteMb === undefined ? {} : { maxWrittenBytes: budget.maxFsWriteMb * 1024 * 1024 },
      ),
      faults: tools.registry.faults,
    },
    checks,
    callHost: tools.callHost,
    triggerBit: 1 << bitOf(`trigger_${scenario.trigger.kind}`),
  };
  const info = programInfo(graphs, checks, plan);
  const shape: TallyShape = {
    nodes: info.nodes.length,
    edges: info.edges.length,
    checks: checks.length,
    variants: info.turns.map((turn) => turn.variants),
  };
  const lane = new Lane(parts);
  return {
    info,
    shape,
    pure: plan.pure,
    newTally: () => new Tally(shape),
    run: (from, to, tally) => lane.run(from, to, tally),
    runAsync: (from, to, tally, options) => runLanes(parts, { from, to, tally }, tools.startClock, options),
    inspect: (trial) => inspectTrial(new Lane(parts), checks, shape, trial, plan.pure ? null : tools.startClock()),
  };
}

async function runLanes(
  parts: LaneParts,
  range: { readonly from: number; readonly to: number; readonly tally: Tally },
  startClock: () => RealTime,
  options: RunAsyncOptions,
): Promise<void> {
  let next = range.from;
  const work = async (): Promise<void> => {
    const lane = new Lane(parts);
    while (next < range.to && options.signal?.aborted !== true) {
      const trial = next++;
      await lane.runOne(trial, range.tally, startClock());
    }
  };
  const lanes = Math.max(1, Math.min(options.concurrency, range.to - range.from));
  await Promise.all(Array.from({ length: lanes }, work));
}

function rulesOf(plan: ScenarioPlan, checks: readonly Check[]): SessionRules {
  const { scenario } = plan;
  return {
    words: plan.words,
    timeoutUs: scenario.timeoutMs * 1000,
    maxTokens: scenario.workflow.budget?.maxLlmTokens ?? Infinity,
    approvals: new Map(
      Object.entries(scenario.world.approvals).map(([node, approval]) => [
        node,
        { resume: approval.decision === 'resume', afterUs: approval.afterMs * 1000 },
      ]),
    ),
    keepPrompts: checks.some((check) => check.needsPrompts),
    keepBranches: checks.some((check) => check.needsBranches),
  };
}

function compileGraphs(plan: ScenarioPlan, tools: TrialTools): ReadonlyMap<string, Graph> {
  const { scenario } = plan;
  const workflows: readonly (readonly [string, Workflow])[] = [
    ['', scenario.workflow],
    ...Object.entries(scenario.children),
  ];
  const memoLimit = { left: MEMO_LIMIT };
  let nodeOffset = 0;
  let edgeOffset = 0;
  return new Map(
    workflows.map(([key, workflow]) => {
      const graph = compileWorkflow(workflow, {
        key,
        nodeTypes: tools.registry.nodes,
        compileSchema: tools.compileSchema,
        nodeOffset,
        edgeOffset,
        memoLimit,
      });
      nodeOffset += workflow.nodes.length;
      edgeOffset += workflow.edges.length;
      return [key, graph];
    }),
  );
}

function programInfo(graphs: ReadonlyMap<string, Graph>, checks: readonly Check[], plan: ScenarioPlan): ProgramInfo {
  const { scenario } = plan;
  const label = (key: string, node: string): string => (key === '' ? node : `${key}#${node}`);
  const workflows: readonly (readonly [string, Workflow])[] = [
    ['', scenario.workflow],
    ...Object.entries(scenario.children),
  ];
  const labels = turnLabels(scenario.turns);
  return {
    nodes: [...graphs].flatMap(([key, graph]) => graph.nodes.map(({ id, type }) => ({ node: label(key, id), type }))),
    edges: workflows.flatMap(([key, workflow]) =>
      workflow.edges.map(({ from, to, when }) => ({ from: label(key, from), to: label(key, to), when: when ?? null })),
    ),
    checks: checks.map((check) => check.name),
    turns: scenario.turns.map((turn, index) => ({
      turn: labels[index] ?? `turns[${index}]`,
      variants: turn.variants.length,
    })),
  };
}
