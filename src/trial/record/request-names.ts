import { callNames } from '../../matching/call-names.ts';
import type { Request } from '../../plugin/request.ts';

/** All names that a request of this node goes by, the most telling first. */
export function requestNames(by: string, request: Request): readonly string[] {
  switch (request.port) {
    case 'http':
    case 'process':
    case 'mcp':
      return callNames(by, request);
    case 'model':
      return [request.backend];
    case 'file':
      return [request.as];
    case 'env':
      return ['read_env'];
    case 'client':
      return [request.op];
    case 'host':
      return [request.name];
    case 'children':
      return [];
  }
}
