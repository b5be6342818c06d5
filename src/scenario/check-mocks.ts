import type { Port } from '../plugin/request.ts';
import type { World } from '../types/scenario.ts';
import type { McpServer, Workflow, WorkflowNode } from '../types/workflow.ts';
import { secretFlags } from '../values/secret-names.ts';
import { textAt } from '../workflow/raw-data.ts';
import type { PlacedWorkflow } from './check-model.ts';

/** With nothing denied, every node that reaches outside must find what it reaches declared in `[world]`. */
export function checkMocks(world: World, { workflow, report }: PlacedWorkflow, granted: ReadonlySet<Port>): void {
  for (const [index, node] of workflow.nodes.entries()) {
    const missing = missingMock(node, world, workflow);
    if (missing === null || granted.has(missing.port)) continue;
    report({
      code: 'no_mock',
      message: `Node "${node.id}" (${node.type}) ${missing.reaches}, but the scenario declares nothing that answers.`,
      at: ['nodes', index, 'id'],
      hint: missing.hint,
    });
  }
}

interface MissingMock {
  readonly port: Port;
  readonly reaches: string;
  readonly hint: string;
}

/** What a workflow declares of the outside world. */
type Declared = Pick<Workflow, 'mcpServers' | 'secrets'>;

function missingMock({ type, config }: WorkflowNode, world: World, declared: Declared): MissingMock | null {
  switch (type) {
    case 'http_request': {
      const method = (textAt(config, 'method') ?? '').toUpperCase();
      if (world.http.some(({ match: { methods } }) => methods.length === 0 || methods.includes(method))) return null;
      return {
        port: 'http',
        reaches: `sends ${method} requests`,
        hint: `Declare [[world.http]] with method = "${method}" and a url, or allow real requests with --allow-net=HOST.`,
      };
    }
    case 'shell_run': {
      const command = textAt(config, 'command') ?? '';
      if (world.processes.some(({ match }) => match.command === command)) return null;
      return {
        port: 'process',
        reaches: `runs ${command}`,
        hint: `Declare [[world.processes]] with command = "${command}", or allow the real program with --allow-run=${command}.`,
      };
    }
    case 'call_mcp_tool': {
      const tool = textAt(config, 'tool') ?? '';
      if (serversOf(config, world).some((mock) => mock.error !== undefined || Object.hasOwn(mock.tools, tool)))
        return null;
      return {
        port: 'mcp',
        reaches: `calls MCP tool "${tool}"`,
        hint: `Declare [[world.mcp]] with an answer in tools."${tool}", or allow the real server with ${mcpFlags(config, declared)}.`,
      };
    }
    case 'read_mcp_resource':
      if (serversOf(config, world).some((mock) => mock.error !== undefined || Object.keys(mock.resources).length > 0))
        return null;
      return {
        port: 'mcp',
        reaches: 'reads MCP resources',
        hint: `Declare [[world.mcp]] with resources, or allow the real server with ${mcpFlags(config, declared)}.`,
      };
    default:
      return null;
  }
}

/** What starts or reaches the server that the node names, or the only one, with its secrets. */
function mcpFlags(config: WorkflowNode['config'], { mcpServers: servers, secrets }: Declared): string {
  const named = textAt(config, 'server');
  const server = servers.find(({ name }) => name === named) ?? servers[0];
  const flags = secretFlags({ ...server?.env, ...server?.headers }, secrets);
  return [mcpFlag(server), ...flags].join(' and ');
}

function mcpFlag(server: McpServer | undefined): string {
  const program = server?.command[0];
  if (program !== undefined) return `--allow-run=${program}`;
  const { url } = server ?? {};
  return `--allow-net=${url !== undefined && URL.canParse(url) ? new URL(url).host : 'HOST'}`;
}

function serversOf(config: WorkflowNode['config'], world: World): World['mcp'] {
  const server = textAt(config, 'server');
  return world.mcp.filter((mock) => server === undefined || mock.name === server);
}
