import type { Answer, McpRequest } from '../plugin/request.ts';
import { visibleText } from '../policy/visible-text.ts';
import type { MockMcpServer } from '../types/scenario.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';

/**
 * Answers for `[[world.mcp]]`. `declared` are the workflow's server names; they, or else the mocks', are what a request
 * without a server chooses from.
 */
export function mockMcp(mocks: readonly MockMcpServer[], declared: readonly string[]): (request: McpRequest) => Answer {
  const mocked = new Map(mocks.map((mock) => [mock.name, compileServer(mock)]));
  const known = [...new Set([...declared, ...mocked.keys()])];
  const choice = declared.length > 0 ? [...new Set(declared)] : known;

  return (request) => {
    const server = request.server ?? (choice.length === 1 ? choice[0] : undefined);
    if (server === undefined) {
      return choice.length === 0
        ? errorAnswer('no mcp_servers configured', 'mock', 'workflow')
        : errorAnswer('`server` field required', 'mock', 'workflow');
    }
    if (!known.includes(server)) {
      const names = known.map(visibleText).join(', ');
      return errorAnswer(`unknown mcp server \`${visibleText(server)}\`; configured: [${names}]`, 'mock', 'workflow');
    }
    const answer = mocked.get(server)?.[request.op].get(request.target);
    return answer ?? undeclared(request, server, mocked.has(server));
  };
}

interface CompiledServer {
  readonly tool: ReadonlyMap<string, Answer>;
  readonly resource: ReadonlyMap<string, Answer>;
}

function compileServer(mock: MockMcpServer): CompiledServer {
  const tools = Object.entries(mock.tools).map(([tool, { content, structured, isError, delayMs }]) => {
    const output = { tool, server: mock.name, content, is_error: isError, structured };
    return [tool, keptAnswer(valueAnswer(output, 'mock', delayMs * 1000))] as const;
  });
  const resources = Object.entries(mock.resources).map(([uri, contents]) => {
    return [uri, keptAnswer(valueAnswer({ uri, server: mock.name, contents }, 'mock'))] as const;
  });
  return { tool: new Map(tools), resource: new Map(resources) };
}

function undeclared(request: McpRequest, server: string, isMocked: boolean): Answer {
  const target = visibleText(request.target);
  const name = visibleText(server);
  const what = request.op === 'tool' ? `call_mcp_tool \`${target}\`` : `read_mcp_resource \`${target}\``;
  const entry = isMocked ? `the [[world.mcp]] entry named "${name}"` : `a [[world.mcp]] entry named "${name}"`;
  const part = request.op === 'tool' ? 'tool' : 'resource';
  return brokenAnswer(`Nothing answers ${what} on server \`${name}\`. Declare the ${part} in ${entry}.`);
}
