import type { Issue } from '../types/issue.ts';
import type { AgentDesk } from './agent-desk.ts';

export interface AgentNotices {
  /** By contract: columns whose answers may depend on what an earlier column left in the agent. */
  readonly contaminated: Readonly<Record<string, readonly string[]>>;
  readonly issues: readonly Issue[];
}

/** What must be known of the answers of agents; `desks` by the name of the contract that binds each. */
export function agentNotices(desks: ReadonlyMap<string, AgentDesk>): AgentNotices {
  const contaminated: Record<string, readonly string[]> = {};
  const issues: Issue[] = [];
  for (const [contract, desk] of desks) {
    const columns = desk.contaminated(contract);
    if (columns.length > 0) {
      contaminated[contract] = columns;
      issues.push(stateNotice(contract, columns, desk));
    }
    if (desk.restarts > 0) issues.push(restartNotice(contract, desk.restarts));
  }
  return { contaminated, issues };
}

function stateNotice(contract: string, columns: readonly string[], { found }: AgentDesk): Issue {
  const why =
    found?.kind === 'remembers'
      ? `it remembers earlier calls: ${found.why}`
      : 'it may remember earlier calls: the same prompt had different answers';
  const named = columns.map((column) => `"${column}"`).join(', ');
  return {
    code: 'agent_state',
    severity: 'warning',
    message: `Contract "${contract}": nothing brings its agent back between columns, and ${why}. What ran before may have changed the answers in ${named}.`,
    hint: 'Give the agent a reset_endpoint or a reset_function.',
  };
}

function restartNotice(contract: string, restarts: number): Issue {
  const times = restarts === 1 ? 'once' : `${restarts} times`;
  return {
    code: 'agent_restarted',
    severity: 'warning',
    message: `Contract "${contract}": the process of its agent ended and was started anew ${times}, without what it remembered.`,
  };
}
