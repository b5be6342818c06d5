import type { Contract } from '../../types/contract.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Agent } from '../../types/agent.ts';
import type { Scenario } from '../../types/scenario.ts';
import { numberAt, textAt, textsAt } from '../../workflow/raw-data.ts';

/** Everything of the scenarios of an agent's contract but their names, subjects, faults and rules. */
export function agentHead({ name, file, trials }: Contract, agent: Agent, data: JsonObject): Omit<Scenario, 'subject'> {
  const description = textAt(data, 'description');
  return {
    name,
    file,
    ...(description === undefined ? {} : { description }),
    capabilities: textsAt(data, 'capabilities'),
    tags: textsAt(data, 'tags'),
    trials,
    minPassRate: null,
    timeoutMs: agent.timeoutMs,
    seed: numberAt(data, 'seed') ?? null,
    sampler: null,
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
