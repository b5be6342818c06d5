import type { Request } from '../plugin/request.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import { visibleText } from '../text/visible-text.ts';

/** Why a run ended whose time was up while nothing had answered its request: who was asked, and what for. */
export function waitedFor(request: Request): string {
  return `${whoIsSilent(request)} before the time was up`;
}

function whoIsSilent(request: Request): string {
  switch (request.port) {
    case 'mcp':
      return `${serverOf(request.server)} did not answer ${request.op} ${quoted(request.target)}`;
    case 'client':
      return request.op === 'tools'
        ? `${serverOf(request.server)} did not list its tools`
        : `nobody answered what ${serverOf(request.server)} asked`;
    case 'http':
      return `${request.method} ${visibleText(hideCredentials(request.url))} was not answered`;
    case 'process':
      return `program ${quoted(request.command)} did not end`;
    case 'model':
      return `backend ${quoted(request.backend)} did not answer`;
    case 'file':
      return `${request.op} of file ${quoted(request.path)} did not end`;
    case 'env':
      return `variable ${quoted(request.key)} was not read`;
    case 'host':
      return `function ${quoted(request.name)} did not answer`;
    case 'children':
      return 'its child workflows did not end';
  }
}

function serverOf(name: string | null): string {
  return name === null ? 'the MCP server' : `MCP server ${quoted(name)}`;
}

function quoted(text: string): string {
  return `\`${visibleText(text)}\``;
}
