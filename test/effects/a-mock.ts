import type {
  HttpMatch,
  HttpReply,
  McpToolReply,
  MockHttp,
  MockMcpTool,
  MockProcess,
  ProcessMatch,
  ProcessReply,
} from '../../src/types/mock.ts';

const ALWAYS = { afterLast: 'repeat', times: null } as const;

/** An entry of `[[world.http]]` with one reply. */
export function anHttpMock(
  match: Partial<HttpMatch>,
  reply: Partial<HttpReply> = {},
  use: Partial<MockHttp> = {},
): MockHttp {
  return {
    match: { methods: [], headers: {}, body: {}, ...match },
    replies: [anHttpReply(reply)],
    ...ALWAYS,
    ...use,
  };
}

/** A reply of `[[world.http]]`. */
export function anHttpReply(reply: Partial<HttpReply> = {}): HttpReply {
  return { status: 200, headers: {}, body: '', delayMs: 0, ...reply };
}

/** An entry of `[[world.processes]]` with one reply. */
export function aProcessMock(
  match: Partial<ProcessMatch>,
  reply: Partial<ProcessReply> = {},
  use: Partial<MockProcess> = {},
): MockProcess {
  return {
    match: { argsContain: [], ...match },
    replies: [{ exitCode: 0, stdout: '', stderr: '', delayMs: 0, hangs: false, ...reply }],
    ...ALWAYS,
    ...use,
  };
}

/** An answer of a tool of `[[world.mcp]]`. */
export function aToolMock(reply: Partial<McpToolReply> = {}, use: Partial<MockMcpTool> = {}): MockMcpTool {
  return { replies: [{ content: null, structured: null, isError: false, delayMs: 0, ...reply }], ...ALWAYS, ...use };
}
