import type { StreamEvent } from '../../../values/event-stream.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import type { SeenTokens } from '../../target.ts';

/** What a tool gave back, as an agent tells its model. */
export interface ToolResult {
  /** Where it stands in the request: of the message, and of the part in it where a message has several. */
  readonly at: number;
  readonly part: number;
  readonly callId: string;
  /** The function's name, from the call it answers; null: the request does not hold that call. */
  readonly name: string | null;
  readonly text: string;
}

/** What a model's answer says, whole or as a stream. */
export interface SeenAnswer {
  readonly text: string;
  /** Functions that it asks for, in order. */
  readonly tools: readonly string[];
  readonly used: SeenTokens;
}

/** How one protocol of models puts what passk reads and changes. Requests and answers are never changed in place. */
export interface Dialect {
  /** True: a request to this path with this body is of the dialect. */
  accepts(path: string, body: JsonObject): boolean;
  /** Results of tools that the request tells, in order. */
  toolResults(body: JsonObject): readonly ToolResult[];
  withToolResult(body: JsonObject, result: ToolResult, text: string): JsonObject;
  /** The last words of the user; null: there are none. */
  prompt(body: JsonObject): string | null;
  withPrompt(body: JsonObject, text: string): JsonObject;
  /** What the model is told to be; null: nothing. */
  instructions(body: JsonObject): string | null;
  withInstructions(body: JsonObject, text: string): JsonObject;
  read(answer: unknown): SeenAnswer;
  /** The whole answer with these words; where it asked for tools it no longer does, since other words came instead. */
  withText(answer: JsonObject, text: string): JsonObject;
  readEvents(events: readonly StreamEvent[]): SeenAnswer;
  /** A streamed answer with these words, in pieces, with what came around the old ones. */
  eventsWithText(events: readonly StreamEvent[], text: string): readonly StreamEvent[];
  /** What ends a stream after its events; '': nothing does. */
  readonly end: string;
  /** What a server of this dialect says when it does not answer. */
  refusal(kind: Refusal, message: string): JsonObject;
}

export type Refusal = 'rate_limit' | 'timeout';

/** Of answers that do not say how many tokens they took. */
export const UNKNOWN_TOKENS: SeenTokens = { tokens: null, promptTokens: null, completionTokens: null };

/** Tokens of two stretches of calls together: what one of them does not tell is not known of both. */
export function addTokens(one: SeenTokens, other: SeenTokens): SeenTokens {
  return {
    tokens: sumOf(one.tokens, other.tokens),
    promptTokens: sumOf(one.promptTokens, other.promptTokens),
    completionTokens: sumOf(one.completionTokens, other.completionTokens),
  };
}

/** Null where one of them is not known. */
export function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Words with the space around them, so that a stream stays one. */
export function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+\s*/gu) ?? (text === '' ? [] : [text]);
}

/** The value of a field that is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A list with another entry at a place. */
export function withEntry(list: readonly unknown[], at: number, entry: Json): Json[] {
  return list.map((old, index) => (index === at ? entry : (old as Json)));
}
