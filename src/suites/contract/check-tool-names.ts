import { invariantTypeOf } from '../../checks/invariants/builtin.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Contract } from '../../types/contract.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { FindNodeType } from '../../plugin/node-calls.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';
import { isBorne, type ToolNames, toolNames } from './tool-names.ts';

/** The workflow that a contract binds; undefined: it binds an agent. */
export interface BoundWorkflow {
  readonly workflow: WorkflowScenario | undefined;
  readonly nodeTypeOf: FindNodeType;
}

/**
 * Warnings for names of tools that nothing bears: of a workflow, whose calls are known before it runs, and of an agent
 * whose own calls nobody sees. Such a fault never strikes, and such a rule speaks about nothing.
 */
export function checkToolNames(
  document: SourceDocument,
  contracts: readonly Contract[],
  { workflow, nodeTypeOf }: BoundWorkflow,
): readonly Issue[] {
  const agent = contracts.find(({ subject }) => subject.kind === 'agent')?.subject;
  const named = namedTools(document.data);
  if (workflow !== undefined) {
    const workflowTools = toolNames(workflow, nodeTypeOf);
    return named
      .filter(({ tool }) => !isBorne(tool, workflowTools))
      .map(({ tool, at }) =>
        toIssue(
          {
            code: 'unknown_tool',
            severity: 'warning',
            message: `No call of the workflow goes by the name "${tool}".`,
            at,
            hint:
              workflowTools.names.length === 0
                ? 'The workflow calls no tool.'
                : hintFor(tool, workflowTools.names, 'calls'),
          },
          document.locate,
        ),
      );
  }
  if (agent?.kind !== 'agent' || agent.agent.proxy !== null) return [];
  const { target } = agent.agent;
  const host = target.kind === 'http' && URL.canParse(target.url) ? new URL(target.url) : null;
  const agentHosts: ToolNames = {
    names: host === null ? [] : [host.hostname, host.host],
    isOpen: false,
    hasHosts: false,
  };
  return named
    .filter(({ tool, isFault }) => !isFault || !isBorne(tool, agentHosts))
    .map(({ tool, at }) =>
      toIssue(
        {
          code: 'unseen_calls',
          severity: 'warning',
          message: `The calls of the agent are out of sight, so nothing is known of its tool "${tool}".`,
          at,
          hint: 'Send its calls through a proxy: set proxy_port in [agent].',
        },
        document.locate,
      ),
    );
}

interface NamedTool {
  readonly tool: string;
  readonly at: Pointer;
  readonly isFault: boolean;
}

function namedTools(data: JsonObject): readonly NamedTool[] {
  const contract = tableAt(data, 'contract');
  const columns = (holder: JsonObject, at: Pointer): readonly NamedTool[] =>
    tablesAt(holder, 'chaos_matrix').flatMap(({ index, table }) => faultsIn(table, [...at, 'chaos_matrix', index]));
  return [
    ...columns(contract, ['contract']),
    ...columns(data, []),
    ...faultsIn(tableAt(data, 'chaos'), ['chaos']),
    ...rulesIn(contract, ['contract']),
    ...rulesIn(data, []),
  ];
}

function faultsIn(table: JsonObject, at: Pointer): readonly NamedTool[] {
  return tablesAt(table, 'tool_faults').flatMap(({ index, table: fault }) => {
    const tool = textAt(fault, 'tool');
    // Where there is an address, it decides.
    if (tool === undefined || valueAt(fault, 'match_url') !== undefined) return [];
    return [{ tool, at: [...at, 'tool_faults', index, 'tool'], isFault: true }];
  });
}

function rulesIn(holder: JsonObject, at: Pointer): readonly NamedTool[] {
  return tablesAt(holder, 'invariants').flatMap(({ index, table }) => {
    const [type = '', tool] = [textAt(table, 'type'), textAt(table, 'tool')];
    if (tool === undefined || invariantTypeOf({ type })?.namesTool !== true) return [];
    return [{ tool, at: [...at, 'invariants', index, 'tool'], isFault: false }];
  });
}
