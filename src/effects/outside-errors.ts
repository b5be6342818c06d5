import { visibleText } from '../policy/visible-text.ts';
import type { HttpError, McpError, ProcessError } from '../types/mock.ts';
import { OS_ERROR } from './os-error.ts';

/** What a subject is told when HTTP fails on the way; mocks and granted requests say the same. `origin` is canonical. */
export function httpErrorText(error: HttpError, origin: string): string {
  const place = visibleText(origin);
  switch (error) {
    case 'refused':
      return `connect ${place}: connection refused`;
    case 'dns':
      return `resolve ${place}: host not found`;
    case 'tls':
      return `secure ${place}: the TLS handshake failed`;
    case 'reset':
      return `read ${place}: connection reset before the reply`;
    case 'truncated':
      return `read ${place}: connection closed in the middle of the reply`;
    case 'timeout':
      return `read ${place}: no answer`;
    case 'malformed':
      return `read ${place}: the response is not valid HTTP`;
  }
}

/** What a subject is told when a program does not start. */
export function processErrorText(error: ProcessError, command: string): string {
  const path = visibleText(command);
  return error === 'not_found' ? `resolve ${path}: ${OS_ERROR.notFound}` : `spawn ${path}: ${OS_ERROR.denied}`;
}

/** What a subject is told when an MCP server fails on the way; its category is `mcp`. */
export function mcpErrorText(error: McpError, server: string): string {
  const name = `server \`${visibleText(server)}\``;
  if (error === 'down') return `${name} is not there`;
  if (error === 'timeout') return `${name} did not answer in time`;
  return `${name} answered error ${error.code}: ${visibleText(error.message)}`;
}
