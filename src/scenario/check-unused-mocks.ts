import type { World } from '../types/scenario.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { textAt, textsAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { isModelType } from './check-node-names.ts';
import { BUILT_IN_WITHOUT_MODEL } from './most-requests.ts';

/** Mocks that no node can ask for. Nothing is said where a plug-in may ask for anything. */
export function checkUnusedMocks(world: World, workflows: readonly Workflow[], report: Report): void {
  const nodes = workflows.flatMap((workflow) => workflow.nodes);
  if (nodes.some(({ type }) => !isModelType(type) && !BUILT_IN_WITHOUT_MODEL.has(type))) return;
  const tools = new Set(nodes.flatMap(({ type, config }) => (type === 'agent_loop' ? textsAt(config, 'tools') : [])));
  const asks = (tool: string, fits: (config: WorkflowNode['config']) => boolean): boolean =>
    tools.has(tool) || nodes.some(({ type, config }) => type === tool && fits(config));
  const unused = (what: string, at: readonly (string | number)[]): void =>
    report({
      code: 'unused_mock',
      severity: 'warning',
      message: `No node of this scenario ${what}, so this mock is never used.`,
      at,
      hint: 'Remove it, or give the workflow a use for it.',
    });
  for (const [index, { match }] of world.http.entries()) {
    const { methods } = match;
    const fits = (method: string): boolean => methods.length === 0 || methods.includes(method.toUpperCase());
    if (asks('http_request', (config) => fits(textAt(config, 'method') ?? ''))) continue;
    unused(`sends ${methods.length === 0 ? 'HTTP' : methods.join(' or ')} requests`, ['world', 'http', index]);
  }
  // A path may lead to the program by a link.
  const hasLinks = Object.values(world.files).some(({ kind }) => kind === 'link');
  for (const [index, { match }] of world.processes.entries()) {
    if (asks('shell_run', (config) => hasLinks || textAt(config, 'command') === match.command)) continue;
    unused(`runs ${match.command ?? 'a program'}`, ['world', 'processes', index]);
  }
  for (const [index, { name, tools: answers, resources }] of world.mcp.entries()) {
    const isServer = (config: WorkflowNode['config']): boolean => (textAt(config, 'server') ?? name) === name;
    for (const tool of Object.keys(answers)) {
      if (asks('call_mcp_tool', (config) => isServer(config) && textAt(config, 'tool') === tool)) continue;
      unused(`calls the tool "${tool}"`, ['world', 'mcp', index, 'tools', tool]);
    }
    if (Object.keys(resources).length === 0 || asks('read_mcp_resource', isServer)) continue;
    unused('reads resources of this server', ['world', 'mcp', index]);
  }
}
