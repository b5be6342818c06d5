import { fitsMcp } from '../matching/mcp-match.ts';
import type { Answer } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Json } from '../types/json.ts';
import type { McpError, McpResourceReply, McpToolReply, MockMcpServer } from '../types/mock.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';
import { type MockSlots, type MockUses, type ServedMock, serveMock, takeAnswer } from './mock-uses.ts';
import { mcpErrorText } from './outside-errors.ts';

/**
 * Answers for `[[world.mcp]]`. `declared` are the workflow's server names; they, or else the mocks', are what a request
 * without a server chooses from.
 */
export function mockMcp(
  mocks: readonly MockMcpServer[],
  slots: MockSlots,
  declared: readonly string[],
): (request: McpRequest, uses: MockUses) => Answer {
  const mocked = new Map(mocks.map((mock) => [mock.name, compileServer(mock, slots)]));
  const servers = [...new Set([...declared, ...mocked.keys()])];
  const choice = declared.length > 0 ? [...new Set(declared)] : servers;

  return (request, uses) => {
    const server = request.server ?? (choice.length === 1 ? choice[0] : undefined);
    if (server === undefined) {
      return choice.length === 0
        ? errorAnswer('no mcp_servers configured', 'mock', 'workflow')
        : errorAnswer('`server` field required', 'mock', 'workflow');
    }
    if (!servers.includes(server)) {
      const names = servers.map((name) => visibleText(name)).join(', ');
      return errorAnswer(`unknown mcp server \`${visibleText(server)}\`; configured: [${names}]`, 'mock', 'workflow');
    }
    const answers = mocked.get(server);
    if (answers !== undefined && answers.down !== null) return answers.down;
    const entries = answers?.[request.op].get(request.target);
    const answer = takeAnswer<Compiled, Answer>(entries ?? [], uses, ({ args }) => fitsMcp({ args }, request));
    return (
      answer ?? undeclared(request, server, { isMocked: answers !== undefined, isTargeted: entries !== undefined })
    );
  };
}

interface Compiled extends ServedMock<Answer> {
  readonly args: Json | undefined;
}

interface CompiledServer {
  /** What everything gets; null: the entries answer. */
  readonly down: Answer | null;
  readonly tool: ReadonlyMap<string, readonly Compiled[]>;
  readonly resource: ReadonlyMap<string, readonly Compiled[]>;
}

function compileServer({ name, error, tools, resources }: MockMcpServer, slots: MockSlots): CompiledServer {
  const fail = (why: McpError, delayMs: number): Answer =>
    keptAnswer(errorAnswer(mcpErrorText(why, name), 'mock', 'mcp', delayMs * 1000));
  const give = (output: Json, reply: McpToolReply | McpResourceReply): Answer =>
    reply.error === undefined
      ? keptAnswer(valueAnswer(output, 'mock', reply.delayMs * 1000))
      : fail(reply.error, reply.delayMs);
  const afterLast = fail('down', 0);
  const toolAnswer = (tool: string) => (reply: McpToolReply) =>
    give({ tool, server: name, content: reply.content, is_error: reply.isError, structured: reply.structured }, reply);
  const resourceAnswer = (uri: string) => (reply: McpResourceReply) =>
    give({ uri, server: name, contents: reply.contents }, reply);
  return {
    down: error === undefined ? null : fail(error, 0),
    tool: mapEntries(tools, (tool, mocks) =>
      mocks.map((mock) => ({
        args: mock.args,
        ...serveMock(mock, slots, { answer: toolAnswer(tool), afterLast }),
      })),
    ),
    resource: mapEntries(resources, (uri, mocks) =>
      mocks.map((mock) => ({
        args: undefined,
        ...serveMock(mock, slots, { answer: resourceAnswer(uri), afterLast }),
      })),
    ),
  };
}

function mapEntries<A, B>(
  table: Readonly<Record<string, A>>,
  make: (key: string, value: A) => B,
): ReadonlyMap<string, B> {
  return new Map(Object.entries(table).map(([key, value]) => [key, make(key, value)]));
}

/** Which of the two it takes stands in the workflow's `[[mcp_servers]]`. */
const REAL_SERVER = ' with --allow-run for its command or --allow-net for its url';

function undeclared(
  request: McpRequest,
  server: string,
  { isMocked, isTargeted }: { readonly isMocked: boolean; readonly isTargeted: boolean },
): Answer {
  const target = visibleText(request.target);
  const name = visibleText(server);
  const what = request.op === 'tool' ? `call_mcp_tool \`${target}\`` : `read_mcp_resource \`${target}\``;
  const entry = isMocked ? `the [[world.mcp]] entry named "${name}"` : `a [[world.mcp]] entry named "${name}"`;
  if (isTargeted) {
    return brokenAnswer(
      `Nothing answers ${what} on server \`${name}\` with these arguments, or its mocks are used up. ` +
        `Declare one more in ${entry}, or allow the real server${REAL_SERVER}.`,
    );
  }
  const part = request.op === 'tool' ? 'tool' : 'resource';
  return brokenAnswer(
    `Nothing answers ${what} on server \`${name}\`. Declare the ${part} in ${entry}, or allow the real server${REAL_SERVER}.`,
  );
}
