import type { ErrorReply, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import { textOf } from '../values/message-text.ts';
import { countWork } from '../values/work.ts';
import type { GraphNode } from './graph.ts';
import { keepRequest } from './keep-request.ts';
import { COUNTER, type TrialState } from './trial-state.ts';
import { requestEvent } from './step-events.ts';
import { valueBytes } from './value-bytes.ts';
import type { WalkState } from './walk-state.ts';

/** The reply to a model request that the token budget no longer covers; null: it may be made. */
export function refuseSpent(trialState: TrialState, request: Request): ErrorReply | null {
  if (request.port !== 'model') return null;
  const used = trialState.counters[COUNTER.llmTokens] as number;
  const { maxTokens } = trialState.rules;
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
  const { trialState, address } = walk;
  countWork(lengthOf(request) >> 1);
  if (request.port === 'model') {
    trialState.modelRequests++;
    address.fromModel = inputFromModel;
    if (request.repair) trialState.count(COUNTER.repairs, 1);
    if (trialState.rules.keepPrompts && trialState.rules.dryRun !== true) {
      const text = request.messages.map(({ parts }) => textOf(parts)).join('\n');
      countWork(text.length >> 2);
      trialState.promptLength += text.length;
      trialState.prompts.push({ node: node.id, text });
    }
  } else {
    if (node.isLoop && isCall(request)) trialState.count(COUNTER.toolCalls, 1);
    address.fromModel = targetFromModel;
    if (trialState.rules.keepRequests && trialState.rules.dryRun !== true) keepRequest(trialState, node, request);
  }
  address.call = trialState.modelRequests;
  trialState.recorder?.event(requestEvent(walk, request.port, shownRequest(request)));
}

/** How much there is to look at in a request. What a model is told has been counted where it was made. */
function lengthOf(request: Request): number {
  switch (request.port) {
    case 'file':
      return request.path.length + (request.content?.length ?? 0);
    case 'env':
      return request.key.length;
    case 'http':
      return request.url.length + (request.body?.length ?? 0) + valueBytes(request.headers);
    case 'process':
      return request.command.length + valueBytes(request.args);
    case 'mcp':
      return request.target.length + valueBytes(request.args);
    case 'client':
      return request.op === 'elicitation' ? request.message.length + valueBytes(request.schema) : 0;
    case 'model':
    case 'children':
    case 'host':
      return 0;
  }
}

/** False: the request serves a call that was counted before. */
function isCall(request: Request): boolean {
  return request.port === 'mcp' ? request.resume === undefined : request.port !== 'client';
}

/** As traces keep it: a password in the address is nobody's to read. */
function shownRequest(request: Request): Json {
  const shown = request.port === 'http' ? { ...request, url: hideCredentials(request.url) } : { ...request };
  return shown as unknown as Json;
}
