import type { Contract } from '../types/contract.ts';
import type { JsonObject } from '../types/json.ts';
import type { Scenario } from '../types/scenario.ts';
import { numberAt, textAt, textsAt } from '../workflow/raw-data.ts';

/** Id of the only node of the workflow that an agent runs as, and its type. */
export const AGENT_NODE = 'agent';

/** Calls of an agent wait for each other, and each has a limit of its own: that of the trial is out of the way. */
const TRIAL_MS = 86_400_000;

/** The scenario that all cells of an agent's contract are made of: one node that asks the agent. */
export function agentBase(contract: Contract, data: JsonObject): Scenario {
  const { name, file, trials } = contract;
  const description = textAt(data, 'description');
  return {
    name,
    file,
    ...(description === undefined ? {} : { description }),
    capabilities: textsAt(data, 'capabilities'),
    tags: textsAt(data, 'tags'),
    trials,
    minPassRate: null,
    timeoutMs: numberAt(data, 'timeout_ms') ?? TRIAL_MS,
    seed: numberAt(data, 'seed') ?? null,
    sampler: null,
    subject: {
      kind: 'workflow',
      workflow: {
        name: AGENT_NODE,
        startNodes: [{ name: 'main', source: 'manual', entryNode: AGENT_NODE }],
        nodes: [{ id: AGENT_NODE, type: AGENT_NODE, config: {} }],
        edges: [],
        mcpServers: [],
        backends: [],
        triggers: [],
        httpRoutes: [],
      },
      children: {},
      trigger: { kind: 'manual', start: 'main', payload: null },
      turns: [],
      policy: null,
      world: { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {} },
    },
    faults: { intelErrorOnCall: null },
    expected: {
      pathExact: false,
      forbiddenNodes: [],
      branches: [],
      min: {},
      max: {},
      values: [],
      prompts: [],
      files: { exist: [], absent: [], contain: {} },
    },
  };
}
