import type { OutsideCall } from '../../plugin/node-type.ts';
import type { Port, Request } from '../../plugin/request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { bodyOf } from '../http-parts.ts';
import { chooseServer } from '../mcp/mcp-parts.ts';
import { processRequest } from '../process-parts.ts';

/** A tool that the model of an agent loop may call. */
export interface LoopTool {
  readonly port: Port;
  /** What a call of it is, before the model has said more. */
  readonly call: OutsideCall;
  /** Its arguments, as the model is told. */
  readonly usage: string;
  /** The request that carries out a call, or why the arguments cannot be used. */
  request(args: Json, mcpServers: readonly string[]): Request | Unusable;
  /** What the model gets to see of the answer. */
  result(value: Json): Json;
}

export interface Unusable {
  readonly category: 'tool' | 'workflow';
  readonly problem: string;
}

/** All tools by name. */
export const LOOP_TOOLS: ReadonlyMap<string, LoopTool> = new Map<string, LoopTool>([
  [
    'read_file',
    {
      port: 'file',
      call: { port: 'file', op: 'read' },
      usage: '{"path": string}',
      request: (args) => withTexts(args, ['path'], ([path]) => ({ port: 'file', op: 'read', as: 'read_file', path })),
      result: (value) => pick(value, ['path', 'content']),
    },
  ],
  [
    'write_file',
    {
      port: 'file',
      call: { port: 'file', op: 'write' },
      usage: '{"path": string, "content": string}',
      request: (args) =>
        withTexts(args, ['path', 'content'], ([path, content]) => ({
          port: 'file',
          op: 'write',
          as: 'write_file',
          path,
          content,
        })),
      result: (value) => pick(value, ['path', 'bytes']),
    },
  ],
  [
    'read_env',
    {
      port: 'env',
      call: { port: 'env' },
      usage: '{"key": string}',
      request: (args) => withTexts(args, ['key'], ([key]) => ({ port: 'env', key })),
      result: (value) => value,
    },
  ],
  [
    'http_request',
    {
      port: 'http',
      call: { port: 'http' },
      usage: '{"method": string, "url": string, "body"?: any}',
      request: (args) =>
        withTexts(args, ['method', 'url'], ([method, url]) => {
          const value = argument(args, 'body') ?? null;
          const body = value === null ? null : bodyOf(value);
          if (typeof body === 'object' && body !== null) return { category: 'tool', problem: body.problem };
          return { port: 'http', method: method.toUpperCase(), url, headers: {}, body };
        }),
      result: (value) => value,
    },
  ],
  [
    'shell_run',
    {
      port: 'process',
      call: { port: 'process' },
      usage: '{"command": string, "args"?: string[]}',
      request: (args) =>
        withTexts(args, ['command'], ([command]) => {
          const list = argument(args, 'args');
          const texts = isJsonArray(list) ? list.filter((item) => typeof item === 'string') : [];
          const request = processRequest(command, texts);
          return 'problem' in request ? { category: 'tool', problem: request.problem } : request;
        }),
      result: (value) => pick(value, ['exit_code', 'stdout', 'stderr', 'timed_out']),
    },
  ],
  [
    'call_mcp_tool',
    {
      port: 'mcp',
      call: { port: 'mcp', op: 'tool' },
      usage: '{"tool": string, "args"?: any, "server"?: string}',
      request: (args, mcpServers) =>
        withTexts(args, ['tool'], ([target]) => {
          const named = argument(args, 'server');
          const chosen = chooseServer(typeof named === 'string' ? named : undefined, mcpServers);
          if (!chosen.ok) return { category: 'workflow', problem: chosen.problem };
          return { port: 'mcp', op: 'tool', server: chosen.server, target, args: argument(args, 'args') ?? null };
        }),
      result: (value) => pick(value, ['tool', 'content', 'structured', 'is_error']),
    },
  ],
]);

function argument(args: Json, name: string): Json | undefined {
  return isJsonObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
}

/** Makes a request of arguments that must be text, or names the first that is not. */
function withTexts<const N extends readonly string[]>(
  args: Json,
  names: N,
  make: (texts: { readonly [K in keyof N]: string }) => Request | Unusable,
): Request | Unusable {
  const texts: string[] = [];
  for (const name of names) {
    const text = argument(args, name);
    if (typeof text !== 'string') return { category: 'tool', problem: `tool args missing string field \`${name}\`` };
    texts.push(text);
  }
  return make(texts as { readonly [K in keyof N]: string });
}

function pick(value: Json, names: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const picked: [string, Json][] = [];
  for (const name of names) if (Object.hasOwn(value, name)) picked.push([name, value[name] as Json]);
  return Object.fromEntries(picked) satisfies JsonObject;
}
