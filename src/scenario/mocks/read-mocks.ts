import { isTable } from '../../source/json-schema.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import {
  ELICITATION_ACTIONS,
  type ElicitationReply,
  HTTP_ERRORS,
  type HttpReply,
  MCP_ERRORS,
  type McpError,
  type McpResourceReply,
  type McpToolReply,
  type MockElicitation,
  type MockHttp,
  type MockMcpResource,
  type MockMcpServer,
  type MockMcpTool,
  type MockProcess,
  type MockReplies,
  PROCESS_ERRORS,
  type ProcessReply,
} from '../../types/mock.ts';
import { jsonText } from '../../values/json-text.ts';
import { numberAt, tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { present, readHttpMatch, readProcessMatch, readText, mapValues } from '../read-matches.ts';

/** One of `[[world.http]]`. */
export function readHttp(mock: JsonObject): MockHttp {
  return { match: readHttpMatch(mock, tableAt(mock, 'request')), ...readReplies(mock, readHttpReply) };
}

/** One of `[[world.processes]]`. */
export function readProcess(mock: JsonObject): MockProcess {
  return { match: readProcessMatch(mock), ...readReplies(mock, readProcessReply) };
}

/** One of `[[world.mcp]]`. */
export function readMcp(mock: JsonObject): MockMcpServer {
  return {
    name: textAt(mock, 'name') ?? '',
    ...present('error', readMcpError(mock)),
    tools: mapValues(tableAt(mock, 'tools'), readTools),
    resources: readResources(mock),
    ...(valueAt(mock, 'elicitations') !== undefined && {
      elicitations: tablesAt(mock, 'elicitations').map(({ table }) => readElicitation(table)),
    }),
  };
}

function readElicitation(table: JsonObject): MockElicitation {
  const message = valueAt(table, 'message');
  return { ...(message !== undefined && { message: readText(message) }), ...readReplies(table, readElicitationReply) };
}

function readElicitationReply(reply: JsonObject): ElicitationReply {
  const action = textAt(reply, 'action');
  const content = valueAt(reply, 'content');
  return {
    action: ELICITATION_ACTIONS.find((word) => word === action) ?? 'accept',
    content: isTable(content) ? content : null,
    delayMs: numberAt(reply, 'delay_ms') ?? 0,
  };
}

function readReplies<R>(mock: JsonObject, read: (reply: JsonObject) => R): MockReplies<R> {
  const replies = tablesAt(mock, 'replies').map(({ table }) => read(table));
  return {
    replies: replies.length > 0 ? replies : [read(mock)],
    afterLast: textAt(mock, 'after_last') === 'error' ? 'error' : 'repeat',
    times: numberAt(mock, 'times') ?? null,
  };
}

function readHttpReply(reply: JsonObject): HttpReply {
  const body = valueAt(reply, 'body') ?? '';
  const error = textAt(reply, 'error');
  return {
    status: numberAt(reply, 'status') ?? 200,
    headers: mapValues(tableAt(reply, 'headers'), String),
    body: typeof body === 'string' ? body : jsonText(body),
    delayMs: numberAt(reply, 'delay_ms') ?? 0,
    ...present(
      'error',
      HTTP_ERRORS.find((word) => word === error),
    ),
  };
}

function readProcessReply(reply: JsonObject): ProcessReply {
  const error = textAt(reply, 'error');
  return {
    exitCode: numberAt(reply, 'exit_code') ?? 0,
    ...present('signal', numberAt(reply, 'signal')),
    stdout: textAt(reply, 'stdout') ?? '',
    stderr: textAt(reply, 'stderr') ?? '',
    delayMs: numberAt(reply, 'delay_ms') ?? 0,
    hangs: valueAt(reply, 'hangs') === true,
    ...present(
      'error',
      PROCESS_ERRORS.find((word) => word === error),
    ),
  };
}

function readTools(value: Json): readonly MockMcpTool[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  return list.filter(isTable).map((tool) => ({
    ...present('args', valueAt(tool, 'args')),
    ...readReplies(tool, readToolReply),
  }));
}

function readToolReply(reply: JsonObject): McpToolReply {
  return {
    content: valueAt(reply, 'content') ?? null,
    structured: valueAt(reply, 'structured') ?? null,
    isError: valueAt(reply, 'is_error') === true,
    delayMs: numberAt(reply, 'delay_ms') ?? 0,
    ...present('error', readMcpError(reply)),
  };
}

function readResources(mock: JsonObject): Readonly<Record<string, readonly MockMcpResource[]>> {
  const byUri = new Map<string, MockMcpResource[]>();
  const add = (uri: string, resource: MockMcpResource): void => {
    byUri.set(uri, [...(byUri.get(uri) ?? []), resource]);
  };
  for (const { table } of tablesAt(mock, 'reads')) add(textAt(table, 'uri') ?? '', readReplies(table, readRead));
  for (const [uri, contents] of Object.entries(tableAt(mock, 'resources'))) {
    add(uri, { replies: [{ contents, delayMs: 0 }], afterLast: 'repeat', times: null });
  }
  return Object.fromEntries(byUri);
}

function readRead(reply: JsonObject): McpResourceReply {
  return {
    contents: valueAt(reply, 'contents') ?? null,
    delayMs: numberAt(reply, 'delay_ms') ?? 0,
    ...present('error', readMcpError(reply)),
  };
}

function readMcpError(table: JsonObject): McpError | undefined {
  const error = valueAt(table, 'error');
  if (isTable(error)) return { code: numberAt(error, 'code') ?? 0, message: textAt(error, 'message') ?? '' };
  return MCP_ERRORS.find((word) => word === error);
}
