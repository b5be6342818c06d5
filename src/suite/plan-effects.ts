import { grantsAnything, grantsWord } from '../effects/granted-ports.ts';
import type { Port } from '../plugin/request.ts';
import type { EffectPort, Permissions } from '../types/permissions.ts';
import type { WorkflowScenario, World } from '../types/scenario.ts';
import type { WorkflowNode } from '../types/workflow.ts';

export interface PlanEffectsOptions {
  readonly permissions: Permissions;
  /** Ports that some of them opens. */
  readonly granted: ReadonlySet<EffectPort>;
  readonly nodes: readonly WorkflowNode[];
  /** Ports of one node. */
  readonly needs: (node: WorkflowNode) => readonly Port[];
}

const ORDER: readonly EffectPort[] = ['http', 'process', 'mcp', 'env', 'file'];

/**
 * Ports that the real world may answer: they are granted, and some node asks them for what the scenario does not wholly
 * declare. When in doubt a port is among them: what is not, a run never opens.
 */
export function planEffects(scenario: WorkflowScenario, options: PlanEffectsOptions): readonly EffectPort[] {
  const { granted } = options;
  const ports = ORDER.filter(
    (port) => granted.has(port) && options.nodes.some((node) => mayReach(port, node, scenario, options)),
  );
  // Programs and servers leave files behind, which only a look at the disk can tell.
  const looks = ports.length > 0 && !ports.includes('file') && namesFiles(scenario);
  return looks && grantsAnything(options.permissions.read) ? [...ports, 'file'] : ports;
}

function namesFiles({ expected: { files } }: WorkflowScenario): boolean {
  return files.exist.length + files.absent.length > 0 || !isEmpty(files.contain);
}

function mayReach(
  port: EffectPort,
  node: WorkflowNode,
  scenario: WorkflowScenario,
  options: PlanEffectsOptions,
): boolean {
  if (!options.needs(node).includes(port)) return false;
  const { world } = scenario.subject;
  switch (port) {
    case 'http':
      return !mocksAllHttp(node, world);
    case 'process':
      return !mocksProgram(node, world);
    case 'mcp':
      return !mocksTool(node, scenario);
    case 'env':
      return readsGranted(node, world, options.permissions);
    case 'file':
      return usesGrantedFiles(node, options.permissions);
  }
}

/** URLs are known only when a trial runs. */
function mocksAllHttp({ type, config }: WorkflowNode, world: World): boolean {
  const method = type === 'http_request' && typeof config.method === 'string' ? config.method.toUpperCase() : null;
  return world.http.some(({ times, match: { methods, url, urlMatches, query, headers, body } }) => {
    const fitsMethod = methods.length === 0 || (method !== null && methods.includes(method));
    const fitsUrl = (url === undefined || url === '*') && urlMatches === undefined && query === undefined;
    return times === null && fitsMethod && fitsUrl && isEmpty(headers) && isEmpty(body);
  });
}

function mocksProgram({ type, config }: WorkflowNode, world: World): boolean {
  return world.processes.some(({ times, match: { command, args, argsContain } }) => {
    const fits = command === undefined || (type === 'shell_run' && command === config.command);
    return times === null && fits && args === undefined && argsContain.length === 0;
  });
}

function mocksTool({ type, config }: WorkflowNode, { subject: { world, workflow } }: WorkflowScenario): boolean {
  const [only, ...others] = workflow.mcpServers;
  const server = config.server ?? (others.length === 0 ? only?.name : undefined);
  const mocked = world.mcp.find(({ name }) => name === server);
  if (mocked === undefined) return false;
  if (mocked.error !== undefined) return type === 'call_mcp_tool' || type === 'read_mcp_resource';
  if (type !== 'call_mcp_tool' || typeof config.tool !== 'string') return false;
  const tools = Object.hasOwn(mocked.tools, config.tool) ? mocked.tools[config.tool] : undefined;
  return tools?.some(({ times, args }) => times === null && args === undefined) ?? false;
}

function readsGranted({ type, config }: WorkflowNode, world: World, { env }: Permissions): boolean {
  const { key } = config;
  if (type !== 'read_env' || typeof key !== 'string') return true;
  return !Object.hasOwn(world.env, key) && grantsWord(env, key);
}

const READS = 'read_file';
const WRITES: readonly string[] = ['write_file', 'create_dir'];

/** Paths are known only when a trial runs. */
function usesGrantedFiles({ type, config }: WorkflowNode, { read, write }: Permissions): boolean {
  const words = type === 'agent_loop' && Array.isArray(config.tools) ? config.tools : [type];
  if (words.includes(READS) && grantsAnything(read)) return true;
  if (words.some((word) => typeof word === 'string' && WRITES.includes(word)) && grantsAnything(write)) return true;
  // Of nodes that are not built in nobody knows what they do with files.
  return ![READS, ...WRITES, 'agent_loop'].includes(type);
}

function isEmpty(table: object): boolean {
  return Object.values(table).every((value) => value === undefined);
}
