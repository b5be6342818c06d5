import { PasskError } from '../errors.ts';
import { grantedPorts } from '../effects/granted-ports.ts';
import { AGENT_CALL, LIVE_CALL, liveModelFunction, liveNodeFunction } from '../plugin/live-node.ts';
import type { Port } from '../plugin/request.ts';
import type { Registry } from '../plugin/registry.ts';
import { deriveWords } from '../random/draw.ts';
import { CASSETTE_READ, CASSETTE_WRITE } from '../types/cassette.ts';
import type { Contract } from '../types/contract.ts';
import type { LiveNode } from '../types/live-node.ts';
import type { PlannedEndpoint } from '../types/model-endpoint.ts';
import { BLOCK_SIZE, type RunPlan, type ScenarioPlan } from '../types/plan.ts';
import type { Sampler, Scenario } from '../types/scenario.ts';
import type { WorkflowNode } from '../types/workflow.ts';
import type { ResolvedRunOptions } from './options.ts';
import { endpointOf } from './live-backends.ts';
import { planEffects } from './plan-effects.ts';
import { requirePrices, withPrices } from './plan-prices.ts';
import { isDrawnBesides, refuseInexact } from './refuse-inexact.ts';

/** What the plan takes from the loaded suite. */
export interface PlanInput {
  readonly scenarios: readonly Scenario[];
  readonly registry: Registry;
  readonly liveNodes: readonly LiveNode[];
  /** Those that scenarios are parts of; absent: none. */
  readonly contracts?: readonly Contract[];
  /** Absolute folder that names of scenario files are relative to. */
  readonly root: string;
}

/** Trials, seed words and ports of every scenario: plain data from which any worker can run any trial. */
export function planRun(input: PlanInput, options: ResolvedRunOptions): RunPlan {
  const scenarios = input.scenarios.map((scenario, index) => planScenario(scenario, index, input, options));
  refuseInexact(scenarios);
  requirePrices(scenarios);
  const hostFunctions = new Set(
    scenarios.flatMap((plan) => [
      ...plan.liveModels.map(liveModelFunction),
      ...(plan.liveEndpoints === undefined ? [] : [LIVE_CALL]),
      ...(plan.agent === undefined ? [] : [AGENT_CALL]),
      ...plan.liveNodes.map(({ type }) => liveNodeFunction(type)),
      ...(plan.cassette === undefined ? [] : [plan.cassette === 'record' ? CASSETTE_WRITE : CASSETTE_READ]),
    ]),
  );
  const { permissions, cassette } = options;
  const isReplay = cassette?.mode === 'replay';
  return {
    scenarios,
    plugins: options.plugins,
    hostFunctions: [...hostFunctions].sort(),
    // What was granted to those who recorded is not granted to those who replay.
    ...(!isReplay && grantedPorts(permissions).size > 0 && { granted: { permissions, root: input.root } }),
  };
}

function planScenario(
  scenario: Scenario,
  index: number,
  { registry, liveNodes, contracts = [] }: PlanInput,
  options: ResolvedRunOptions,
): ScenarioPlan {
  const nodes = [scenario.workflow, ...Object.values(scenario.children)].flatMap((workflow) => workflow.nodes);
  const types = new Set(nodes.map((node) => node.type));
  const usedLive = liveNodes.filter(({ type }) => types.has(type));
  const backends = options.live || scenario.turns.length === 0 ? backendsOf(nodes) : [];
  const liveModels = backends.filter((name) => Object.hasOwn(options.models, name));
  const liveEndpoints = options.live ? endpointsOf(backends, scenario, options) : {};
  const asksModels = Object.keys(liveEndpoints).length > 0;
  const needs = (node: WorkflowNode): readonly Port[] =>
    registry.nodes.get(node.type)?.nodeType.needs(node.config) ?? [];
  const effects = planEffects(scenario, { permissions: options.permissions, nodes, needs });
  const asksHost = nodes.some((node) => needs(node).includes('host'));
  const pure = !asksHost && liveModels.length === 0 && !asksModels && effects.length === 0;
  const sampler = samplerOf(scenario, options);
  const isExhaustive = sampler === 'exhaustive';
  // The whole enumeration is one block of one trial: it belongs to one worker and one shard.
  const trials = isExhaustive ? 1 : (options.trials ?? scenario.trials);
  const contract = contracts.find(({ name }) => name === scenario.contract?.contract);
  const agent = contract?.subject.kind === 'agent' ? contract.subject.agent : null;
  const timeoutMs = agent === null ? (options.timeoutMs ?? scenario.timeoutMs) : AGENT_TRIAL_MS;
  const priced = withPrices(scenario, {
    prices: options.prices,
    contract: contract?.price,
    endpoints: liveEndpoints,
  });
  const planned = timeoutMs === scenario.timeoutMs ? priced : { ...priced, timeoutMs };
  checkSums(planned, trials);
  return {
    index,
    scenario: planned,
    sampler,
    words: deriveWords(scenario.seed ?? options.seed, scenario.name),
    trials,
    pure,
    ...(effects.length > 0 && { effects }),
    userCode: usesUserCode(scenario, nodes, registry),
    schemas: usesSchemas(scenario, nodes),
    liveModels,
    ...(asksModels && { liveEndpoints }),
    ...(agent !== null && { agent }),
    liveNodes: usedLive,
    ...(!pure && options.cassette !== null && { cassette: options.cassette.mode }),
    ...(options.dedupe && pure && !isExhaustive && !isDrawnBesides(scenario) && { dedupe: true as const }),
    blockSize: pure && !isExhaustive ? BLOCK_SIZE : 1,
  };
}

/** What goes wrong in a contract is drawn, so its answers are not enumerated. */
function samplerOf({ sampler, contract }: Scenario, options: ResolvedRunOptions): Sampler {
  const chosen = sampler ?? options.sampler;
  return contract !== undefined && chosen === 'exhaustive' ? 'seeded' : chosen;
}

/** Trials wait for each other, each agent is asked one thing at a time, and each call has a time of its own. */
const AGENT_TRIAL_MS = 7 * 24 * 3600 * 1000;

function endpointsOf(
  backends: readonly string[],
  { workflow }: Scenario,
  options: ResolvedRunOptions,
): Readonly<Record<string, PlannedEndpoint>> {
  const found = backends.map((name) => [name, endpointOf(name, workflow, options)] as const);
  // Loading has refused nodes that no model answers; functions answer for themselves.
  return Object.fromEntries(found.flatMap(([name, one]) => (typeof one === 'string' ? [] : [[name, one] as const])));
}

function backendsOf(nodes: readonly WorkflowNode[]): readonly string[] {
  const names = nodes.flatMap(({ config }) => (typeof config.backend === 'string' ? [config.backend] : []));
  return [...new Set(names)].sort();
}

function usesUserCode(scenario: Scenario, nodes: readonly WorkflowNode[], registry: Registry): boolean {
  if (nodes.some((node) => registry.nodes.get(node.type)?.user === true)) return true;
  if (scenario.expected.invariants?.similarity !== undefined) return true;
  const faults = scenario.turns.flatMap((turn) => turn.variants.flatMap(({ fault }) => (fault ? [fault.type] : [])));
  return faults.some((type) => registry.userFaults.has(type));
}

function usesSchemas({ expected }: Scenario, nodes: readonly WorkflowNode[]): boolean {
  if (expected.values.some(({ test }) => test.kind === 'schema')) return true;
  if (expected.invariants?.list.some(({ rule }) => rule.type === 'json_schema') === true) return true;
  return nodes.some(({ config }) => {
    const { outputSchema } = config;
    return typeof outputSchema === 'object' && outputSchema !== null && 'schema' in outputSchema;
  });
}

/** Sums are kept as whole numbers below 2^53; a plan that could leave them is refused rather than rounded. */
function checkSums(scenario: Scenario, trials: number): void {
  const tokens = scenario.turns.map(
    (turn) =>
      Math.max(...turn.variants.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens)) *
      (turn.repeat ? MAX_REPEATS : 1),
  );
  const perTrial = tokens.reduce((sum, most) => sum + most, 0);
  if (perTrial * trials <= Number.MAX_SAFE_INTEGER) return;
  throw new PasskError(
    'PLAN',
    `Scenario "${scenario.name}": ${trials} trials of up to ${perTrial} tokens cannot be summed exactly.`,
    {
      hint: 'Run fewer trials.',
    },
  );
}

/** Requests that one repeating turn can serve in a trial: one for each step of a walk. */
const MAX_REPEATS = 10_000;
