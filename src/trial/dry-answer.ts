import type { Answer, FileRequest, HostRequest, HttpRequest, ModelRequest, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import type { Json } from '../types/json.ts';

type DryRequest = FileRequest | HostRequest | HttpRequest | McpRequest | ModelRequest | ProcessRequest;

/** What a dry run puts in place of an answer: what was asked, and that nothing was done. */
export function dryAnswer(request: DryRequest): Answer {
  return { reply: { kind: 'value', value: outputOf(request) }, delayUs: 0, source: 'none', fault: null };
}

function outputOf(request: DryRequest): Json {
  switch (request.port) {
    case 'model':
      return { content: '<dry-run>', parsed: null, dry_run: true };
    case 'file':
      return request.op === 'write'
        ? { path: request.path, bytes: Buffer.byteLength(request.content ?? ''), dry_run: true }
        : { path: request.path, dry_run: true };
    case 'http':
      return { method: request.method, url: request.url, dry_run: true };
    case 'process':
      return { command: request.command, args: request.args, dry_run: true };
    case 'mcp':
      return request.op === 'tool'
        ? { tool: request.target, server: request.server, dry_run: true }
        : { uri: request.target, server: request.server, dry_run: true };
    case 'host':
      return { dry_run: true };
  }
}
