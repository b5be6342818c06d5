import { NOTHING } from '../effects/granted/a-disk.ts';
import { agentHead } from '../../src/suites/contract/agent-head.ts';
import { contractScenarios } from '../../src/suites/contract/contract-scenarios.ts';
import { type Agents, openAgents } from '../../src/host/agent-functions.ts';
import type { ResolvedRunOptions } from '../../src/settings/options.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import { AGENT_CALL, type Agent, type AgentRun } from '../../src/types/agent.ts';
import type { Chaos } from '../../src/types/chaos.ts';
import type { Contract } from '../../src/types/contract.ts';
import type { Invariant, InvariantRule } from '../../src/types/invariant.ts';
import type { Permissions } from '../../src/types/permissions.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import type { Scenario } from '../../src/types/scenario.ts';
import type { Expected } from '../../src/types/scenarios/expected.ts';
import { aChaos } from '../faults/chaos/a-chaos.ts';

/** An HTTP agent at an address. */
export function anHttpAgent(url: string, overrides: Partial<Agent> = {}): Agent {
  return {
    target: {
      kind: 'http',
      url,
      method: 'POST',
      headers: {},
      query: {},
      requestTemplate: null,
      responsePath: null,
      parseStructuredInput: true,
    },
    timeoutMs: 5000,
    retries: 0,
    reset: null,
    atOnce: null,
    isolation: 'cell',
    proxy: null,
    ...overrides,
  };
}

export interface ContractOptions {
  readonly name?: string;
  readonly prompts?: readonly string[];
  readonly trials?: number;
  readonly columns?: readonly (Partial<Chaos> & { readonly name: string })[];
  readonly baselines?: boolean;
  readonly expected?: Partial<Expected>;
}

/** A contract of an agent, and its columns as the scenarios that it is expanded into. */
export function anAgentContract(
  agent: Agent,
  { name = 'rules', prompts = ['hello'], trials = 1, baselines = false, expected, columns }: ContractOptions = {},
): { readonly contract: Contract; readonly scenarios: readonly Scenario[] } {
  const contract: Contract = {
    kind: 'contract',
    name,
    file: 'contracts/rules.toml',
    phase: 'contract',
    invariants: [{ ...RULE, rule: baselines ? UNCHANGED : RULE.rule }],
    matrix: (columns ?? [{ name: 'calm' }]).map(({ name: column, ...chaos }) => ({ name: column, ...aChaos(chaos) })),
    prompts,
    trials,
    minPassRate: 1,
    minScore: null,
    scoring: { mutation: 0, chaos: 0, contract: 1, replay: 0 },
    subject: { kind: 'agent', agent },
  };
  const base = agentHead(contract, agent, {});
  const scenarios = contractScenarios(contract, { ...base, expected: { ...base.expected, ...expected } }, []);
  return { contract, scenarios };
}

const RULE: Invariant = {
  id: 'answers',
  severity: 'medium',
  when: 'always',
  negate: false,
  probes: [],
  rule: { type: 'completes' },
};
const UNCHANGED: InvariantRule = { type: 'behavior_unchanged', baseline: null, threshold: 0.5 };

/** The plan of contracts that were made by hand. */
export function planAgents(
  parts: readonly ReturnType<typeof anAgentContract>[],
  { root, ...given }: Partial<ResolvedRunOptions> & { readonly root: string },
): { readonly plan: RunPlan; readonly options: ResolvedRunOptions } {
  const options = { ...resolveRunOptions({ cwd: root }), ...given };
  const input = {
    scenarios: parts.flatMap(({ scenarios }) => scenarios),
    definitions: parts.map(({ contract }) => contract),
    registry: builtinRegistry,
    liveNodes: [],
    root,
  };
  return { plan: planRun(input, options), options };
}

/** Agents of contracts, asked as their trials ask them. */
export async function askAgents(
  parts: readonly ReturnType<typeof anAgentContract>[],
  {
    permissions,
    root,
    env = {},
  }: { readonly permissions: Partial<Permissions>; readonly root: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Agents & { ask(scenario: number, trial?: number, signal?: AbortSignal): Promise<AgentRun> }> {
  const granted = { ...NOTHING, ...permissions };
  const { plan } = planAgents(parts, { root, permissions: granted });
  const agents = await openAgents(plan, { permissions: granted, env, root, concurrency: 16, traceRun: null });
  if (agents === null) throw new Error('the plan asks no agent');
  const call = agents.functions[AGENT_CALL];
  return {
    ...agents,
    ask: async (scenario, trial = 0, signal = new AbortController().signal) =>
      (await call?.({ scenario, trial }, signal)) as AgentRun,
  };
}
