import { nodeCalls } from '../../plugin/node-calls.ts';
import type { World } from '../../types/scenarios/world.ts';
import type { Workflow } from '../../types/workflow.ts';
import type { Report } from '../../workflow/report.ts';
import type { RegistryView } from '../registry-view.ts';

/** Mocks that no node can ask for. Nothing is said where a plug-in may ask for anything. */
export function checkUnusedMocks(
  world: World,
  { workflows, registry }: { readonly workflows: readonly Workflow[]; readonly registry: RegistryView },
  report: Report,
): void {
  const nodes = workflows.flatMap((workflow) => workflow.nodes);
  const callsByNode = nodes.map((node) => nodeCalls(node, (type) => registry.nodeTypeOf(type)));
  if (callsByNode.includes(null)) return;
  const calls = callsByNode.flatMap((one) => one ?? []);
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
    const fits = (method: string | undefined): boolean =>
      method === undefined || methods.length === 0 || methods.includes(method);
    if (calls.some((call) => call.port === 'http' && fits(call.method))) continue;
    unused(`sends ${methods.length === 0 ? 'HTTP' : methods.join(' or ')} requests`, ['world', 'http', index]);
  }
  // A path may lead to the program by a link.
  const hasLinks = Object.values(world.files).some(({ kind }) => kind === 'link');
  for (const [index, { match }] of world.processes.entries()) {
    const fits = (command: string | undefined): boolean =>
      hasLinks || command === undefined || command === match.command;
    if (calls.some((call) => call.port === 'process' && fits(call.command))) continue;
    unused(`runs ${match.command ?? 'a program'}`, ['world', 'processes', index]);
  }
  for (const [index, { name, tools: answers, resources }] of world.mcp.entries()) {
    const serverCalls = calls.filter((call) => call.port === 'mcp').filter(({ server }) => (server ?? name) === name);
    for (const tool of Object.keys(answers)) {
      if (serverCalls.some(({ op, target }) => op === 'tool' && (target ?? tool) === tool)) continue;
      unused(`calls the tool "${tool}"`, ['world', 'mcp', index, 'tools', tool]);
    }
    if (Object.keys(resources).length === 0 || serverCalls.some(({ op }) => op === 'resource')) continue;
    unused('reads resources of this server', ['world', 'mcp', index]);
  }
}
