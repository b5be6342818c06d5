import { changeAnswer } from '../../faults/chaos/change-answer.ts';
import type { Attack, ChaosState, ModelStrike } from '../../faults/chaos/chaos-state.ts';
import { attackPrompt, injectText } from '../../faults/chaos/context-attacks.ts';
import { recordedReply } from '../../faults/chaos/recorded-responses.ts';
import { toolFaultReply } from '../../faults/chaos/tool-fault-types.ts';
import type { JsonObject } from '../../types/json.ts';
import type { SeenAnswer, ToolResult } from './dialects/dialect.ts';
import { replayMiss } from '../../values/replay-miss.ts';
import type { ModelCall } from './dialects/find-dialect.ts';
import type { Session } from './session.ts';

/** A request to a model after chaos: what is sent, and how long its sender waits first. */
export interface StruckRequest {
  readonly body: JsonObject;
  readonly waitMs: number;
}

/**
 * Breaks the tools whose results stand in a request. A result is struck once, when it is first told, and comes back the
 * same whenever the conversation is told again; `firstResults` keeps them by call. Under replay a tool whose own calls are in
 * sight got its recorded answer there.
 */
export function strikeToolResults(
  { dialect, body }: ModelCall,
  state: ChaosState,
  { firstResults, seen, tools }: Pick<Session, 'firstResults' | 'seen' | 'tools'>,
): StruckRequest {
  let struck = body;
  let waitMs = 0;
  for (const result of dialect.toolResults(body)) {
    if (state.isReplay && result.name !== null && tools.has(result.name)) continue;
    const key = result.callId === '' ? `at ${result.at} ${result.part}` : result.callId;
    if (!firstResults.has(key)) {
      const { text, wait, miss } = strikeResult(result, state);
      if (miss !== undefined) seen.missed.add(miss);
      firstResults.set(key, text);
      waitMs += wait;
    }
    const text = firstResults.get(key) ?? result.text;
    if (text !== result.text) struck = dialect.withToolResult(struck, result, text);
  }
  return { body: struck, waitMs };
}

function strikeResult(
  { name, text }: ToolResult,
  state: ChaosState,
): { readonly text: string; readonly wait: number; readonly miss?: string } {
  const { waitMs, fault, recorded, miss } = state.onTool({ names: name === null ? [] : [name], url: null });
  if (miss !== undefined) return { text: `Error: ${replayMiss(miss)}`, wait: 0, miss };
  if (recorded !== undefined) {
    const reply = recordedReply(recorded);
    const said = reply?.body ?? 'Error: no answer came.';
    return { text: (reply?.status ?? 0) >= 400 ? `Error ${reply?.status}: ${said}` : said, wait: waitMs };
  }
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
export function strikePrompt({ dialect, body }: ModelCall, { prompt }: ModelStrike, state: ChaosState): JsonObject {
  const words = dialect.prompt(body);
  const attacks = words === null ? [] : prompt.filter((attack) => !isThere(attack, words, state));
  const attacked =
    words === null || attacks.length === 0 ? body : dialect.withPrompt(body, attackPrompt(words, attacks));
  const injections = state.onResult('document');
  if (injections.length === 0) return attacked;
  const inject = (text: string): string => injections.reduce((now, { payload }) => injectText(now, payload), text);
  const instructions = dialect.instructions(attacked);
  if (instructions !== null) return dialect.withInstructions(attacked, inject(instructions));
  const userPrompt = dialect.prompt(attacked);
  return userPrompt === null ? attacked : dialect.withPrompt(attacked, inject(userPrompt));
}

/** Whether the agent passes on what it was attacked with already. That struck at its input, and counts once. */
function isThere(attack: Attack, words: string, state: ChaosState): boolean {
  if (!words.includes(attackPrompt('', [attack]).trim())) return false;
  state.fire(attack.at, -1);
  return true;
}

/**
 * The words that come instead of an answer's; null: it stays as it is. An answer that only asks for tools has no words to
 * cut or rephrase; silence and garbage come instead of what it asks for.
 */
export function strikeWords({ text, tools }: SeenAnswer, { changes }: ModelStrike, state: ChaosState): string | null {
  const { content, changed } = changeAnswer(text, changes);
  const silenced = tools.length > 0 ? changes.filter(({ fault }) => fault.mode === 'empty') : [];
  const fired = new Set([...changed, ...silenced]);
  for (const { at } of fired) state.fire(at);
  return fired.size === 0 ? null : content;
}
