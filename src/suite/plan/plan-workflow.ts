import { PasskError } from '../../errors.ts';
import { withUnreadMarked } from '../../suites/contract/unread-attacks.ts';
import { nodeCalls } from '../../plugin/node-calls.ts';
import type { Port } from '../../plugin/request.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { PlannedEndpoint } from '../../types/model-endpoint.ts';
import { BLOCK_SIZE, type WorkflowPlan } from '../../types/plan.ts';
import type { Turn, WorkflowScenario } from '../../types/scenario.ts';
import { isJudgedByCode, judgingModules } from '../../types/scenarios/judging-code.ts';
import type { Workflow, WorkflowNode } from '../../types/workflow.ts';
import { endpointOf } from '../../host/live-backends.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { type PlanEffectsOptions, planEffects } from './plan-effects.ts';
import { planMutation } from '../sessions/plan-session-models.ts';
import { checksSchemas, definitionOf, type PlanContext, planDraws } from './plan-context.ts';
import { withPrices } from './plan-prices.ts';
import { refuseRecordedModules } from './recorded-modules.ts';
import { isDrawnBesides } from '../refuse-inexact.ts';

/** Most plans have nothing of a kind, and are kept for the whole run. */
const NONE: readonly never[] = [];

/** The plan of a scenario that tries a workflow. */
export function planWorkflow(
  scenario: WorkflowScenario,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): WorkflowPlan {
  const { registry, granted } = context;
  const nodes = nodesOf(scenario);
  const liveNodes =
    context.liveNodes.length === 0
      ? NONE
      : context.liveNodes.filter(({ type }) => nodes.some((node) => node.type === type));
  const isDry = scenario.subject.dryRun === true;
  const asksBackends = !isDry && (options.live || scenario.subject.turns.length === 0);
  const backends = asksBackends ? backendsOf(nodes, scenario.subject.workflow) : NONE;
  const liveModels = backends.length === 0 ? NONE : backends.filter((name) => Object.hasOwn(options.models, name));
  const liveEndpoints = options.live ? endpointsOf(backends, scenario, options) : {};
  const asksModels = options.live && !isDry && Object.keys(liveEndpoints).length > 0;
  const mutation = planMutation(scenario, options);
  refuseTwoParts(
    mutation?.liveModels ?? NONE,
    asksBackends ? NONE : backendsOf(nodes, scenario.subject.workflow),
    scenario.file,
  );
  const reachable = granted.size === 0 ? NONE : planEffects(scenario, effectsOf(context, nodes, options));
  // A variable is read in a dry run as well, as in agentd.
  const effects = isDry ? reachable.filter((port) => port === 'env') : reachable;
  const used = usesOf(scenario, nodes, registry);
  const waitsForNothing = (isDry || !used.host) && liveModels.length === 0 && !asksModels && effects.length === 0;
  const fromPlan = waitsForNothing && mutation === null;
  const draws = planDraws(scenario, options);
  const isExhaustive = draws.sampler === 'exhaustive';
  // The whole enumeration is one block of one trial: it belongs to one worker and one shard.
  const trials = isExhaustive ? 1 : draws.trials;
  const timeoutMs = Math.min(options.timeoutMs ?? scenario.timeoutMs, budgetMs(scenario));
  const hasTurnsOnly = liveModels.length === 0 && !asksModels;
  const priced = withPrices(
    hasTurnsOnly ? withUnreadMarked(scenario, (type) => registry.nodes.get(type)?.nodeType) : scenario,
    {
      prices: options.prices,
      file: definitionOf(scenario, context)?.price,
      endpoints: liveEndpoints,
    },
  );
  const planned = timeoutMs === scenario.timeoutMs ? priced : { ...priced, timeoutMs };
  checkSums(planned, trials);
  const plan: WorkflowPlan = {
    index,
    scenario: planned,
    ...draws,
    trials,
    traits: {
      sync: fromPlan,
      repeatable: fromPlan,
      place: fromPlan && !used.userCode ? 'here' : 'worker',
      orderGroup: null,
      longestMs: longestMs(planned),
    },
    userCode: used.userCode,
    schemas: used.schemas,
    liveModels: mutation === null ? liveModels : [...new Set([...liveModels, ...(mutation.liveModels ?? [])])],
    liveNodes,
    blockSize: fromPlan && !isExhaustive ? BLOCK_SIZE : 1,
    ...(judgingModules(scenario.expected).length > 0 && { folder: context.root }),
  };
  const endpoints = { ...(asksModels && liveEndpoints), ...mutation?.liveEndpoints };
  const asksReal = Object.keys(endpoints).length > 0;
  const dedupe = options.dedupe && fromPlan && !isExhaustive && !isDrawnBesides(scenario);
  const recorded = fromPlan ? null : options.cassette;
  if (recorded !== null) refuseRecordedModules(scenario);
  if (effects.length === 0 && !asksReal && recorded === null && !dedupe && mutation === null) return plan;
  return {
    ...plan,
    ...(effects.length > 0 && { effects }),
    ...(asksReal && { liveEndpoints: endpoints }),
    ...(mutation !== null && waitsForNothing && { virtualTime: true as const }),
    ...(recorded !== null && { cassette: recorded.mode }),
    ...(dedupe && { dedupe }),
  };
}

/** A function cannot change prompts of a workflow whose nodes have canned turns under its name. */
function refuseTwoParts(functions: readonly string[], canned: readonly string[], file: string): void {
  const both = functions.find((name) => canned.includes(name));
  if (both === undefined) return;
  throw new PasskError(
    'USAGE',
    `The function "${both}" changes prompts of ${file}, whose turns answer for a model of that name.`,
    {
      hint: 'Give the model that changes prompts another name.',
    },
  );
}

/** The longest run that the workflow allows itself, whoever else allows more. */
function budgetMs({ subject: { workflow } }: WorkflowScenario): number {
  return (workflow.budget?.maxRunTimeSecs ?? Number.POSITIVE_INFINITY) * 1000;
}

/** The time limit of a trial counts anew after each pause. */
function longestMs({ timeoutMs, subject }: WorkflowScenario): number {
  const pauses = Object.values(subject.world.approvals).filter(({ decision }) => decision === 'resume').length;
  return timeoutMs * (1 + pauses);
}

function nodesOf({ subject: { workflow, children } }: WorkflowScenario): readonly WorkflowNode[] {
  const others = Object.values(children);
  return others.length === 0 ? workflow.nodes : [workflow, ...others].flatMap(({ nodes }) => nodes);
}

function endpointsOf(
  backends: readonly string[],
  { subject: { workflow } }: WorkflowScenario,
  options: ResolvedRunOptions,
): Readonly<Record<string, PlannedEndpoint>> {
  const found = backends.map((name) => [name, endpointOf(name, workflow.backends, options)] as const);
  // Loading has refused nodes that no model answers; functions answer for themselves.
  return Object.fromEntries(found.flatMap(([name, one]) => (typeof one === 'string' ? [] : [[name, one] as const])));
}

/** Backends that nodes ask, and those that answer for servers of MCP. */
function backendsOf(nodes: readonly WorkflowNode[], { mcpServers }: Workflow): readonly string[] {
  const names = nodes.flatMap(({ config }) => (typeof config.backend === 'string' ? [config.backend] : []));
  return [...new Set([...names, ...mcpServers.flatMap(({ sampling }) => sampling ?? [])])].sort();
}

function needsOf(node: WorkflowNode, { nodes }: Registry): readonly Port[] {
  return nodes.get(node.type)?.nodeType.needs(node.config) ?? [];
}

function effectsOf(
  { registry, granted }: PlanContext,
  nodes: readonly WorkflowNode[],
  { permissions }: ResolvedRunOptions,
): PlanEffectsOptions {
  return {
    permissions,
    granted,
    nodes,
    needs: (node) => needsOf(node, registry),
    calls: (node) => nodeCalls(node, (type) => registry.nodes.get(type)?.nodeType),
  };
}

interface Uses {
  /** Some node calls functions of the host. */
  host: boolean;
  userCode: boolean;
  schemas: boolean;
}

/** What must be there for the scenario to run. Its nodes are looked at once: nothing else of a large suite is near. */
function usesOf(
  { expected, subject: { turns } }: WorkflowScenario,
  nodes: readonly WorkflowNode[],
  registry: Registry,
): Uses {
  const { values } = expected;
  const uses: Uses = {
    host: false,
    userCode: isJudgedByCode(expected) || usesUserFaults(turns, registry.userFaults),
    schemas: values.some(({ test }) => test.kind === 'schema') || checksSchemas(expected),
  };
  for (const { type, config } of nodes) {
    const { outputSchema } = config;
    const registered = registry.nodes.get(type);
    if (registered?.nodeType.needs(config).includes('host') === true) uses.host = true;
    if (registered?.user === true) uses.userCode = true;
    if (typeof outputSchema === 'object' && outputSchema !== null && 'schema' in outputSchema) uses.schemas = true;
  }
  return uses;
}

function usesUserFaults(turns: readonly Turn[], userFaults: Registry['userFaults']): boolean {
  if (userFaults.size === 0) return false;
  return turns.some(({ variants }) => variants.some(({ fault }) => fault !== undefined && userFaults.has(fault.type)));
}

/** Sums are kept as whole numbers below 2^53; a plan that could leave them is refused rather than rounded. */
function checkSums(scenario: WorkflowScenario, trials: number): void {
  let perTrial = 0;
  for (const { variants, repeat } of scenario.subject.turns) {
    let most = Number.NEGATIVE_INFINITY;
    for (const { promptTokens, completionTokens } of variants) {
      most = Math.max(most, promptTokens + completionTokens);
    }
    perTrial += most * (repeat ? MAX_REPEATS : 1);
  }
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
