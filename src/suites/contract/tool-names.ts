import { toolWord } from '../../matching/call-names.ts';
import { type FindNodeType, nodeCalls } from '../../plugin/node-calls.ts';
import type { OutsideCall } from '../../plugin/node-type.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import { compileGlob } from '../../values/compile-glob.ts';

/** Names that the calls of a workflow go by, as far as its files tell; see `callNames`. */
export interface ToolNames {
  readonly names: readonly string[];
  /** True: calls may go by other names, which only the run knows. */
  readonly isOpen: boolean;
  /** True: hosts are called, whose names only the run knows. */
  readonly hasHosts: boolean;
}

/** What every call of the workflow and of those that it runs may be named by. */
export function toolNames({ subject: { workflow, children } }: WorkflowScenario, nodeTypeOf: FindNodeType): ToolNames {
  const found = [workflow, ...Object.values(children)].flatMap(({ nodes, mcpServers }) =>
    nodes.map((node) => namesOfNode(node, nodeTypeOf, mcpServers)),
  );
  return together(found);
}

/** What the calls of one node may be named by. */
export function namesOfNode(
  node: WorkflowNode,
  nodeTypeOf: FindNodeType,
  servers: readonly { readonly name: string }[],
): ToolNames {
  const calls = nodeCalls(node, nodeTypeOf);
  // What a node of the user calls is known to nobody.
  if (calls === null) return { names: [node.id, node.type], isOpen: true, hasHosts: false };
  const [server, ...others] = servers;
  // Where there is one server, it need not be named.
  const only = others.length === 0 ? server?.name : undefined;
  return together(calls.map((call) => namesOfCall(node.id, call, only)));
}

/** Whether a call may go by a name that fits; where other names may come up while it runs, the doubt counts. */
export function isBorne(tool: string, { names, isOpen, hasHosts }: ToolNames): boolean {
  if (isOpen || names.some(compileGlob(tool))) return true;
  return hasHosts && /[*?[.:]/.test(tool);
}

function namesOfCall(node: string, call: OutsideCall, onlyServer: string | undefined): ToolNames {
  switch (call.port) {
    case 'http':
      return { names: [node, toolWord(call)], isOpen: false, hasHosts: true };
    case 'process': {
      const { command } = call;
      const commandNames = command === undefined ? [] : [command, command.slice(command.lastIndexOf('/') + 1)];
      return { names: [node, toolWord(call), ...commandNames], isOpen: command === undefined, hasHosts: false };
    }
    case 'mcp': {
      const { target, server = onlyServer } = call;
      const targetNames =
        target === undefined ? [] : [target, ...(server === undefined ? [] : [`${server}/${target}`])];
      return { names: [node, toolWord(call), ...targetNames], isOpen: target === undefined, hasHosts: false };
    }
    case 'env':
    case 'file':
      return { names: [], isOpen: false, hasHosts: false };
  }
}

function together(found: readonly ToolNames[]): ToolNames {
  return {
    names: [...new Set(found.flatMap(({ names }) => names))],
    isOpen: found.some(({ isOpen }) => isOpen),
    hasHosts: found.some(({ hasHosts }) => hasHosts),
  };
}
