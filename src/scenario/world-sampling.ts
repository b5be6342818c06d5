import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { Workflow } from '../types/workflow.ts';
import { tableAt, tablesAt, textAt } from '../workflow/raw-data.ts';
import { toIssue } from '../workflow/report.ts';

export interface SampledWorkflow {
  readonly workflow: Workflow;
  /** []: it may be used. */
  readonly issues: readonly Issue[];
}

/** The workflow with the backends that `[[world.mcp]]` names for servers that ask a model; they come before its own. */
export function withWorldSampling(scenario: SourceDocument, workflow: Workflow): SampledWorkflow {
  const mocks = tablesAt(tableAt(scenario.data, 'world'), 'mcp');
  const named = mocks.flatMap(({ index, table }) => {
    const sampling = textAt(table, 'sampling');
    return sampling === undefined ? [] : [{ index, server: textAt(table, 'name'), sampling }];
  });
  if (named.length === 0) return { workflow, issues: [] };
  const backends = ['default', ...workflow.backends.map(({ name }) => name)];
  const servers = workflow.mcpServers.map(({ name }) => name);
  const issues = named.flatMap(({ index, server = '', sampling }): readonly Issue[] => {
    const at = ['world', 'mcp', index, 'sampling'];
    const say = (code: string, message: string, hint: string): Issue =>
      toIssue({ code, message, at, hint }, scenario.locate);
    if (!servers.includes(server)) {
      const hint = 'Declare it in [[mcp_servers]] of the workflow, or name a file with mcp_config.';
      return [say('unknown_mcp_server', `The workflow has no MCP server "${server}" that could ask a model.`, hint)];
    }
    if (backends.includes(sampling)) return [];
    const message = `MCP server "${server}" is answered by "${sampling}", which is no backend.`;
    return [say('unknown_backend', message, `Backends: ${backends.join(', ')}.`)];
  });
  const samplings = new Map(named.map(({ server, sampling }) => [server, sampling]));
  const mcpServers = workflow.mcpServers.map((server) => {
    const sampling = samplings.get(server.name);
    return sampling === undefined ? server : { ...server, sampling };
  });
  return { workflow: { ...workflow, mcpServers }, issues };
}
