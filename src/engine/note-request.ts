import type { ErrorReply, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { hideCredentials } from '../values/hide-credentials.ts';
import type { GraphNode } from './graph.ts';
import { keepRequest } from './keep-request.ts';
import { COUNTER, type Session } from './session.ts';
import { requestEvent } from './step-events.ts';
import type { WalkState } from './walk-state.ts';

/** The reply to a model request that the token budget no longer covers; null: it may be made. */
export function refuseSpent(session: Session, request: Request): ErrorReply | null {
  if (request.port !== 'model') return null;
  const used = session.counters[COUNTER.llmTokens] as number;
  const { maxTokens } = session.rules;
  if (used < maxTokens) return null;
  const message = `budget.max_llm_tokens exceeded: ${used} / ${maxTokens} tokens consumed`;
  return { kind: 'error', category: 'tool', message, denied: false, spent: true };
}

/** Counts and records a request that is about to be made, and writes down where it comes from. */
export function noteRequest(
  walk: WalkState,
  node: GraphNode,
  request: Request,
  targetFromModel: boolean,
  inputFromModel: boolean,
): void {
  const { session, address } = walk;
  if (request.port === 'model') {
    session.modelRequests++;
    address.fromModel = inputFromModel;
    if (request.repair) session.count(COUNTER.repairs, 1);
    if (session.rules.keepPrompts) {
      const text = request.messages.map((message) => message.content).join('\n');
      session.prompts.push({ node: node.id, text });
    }
  } else {
    if (node.isLoop) session.count(COUNTER.toolCalls, 1);
    address.fromModel = targetFromModel;
    if (session.rules.keepRequests) keepRequest(session, node, request);
  }
  address.call = session.modelRequests;
  session.recorder?.event(requestEvent(walk, request.port, shownRequest(request)));
}

/** As traces keep it: a password in the address is nobody's to read. */
function shownRequest(request: Request): Json {
  const shown = request.port === 'http' ? { ...request, url: hideCredentials(request.url) } : { ...request };
  return shown as unknown as Json;
}
