import { nodeCalls } from '../../plugin/node-calls.ts';
import type { OutsideCall } from '../../plugin/node-type.ts';
import type { World } from '../../types/scenarios/world.ts';
import type { McpServer, Workflow } from '../../types/workflow.ts';
import { secretFlags } from '../../values/secret-names.ts';
import type { PlacedWorkflow } from '../check-model.ts';
import type { RegistryView } from '../registry-view.ts';

/**
 * Without a policy, every node that reaches outside must find what it reaches declared in `[world]`, unless the allowlists of
 * the servers that are in force refuse it.
 */
export function checkMocks(
  world: World,
  { workflow, report }: PlacedWorkflow,
  { registry, servers }: { readonly registry: RegistryView; readonly servers: readonly McpServer[] },
): void {
  for (const [index, node] of workflow.nodes.entries()) {
    for (const call of nodeCalls(node, (type) => registry.nodeTypeOf(type)) ?? []) {
      if (registry.granted?.has(call.port) === true) continue;
      if (call.port === 'mcp' && registry.refusesMcp?.(call, servers) === true) continue;
      const missing = missingMock(call, world, workflow);
      if (missing === null) continue;
      report({
        code: 'no_mock',
        message: `Node "${node.id}" (${node.type}) ${missing.reaches}, but the scenario declares nothing that answers.`,
        at: ['nodes', index, 'id'],
        hint: missing.hint,
      });
    }
  }
}

interface MissingMock {
  readonly reaches: string;
  readonly hint: string;
}

/** What a workflow declares of the outside world. */
type Declared = Pick<Workflow, 'mcpServers' | 'secrets'>;

/** What of a call is known only when it runs may be answered by anything. */
function missingMock(call: OutsideCall, world: World, declared: Declared): MissingMock | null {
  switch (call.port) {
    case 'http': {
      const { method } = call;
      if (method === undefined) return null;
      if (world.http.some(({ match: { methods } }) => methods.length === 0 || methods.includes(method))) return null;
      return {
        reaches: `sends ${method} requests`,
        hint: `Declare [[world.http]] with method = "${method}" and a url, or allow real requests with --allow-net=HOST.`,
      };
    }
    case 'process': {
      const { command } = call;
      // Without an absolute path nothing is run, whatever is declared: the node says so itself.
      if (command?.startsWith('/') !== true) return null;
      if (world.processes.some(({ match }) => match.command === command)) return null;
      return {
        reaches: `runs ${command}`,
        hint: `Declare [[world.processes]] with command = "${command}", or allow the real program with --allow-run=${command}.`,
      };
    }
    case 'mcp':
      return call.op === 'tool' ? missingTool(call, world, declared) : missingResources(call, world, declared);
    case 'env':
    case 'file':
      return null;
  }
}

type McpCall = OutsideCall & { readonly port: 'mcp' };

function missingTool({ target, server }: McpCall, world: World, declared: Declared): MissingMock | null {
  if (target === undefined) return null;
  const mocks = serversOf(server, world);
  if (mocks.some((mock) => mock.error !== undefined || Object.hasOwn(mock.tools, target))) return null;
  return {
    reaches: `calls MCP tool "${target}"`,
    hint: `Declare [[world.mcp]] with an answer in tools."${target}", or allow the real server with ${mcpFlags(server, declared)}.`,
  };
}

function missingResources({ server }: McpCall, world: World, declared: Declared): MissingMock | null {
  const mocks = serversOf(server, world);
  if (mocks.some((mock) => mock.error !== undefined || Object.keys(mock.resources).length > 0)) return null;
  return {
    reaches: 'reads MCP resources',
    hint: `Declare [[world.mcp]] with resources, or allow the real server with ${mcpFlags(server, declared)}.`,
  };
}

/** What starts or reaches the server that the node names, or the only one, with its secrets. */
function mcpFlags(named: string | undefined, { mcpServers: servers, secrets }: Declared): string {
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

function serversOf(server: string | undefined, world: World): World['mcp'] {
  return world.mcp.filter((mock) => server === undefined || mock.name === server);
}
