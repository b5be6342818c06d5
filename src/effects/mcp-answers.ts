import type { MockMcpServer } from '../types/mock.ts';
import type { McpServer } from '../types/workflow.ts';

/** What a scenario answers when a server asks. */
export interface McpAnswers {
  /** A model's answers. */
  readonly sampling: boolean;
  /** A user's. */
  readonly elicitation: boolean;
}

/** `elicits`: names of the servers whose questions to a user are answered. */
export function mcpAnswersFor({ name, sampling }: McpServer, elicits: ReadonlySet<string>): McpAnswers {
  return { sampling: sampling !== undefined, elicitation: elicits.has(name) };
}

/** Names of the servers whose questions to a user the scenario answers. */
export function elicitingServers(mocks: readonly MockMcpServer[]): ReadonlySet<string> {
  return new Set(mocks.filter(({ elicitations }) => elicitations !== undefined).map(({ name }) => name));
}
