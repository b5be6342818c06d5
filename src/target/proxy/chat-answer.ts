import type { Json, JsonObject } from '../../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { isJsonObject } from '../../values/is-json.ts';
import type { SeenTokens } from '../target.ts';

/** What a model's answer says of itself, whole or as a stream. */
export interface SeenAnswer {
  readonly used: SeenTokens;
  /** Functions that it calls, in order. */
  readonly tools: readonly string[];
}

/** Of answers that do not say how many tokens they took. */
export const UNTOLD: SeenTokens = { tokens: null, promptTokens: null, completionTokens: null };

/** Tokens of two stretches of calls together: what one of them does not tell is not known of both. */
export function addTokens(one: SeenTokens, other: SeenTokens): SeenTokens {
  return {
    tokens: sum(one.tokens, other.tokens),
    promptTokens: sum(one.promptTokens, other.promptTokens),
    completionTokens: sum(one.completionTokens, other.completionTokens),
  };
}

/** Reads a whole answer of OpenAI's chat completions. */
export function seenInAnswer(body: unknown): SeenAnswer {
  return { used: usedTokens(body), tools: calledIn(fieldAt(body, 'choices', 0, 'message')) };
}

/** Reads the events of a streamed answer, in order. */
export function seenInEvents(events: readonly Json[]): SeenAnswer {
  const used = events.map(usedTokens).findLast(({ tokens }) => tokens !== null) ?? UNTOLD;
  return { used, tools: events.flatMap((event) => calledIn(fieldAt(event, 'choices', 0, 'delta'))) };
}

/** The whole answer with other text; where it called tools it no longer does, since other words came instead. */
export function withAnswerText(body: JsonObject, content: string): JsonObject {
  const choices = listAt(body, 'choices').map((choice) => {
    const { tool_calls: _, ...message } = (fieldAt(choice, 'message') ?? {}) as JsonObject;
    return { ...(choice as JsonObject), message: { ...message, content }, finish_reason: 'stop' };
  });
  return { ...body, choices };
}

/**
 * A streamed answer with other text: the first event with the role, the text in pieces, the end, then what came
 * without a choice, such as the count of tokens.
 */
export function eventsWithText(events: readonly Json[], text: string): readonly JsonObject[] {
  const objects = events.filter(isJsonObject);
  const first = objects.find((event) => listAt(event, 'choices').length > 0);
  if (first === undefined) return objects;
  const { usage: _, ...head } = first;
  const event = (delta: JsonObject, finish: Json): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    event({ role: 'assistant', content: '' }, null),
    ...pieces(text).map((content) => event({ content }, null)),
    event({}, 'stop'),
    ...objects.filter((each) => listAt(each, 'choices').length === 0),
  ];
}

/** Words with the space that follows them, so that a stream stays one. */
function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+\s*/gu) ?? (text === '' ? [] : [text]);
}

function calledIn(message: unknown): readonly string[] {
  return listAt(message, 'tool_calls').flatMap((call) => textAt(call, 'function', 'name') ?? []);
}

function usedTokens(body: unknown): SeenTokens {
  const promptTokens = countAt(body, 'usage', 'prompt_tokens');
  const completionTokens = countAt(body, 'usage', 'completion_tokens');
  const tokens = countAt(body, 'usage', 'total_tokens') ?? sum(promptTokens, completionTokens);
  return { tokens, promptTokens, completionTokens };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
