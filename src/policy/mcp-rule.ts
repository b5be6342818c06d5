import type { Policy } from '../types/policy.ts';
import type { McpServer } from '../types/workflow.ts';
import type { FamilyRule } from './env-rule.ts';
import { compileNamePatterns } from './name-pattern.ts';
import type { Patterns } from './path-pattern.ts';
import type { McpQuestion } from './policy-question.ts';
import { compileUriPatterns, uriProblem } from './uri-pattern.ts';
import { visibleText } from '../text/visible-text.ts';

export interface McpRule extends FamilyRule {
  decide(question: McpQuestion): string | null;
}

/**
 * MCP allowlists: those of `[[mcp_servers]]` entries and `[policy.mcp]`. A server entry that lists anything allows
 * only what it lists, with or without a policy. A list of the policy that is not empty narrows further. With a policy,
 * what neither the server's own lists nor the policy's allow is denied.
 */
export function mcpRule(policy: Policy['mcp'] | null, declared: readonly McpServer[]): McpRule {
  const listsByServer = new Map(declared.map((server) => [server.name, serverLists(server)]));
  const sole = listsByServer.size === 1 ? (declared[0]?.name ?? null) : null;
  const servers = silentWhenEmpty(compileNamePatterns(policy?.servers ?? []));
  const tools = silentWhenEmpty(compileNamePatterns(policy?.tools ?? []));
  const resources = silentWhenEmpty(compileUriPatterns(policy?.resources ?? []));

  function allows(server: string | null, question: McpQuestion): boolean {
    const lists = server === null ? undefined : listsByServer.get(server);
    const isTool = question.op === 'tool';
    const byServer = (isTool ? lists?.tools : lists?.resources) ?? null;
    const byPolicy = isTool ? tools : resources;
    if (servers !== null && (server === null || !servers.matches(server))) return false;
    if (byServer?.matches(question.target) === false) return false;
    if (byPolicy?.matches(question.target) === false) return false;
    return policy === null || byServer !== null || byPolicy !== null;
  }

  return {
    problems: [],
    decide: (question) => {
      const server = question.server ?? sole;
      if (allows(server, question)) return null;
      const shown = visibleText(question.target);
      const on = `on server \`${visibleText(server ?? '<none>')}\``;
      if (question.op === 'tool') return `mcp tool \`${shown}\` denied by allowlist ${on}`;
      const problem = uriProblem(question.target);
      return `mcp resource \`${shown}\` denied by allowlist ${on}${problem === null ? '' : `: ${problem}`}`;
    },
  };
}

/** A call of MCP as far as a node tells: without a target it may ask for anything of its kind. */
type McpCall = Pick<McpQuestion, 'op'> & { readonly server?: string; readonly target?: string };

/** True: without a policy, the lists of the servers deny whatever the call may ask for: that tool, or every resource. */
export function refusesMcp({ op, server, target }: McpCall, declared: readonly McpServer[]): boolean {
  if (target !== undefined) {
    return mcpRule(null, declared).decide({ port: 'mcp', op, server: server ?? null, target }) !== null;
  }
  const [first, ...others] = declared.filter(({ name }) => server === undefined || name === server);
  if (first === undefined || others.length > 0) return false;
  return op === 'resource' && first.allowResources.length === 0 && first.allowTools.length > 0;
}

interface ServerLists {
  readonly tools: Patterns<string>;
  readonly resources: Patterns<string>;
}

// An entry without any list says nothing, one with a list means it.
function serverLists(server: McpServer): ServerLists | undefined {
  if (server.allowTools.length === 0 && server.allowResources.length === 0) return undefined;
  return { tools: compileNamePatterns(server.allowTools), resources: compileUriPatterns(server.allowResources) };
}

function silentWhenEmpty(patterns: Patterns<string>): Patterns<string> | null {
  return patterns.count === 0 ? null : patterns;
}
