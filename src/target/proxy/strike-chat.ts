import { changeAnswer } from '../../faults/chaos/change-answer.ts';
import type { ChaosState, ModelStrike } from '../../faults/chaos/chaos-state.ts';
import { attackPrompt, injectText } from '../../faults/chaos/context-attacks.ts';
import { toolFaultReply } from '../../faults/chaos/tool-fault.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { listAt, textAt } from '../../values/json-fields.ts';
import { eventsWithText, withAnswerText } from './chat-answer.ts';
import { lastOf, messageText, type ToolResult, toolResults, withMessageText } from './chat-request.ts';

/** A request to a model after chaos: what is sent, and how long its sender waits first. */
export interface StruckRequest {
  readonly body: JsonObject;
  readonly waitMs: number;
}

/**
 * Breaks the tools whose results stand in a request. A result is struck once, when it is first told, and comes back the
 * same whenever the conversation is told again; `told` keeps them by call.
 */
export function strikeToolResults(body: JsonObject, state: ChaosState, told: Map<string, string>): StruckRequest {
  let struck = body;
  let waitMs = 0;
  for (const result of toolResults(body)) {
    const key = result.callId === '' ? `at ${result.at}` : result.callId;
    if (!told.has(key)) {
      const { text, wait } = strikeResult(result, state);
      told.set(key, text);
      waitMs += wait;
    }
    const text = told.get(key) ?? result.text;
    if (text !== result.text) struck = withMessageText(struck, result.at, text);
  }
  return { body: struck, waitMs };
}

function strikeResult({ name, text }: ToolResult, state: ChaosState): { readonly text: string; readonly wait: number } {
  const { waitMs, fault } = state.onTool({ names: name === null ? [] : [name], url: null });
  if (fault === null) {
    const injected = state.onResult('tool').reduce((now, { payload }) => injectText(now, payload), text);
    return { text: injected, wait: waitMs };
  }
  if (fault.mode === 'timeout') {
    return { text: `Error: no answer within ${fault.delayMs} ms.`, wait: waitMs + fault.delayMs };
  }
  const reply = toolFaultReply(fault);
  if (reply === null) return { text, wait: waitMs };
  return { text: fault.mode === 'error' ? `Error ${reply.status}: ${reply.body}` : reply.body, wait: waitMs };
}

/** Puts what attacks a prompt into the last words of the user, and documents' injections into the instructions. */
export function strikePrompt(body: JsonObject, { prompt }: ModelStrike, state: ChaosState): JsonObject {
  const user = lastOf(body, 'user');
  const attacked =
    user < 0 || prompt.length === 0 ? body : withMessageText(body, user, attackPrompt(messageText(body, user), prompt));
  const injections = state.onResult('document');
  const context = Math.max(lastOf(body, 'system'), lastOf(body, 'developer'));
  const place = context < 0 ? user : context;
  if (place < 0 || injections.length === 0) return attacked;
  const text = injections.reduce((now, { payload }) => injectText(now, payload), messageText(attacked, place));
  return withMessageText(attacked, place, text);
}

/** Changes a whole answer; null: nothing changes. */
export function strikeAnswer(body: JsonObject, strike: ModelStrike, state: ChaosState): JsonObject | null {
  const text = textAt(body, 'choices', 0, 'message', 'content') ?? '';
  const isCall = listAt(body, 'choices', 0, 'message', 'tool_calls').length > 0;
  const changed = changedText(text, isCall, strike, state);
  return changed === null ? null : withAnswerText(body, changed);
}

/** The same for the events of a streamed answer. */
export function strikeEvents(
  events: readonly Json[],
  strike: ModelStrike,
  state: ChaosState,
): readonly JsonObject[] | null {
  const text = events.map((event) => textAt(event, 'choices', 0, 'delta', 'content') ?? '').join('');
  const isCall = events.some((event) => listAt(event, 'choices', 0, 'delta', 'tool_calls').length > 0);
  const changed = changedText(text, isCall, strike, state);
  return changed === null ? null : eventsWithText(events, changed);
}

/** An answer that only calls tools has no words to cut or rephrase; silence and garbage come instead of the calls. */
function changedText(text: string, isCall: boolean, { changes }: ModelStrike, state: ChaosState): string | null {
  const { content, changed } = changeAnswer(text, changes);
  const silenced = isCall ? changes.filter(({ fault }) => fault.mode === 'empty') : [];
  const fired = new Set([...changed, ...silenced]);
  for (const { at } of fired) state.fire(at);
  return fired.size === 0 ? null : content;
}
