import { grantsAnything, grantsWord } from '../../effects/granted-ports.ts';
import type { OutsideCall } from '../../plugin/node-type.ts';
import type { Port } from '../../plugin/request.ts';
import type { EffectPort, Permissions } from '../../types/permissions.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import type { World } from '../../types/scenarios/world.ts';
import type { Workflow, WorkflowNode } from '../../types/workflow.ts';

export interface PlanEffectsOptions {
  readonly permissions: Permissions;
  /** Ports that some of them opens. */
  readonly granted: ReadonlySet<EffectPort>;
  readonly nodes: readonly WorkflowNode[];
  /** Ports of one node. */
  readonly needs: (node: WorkflowNode) => readonly Port[];
  /** Its calls of the outside; null: known only when it runs. */
  readonly calls: (node: WorkflowNode) => readonly OutsideCall[] | null;
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

/** Ports of nodes whose calls are known only when they run. */
const ANY_CALL: readonly OutsideCall[] = [
  { port: 'http' },
  { port: 'process' },
  { port: 'mcp', op: 'tool' },
  { port: 'env' },
  { port: 'file', op: 'read' },
  { port: 'file', op: 'write' },
];

function mayReach(
  port: EffectPort,
  node: WorkflowNode,
  scenario: WorkflowScenario,
  options: PlanEffectsOptions,
): boolean {
  if (!options.needs(node).includes(port)) return false;
  const calls = options.calls(node) ?? ANY_CALL;
  return calls.some((call) => call.port === port && leaves(call, scenario, options.permissions));
}

/** Whether the call may go beyond what the scenario declares. */
function leaves(
  call: OutsideCall,
  { subject: { world, workflow } }: WorkflowScenario,
  permissions: Permissions,
): boolean {
  switch (call.port) {
    case 'http':
      return !mocksAllHttp(call.method, world);
    case 'process':
      return !mocksProgram(call.command, world);
    case 'mcp':
      return !mocksTool(call, world, workflow);
    case 'env':
      return call.key === undefined || (!Object.hasOwn(world.env, call.key) && grantsWord(permissions.env, call.key));
    case 'file':
      // Paths are known only when a trial runs.
      return grantsAnything(permissions[call.op]);
  }
}

/** URLs are known only when a trial runs. */
function mocksAllHttp(method: string | undefined, world: World): boolean {
  return world.http.some(({ times, match: { methods, url, urlMatches, query, headers, body } }) => {
    const fitsMethod = methods.length === 0 || (method !== undefined && methods.includes(method));
    const fitsUrl = (url === undefined || url === '*') && urlMatches === undefined && query === undefined;
    return times === null && fitsMethod && fitsUrl && isEmpty(headers) && isEmpty(body);
  });
}

function mocksProgram(program: string | undefined, world: World): boolean {
  return world.processes.some(({ times, match: { command, args, argsContain } }) => {
    const fits = command === undefined || command === program;
    return times === null && fits && args === undefined && argsContain.length === 0;
  });
}

function mocksTool(
  { op, server, target }: OutsideCall & { readonly port: 'mcp' },
  world: World,
  workflow: Workflow,
): boolean {
  const [only, ...others] = workflow.mcpServers;
  const named = server ?? (others.length === 0 ? only?.name : undefined);
  const mocked = world.mcp.find(({ name }) => name === named);
  // A model that chooses the tool chooses the server as well.
  if (mocked === undefined || (op === 'tool' && target === undefined)) return false;
  if (mocked.error !== undefined) return true;
  if (op !== 'tool' || target === undefined) return false;
  const tools = Object.hasOwn(mocked.tools, target) ? mocked.tools[target] : undefined;
  return tools?.some(({ times, args }) => times === null && args === undefined) ?? false;
}

function isEmpty(table: object): boolean {
  return Object.values(table).every((value) => value === undefined);
}
