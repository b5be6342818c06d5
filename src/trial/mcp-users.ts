import { elicitingServers, mcpAnswersFor } from '../effects/mcp-answers.ts';
import { mcpIdentity } from '../effects/mcp-identity.ts';
import { isWorkflow } from '../types/subjects.ts';
import type { RunPlan } from '../types/plan.ts';

/** The scenarios that may ask one MCP server. */
export interface McpUsers {
  /** As `mcpIdentity` gives it. */
  readonly identity: string;
  /** Their positions in the plan. */
  readonly scenarios: readonly number[];
}

/** Who may ask the real MCP servers of a plan; [] where nobody may. */
export function mcpUsers({ scenarios }: RunPlan): readonly McpUsers[] {
  const users = new Map<string, number[]>();
  for (const { index, scenario, effects = [] } of scenarios) {
    if (!effects.includes('mcp') || !isWorkflow(scenario)) continue;
    const { workflow, world } = scenario.subject;
    const elicits = elicitingServers(world.mcp);
    for (const server of workflow.mcpServers) {
      const answers = mcpAnswersFor(server, elicits);
      const identity = mcpIdentity(server, { scenarioFile: scenario.file, answers });
      const indexes = users.get(identity);
      if (indexes === undefined) users.set(identity, [index]);
      else indexes.push(index);
    }
  }
  return [...users].map(([identity, indexes]) => ({ identity, scenarios: indexes }));
}
