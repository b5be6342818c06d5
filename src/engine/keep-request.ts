import type { Request } from '../plugin/request.ts';
import type { GraphNode } from './graph.ts';
import type { TrialState } from './trial-state.ts';

/** Keeps a request that goes out, for checks that ask for it. One that is not whole is never made. */
export function keepRequest({ requests }: TrialState, node: GraphNode, request: Request): void {
  if (request.port !== 'http' && request.port !== 'process' && request.port !== 'mcp') return;
  // A call that goes on is the same call.
  if (request.port === 'mcp' && request.resume !== undefined) return;
  if ('invalid' in request && request.invalid !== undefined) return;
  requests.push({ node: node.id, request });
}

/** Keeps a denial instead of the request, which has happened nowhere. */
export function keepDenial(
  { requests, denials }: TrialState,
  node: GraphNode,
  request: Request,
  message: string,
): void {
  // Requests are kept when they are asked, so that their order does not depend on how long answers take.
  const at = requests.findLastIndex((sent) => sent.request === request && sent.node === node.id);
  if (at >= 0) requests.splice(at, 1);
  denials.push({ node: node.id, message });
}
