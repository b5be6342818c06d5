import { LOOP_TOOLS } from '../engine/loop-tools.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import type { WorkflowNode } from '../types/workflow.ts';

/** Names that the calls of a workflow go by, as far as its files tell; see `callNames`. */
export interface ToolNames {
  readonly names: readonly string[];
  /** True: calls may go by other names, which only the run knows. */
  readonly isOpen: boolean;
  /** True: hosts are called, whose names only the run knows. */
  readonly hasHosts: boolean;
}

/** Nodes that call no tool. */
const QUIET = new Set([
  'call',
  'condition',
  'create_dir',
  'diff_compute',
  'fail',
  'json_select',
  'llm_infer',
  'map',
  'merge',
  'parallel',
  'parse_json',
  'pause_for_approval',
  'read_env',
  'read_file',
  'respond',
  'switch',
  'template_render',
  'terminate',
  'write_file',
]);

/** What every call of the workflow and of those that it runs may be named by. */
export function toolNames({ subject: { workflow, children } }: WorkflowScenario): ToolNames {
  const found = [workflow, ...Object.values(children)].flatMap(({ nodes, mcpServers }) => {
    const [server, ...others] = mcpServers.map(({ name }) => name);
    // Where there is one server, it need not be named.
    return nodes.map((node) => namesOf(node, others.length === 0 ? server : undefined));
  });
  return {
    names: [...new Set(found.flatMap(({ names }) => names))],
    isOpen: found.some(({ isOpen }) => isOpen),
    hasHosts: found.some(({ hasHosts }) => hasHosts),
  };
}

function namesOf({ id, type, config }: WorkflowNode, onlyServer: string | undefined): ToolNames {
  const known = (...names: readonly string[]): ToolNames => ({
    names: [id, type, ...names],
    isOpen: false,
    hasHosts: false,
  });
  switch (type) {
    case 'http_request':
      return { ...known(), hasHosts: true };
    case 'shell_run': {
      const command = textOf(config['command']);
      return known(command, command.slice(command.lastIndexOf('/') + 1));
    }
    case 'call_mcp_tool':
      return mcpNames(known, textOf(config['tool']), config['server'] ?? onlyServer);
    case 'read_mcp_resource':
      return mcpNames(known, textOf(config['uri']), config['server'] ?? onlyServer);
    case 'agent_loop':
      return loopNames(known, config['tools']);
    default:
      // What a node of the user calls is known to nobody.
      return QUIET.has(type) ? { ...known(), names: [] } : { ...known(), isOpen: true };
  }
}

type Known = (...names: readonly string[]) => ToolNames;

function mcpNames(known: Known, target: string, server: unknown): ToolNames {
  return typeof server === 'string' ? known(target, `${server}/${target}`) : known(target);
}

/** A model chooses programs, tools and addresses itself. */
function loopNames(known: Known, tools: unknown): ToolNames {
  const names = Array.isArray(tools) ? tools.filter((tool): tool is string => typeof tool === 'string') : [];
  const ports = names.flatMap((name) => LOOP_TOOLS.get(name)?.port ?? []);
  return {
    ...known(...names),
    isOpen: ports.includes('process') || ports.includes('mcp'),
    hasHosts: ports.includes('http'),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
