import type { JsonObject } from '../../types/json.ts';
import type { MessagePart, ToolCallPart, ToolResultPart } from '../../types/message.ts';
import type { Turn } from '../../types/record.ts';
import { deepEqual } from '../../values/deep-equal.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { partsOf } from './read-steps.ts';

/** Types of images that the format has. */
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** A step without its number. */
type Step = JsonObject;

/**
 * Turns as steps of a trajectory: results of tools stand with the calls that they answer. What the format has no word for
 * is in `extra.passk` of its step, so that `turnsOf` gives the same turns.
 */
export function atifSteps(turns: readonly Turn[]): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < turns.length; ) {
    const turn = turns[at++];
    if (turn === undefined) break;
    const results: (readonly ToolResultPart[])[] = [];
    for (let answers = resultsOf(turns[at], turn); answers !== null; answers = resultsOf(turns[at], turn)) {
      results.push(answers);
      at++;
    }
    steps.push(stepOf(turn, results));
  }
  return steps.map((step, at) => ({ step_id: at + 1, ...step }));
}

/** The results of a turn that holds only answers to the calls of turn `of`; null: it holds anything else. */
function resultsOf(turn: Turn | undefined, of: Turn): readonly ToolResultPart[] | null {
  if (of.role !== 'assistant' || turn?.role !== 'tool' || turn.intended !== null || turn.answer !== null) return null;
  const results = turn.parts.filter((part) => part.kind === 'tool_result');
  if (results.length === 0 || results.length < turn.parts.length) return null;
  const calls = of.parts.filter((part) => part.kind === 'tool_call');
  return results.every(({ id, name }) => calls.find((call) => call.id === id)?.name === name) ? results : null;
}

function stepOf(turn: Turn, results: readonly (readonly ToolResultPart[])[]): Step {
  const { role, parts, intended, answer } = turn;
  const isAgent = role === 'assistant';
  const calls = parts.filter((part) => part.kind === 'tool_call');
  const [thought] = parts.filter((part) => part.kind === 'reasoning');
  const observed = role === 'tool' ? parts.filter((part) => part.kind === 'tool_result') : results.flat();
  const { model = null, usage = null, ...facts } = answer ?? {};
  const words: Step = {
    source: isAgent ? 'agent' : role === 'user' ? 'user' : 'system',
    ...(isAgent && model !== null && { model_name: model }),
    message: messageOf(parts),
    ...(isAgent && thought !== undefined && { reasoning_content: thought.text }),
    ...(isAgent && calls.length > 0 && { tool_calls: calls.map(callOf) }),
    ...(observed.length > 0 && { observation: { results: observed.map((result) => resultOf(result, isAgent)) } }),
    ...(isAgent && usage !== null && { metrics: metricsOf(usage) }),
  };
  const rest: JsonObject = {
    ...(role === 'tool' && { role }),
    ...(!deepEqual(asJson(partsOf(words)), asJson(parts)) && { parts: asJson(parts) }),
    ...(intended !== null && { intended }),
    ...(answer !== null && { answer: asJson(isAgent ? facts : answer) }),
    ...(results.length > 1 && { results: results.map(({ length }) => length) }),
  };
  return { ...words, ...(Object.keys(rest).length > 0 && { extra: { passk: rest } }) };
}

/** Texts and images. Other media, which the format does not have, are texts with their type. */
function messageOf(parts: readonly MessagePart[]): string | readonly JsonObject[] {
  const content = parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'media') return [];
    const { contentType, url } = part;
    if (contentType !== null && IMAGES.includes(contentType)) {
      return [{ type: 'image', source: { media_type: contentType, path: url } }];
    }
    return [{ type: 'text', text: `[${contentType ?? 'media'}]` }];
  });
  const [only = { type: 'text', text: '' }] = content;
  return content.length <= 1 && typeof only['text'] === 'string' ? only['text'] : content;
}

/** Arguments are an object in the format: any other value gets the name `value`. */
function callOf({ id, name, args }: ToolCallPart): JsonObject {
  return { tool_call_id: id, function_name: name, arguments: isJsonObject(args) ? args : { value: args } };
}

/** `isAnswer`: it answers a call of the same step. A step may name no other call. */
function resultOf({ id, result, isError }: ToolResultPart, isAnswer: boolean): JsonObject {
  const isJson = result !== null && typeof result !== 'string';
  const extra = { ...(isError === true && { is_error: true }), ...(isJson && { passk: { json: true } }) };
  return {
    ...(isAnswer && { source_call_id: id }),
    ...(result !== null && { content: isJson ? jsonText(result) : result }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function metricsOf(usage: NonNullable<NonNullable<Turn['answer']>['usage']>): JsonObject {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const extra = {
    ...(cacheWriteTokens !== null && { cache_creation_input_tokens: cacheWriteTokens }),
    ...(reasoningTokens !== null && { reasoning_output_tokens: reasoningTokens }),
  };
  return {
    ...(promptTokens !== null && { prompt_tokens: promptTokens }),
    ...(completionTokens !== null && { completion_tokens: completionTokens }),
    ...(cachedTokens !== null && { cached_tokens: cachedTokens }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** A value whose type is JSON, which TypeScript cannot see. */
function asJson(value: unknown): JsonObject[string] {
  return value as JsonObject[string];
}
