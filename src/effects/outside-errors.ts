import type { UrlProblem } from '../policy/canonical-url.ts';
import { visibleText } from '../text/visible-text.ts';
import type { HttpError, McpError, ProcessError } from '../types/mock.ts';
import { OS_ERROR } from './os-error.ts';

/** What a subject is told when HTTP fails on the way; mocks and granted requests say the same. `origin` is canonical. */
export function httpErrorText(error: HttpError, origin: string): string {
  const place = visibleText(origin);
  switch (error) {
    case 'refused':
      return `connect ${visibleText(hostAndPort(origin))}: ${OS_ERROR.refused}`;
    case 'dns':
      return `resolve ${visibleText(hostAndPort(origin))}: failed to lookup address information: Name or service not known`;
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

/** With the port also where it is the scheme's own: `api.example:443`. */
function hostAndPort(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** What a subject is told of a URL that no request can go to; mocks and granted requests say the same. */
export function badUrlText(url: string, { kind, problem }: UrlProblem): string {
  const shown = visibleText(url);
  switch (kind) {
    case 'scheme':
      return `URL must start with http:// (got ${shown}), or with https://`;
    case 'host':
      return `URL \`${shown}\` has no host`;
    case 'port':
      return `invalid port in URL \`${shown}\``;
    case 'spelling':
      return `${shown}: ${problem}`;
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
