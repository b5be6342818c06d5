import { bareScenario } from '../../scenario/bare-scenario.ts';
import { readOrigin } from '../../scenario/read-origin.ts';
import type { Agent } from '../../types/agent.ts';
import type { Contract } from '../../types/contract.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Scenario } from '../../types/scenario.ts';
import { numberAt, textAt, textsAt } from '../../workflow/raw-data.ts';

/** Everything of the scenarios of an agent's contract but their names, subjects, faults and rules. */
export function agentHead({ name, file, trials }: Contract, agent: Agent, data: JsonObject): Omit<Scenario, 'subject'> {
  const description = textAt(data, 'description');
  const origin = readOrigin(data);
  return {
    ...bareScenario({ name, file, trials, timeoutMs: agent.timeoutMs }),
    ...(description === undefined ? {} : { description }),
    capabilities: textsAt(data, 'capabilities'),
    tags: textsAt(data, 'tags'),
    seed: numberAt(data, 'seed') ?? null,
    ...(origin !== null && { origin }),
  };
}
