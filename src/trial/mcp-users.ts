import { elicitingServers, mcpAnswersFor } from '../effects/mcp-answers.ts';
import { mcpIdentity } from '../effects/mcp-identity.ts';
import { isWorkflow } from '../types/subjects.ts';
import type { RunPlan } from '../types/plan.ts';
import { groupBy } from '../values/group-by.ts';

/** The scenarios that may ask one MCP server. */
export interface McpUsers {
  /** As `mcpIdentity` gives it. */
  readonly identity: string;
  /** Their positions in the plan. */
  readonly scenarios: readonly number[];
}

/** Who may ask the real MCP servers of a plan; [] where nobody may. */
export function mcpUsers({ scenarios }: RunPlan): readonly McpUsers[] {
  const uses = scenarios.flatMap(({ index, scenario, effects = [] }) => {
    if (!effects.includes('mcp') || !isWorkflow(scenario)) return [];
    const { workflow, world } = scenario.subject;
    const elicits = elicitingServers(world.mcp);
    return workflow.mcpServers.map((server) => {
      const answers = mcpAnswersFor(server, elicits);
      return { identity: mcpIdentity(server, { scenarioFile: scenario.file, answers }), index };
    });
  });
  return [...groupBy(uses, ({ identity }) => identity)].map(([identity, group]) => ({
    identity,
    scenarios: group.map(({ index }) => index),
  }));
}
