import type { AnswerUsage } from '../types/agent.ts';
import { countAt, fieldAt, textAt } from '../values/json-fields.ts';
import { jsonIn } from '../values/json-in.ts';
import { type AgentResponse, isEventStream } from './read-answer.ts';
import { readEvents } from './read-events.ts';

/** What an answer says of what it took. Each null: it does not say. */
export interface AnswerCost {
  readonly usage: AnswerUsage | null;
  readonly model: string | null;
}

const USAGE_KEYS = ['usage', 'usage_metadata', 'usageMetadata'];
/** As OpenAI, Anthropic and the Responses API, the AI SDK and Gemini call them. */
const PROMPT_KEYS = ['prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens', 'promptTokenCount'];
const COMPLETION_KEYS = [
  'completion_tokens',
  'output_tokens',
  'completionTokens',
  'outputTokens',
  'candidatesTokenCount',
];
const LONGEST_MODEL = 200;

/** What a JSON answer says of tokens and model, where models and their servers usually put it. */
export function answerCost(answer: unknown): AnswerCost {
  const model = textAt(answer, 'model');
  const usages = USAGE_KEYS.map((key) => usageIn(fieldAt(answer, key)));
  return {
    usage: usages.find((usage) => usage !== null) ?? null,
    model: model === null || model === '' || model.length > LONGEST_MODEL ? null : model,
  };
}

/** The same of a text that may be JSON. */
export function textCost(text: string): AnswerCost {
  return answerCost(jsonIn(text));
}

/** What a response says, whole or as a stream: of its events the last that tells both counts, and the last that names a model. */
export function responseCost({ contentType, body }: Pick<AgentResponse, 'contentType' | 'body'>): AnswerCost {
  if (!isEventStream(contentType)) return textCost(body);
  // The Responses API has its answer in `response`, Anthropic the beginning of one in `message`.
  const costs = readEvents(body).flatMap((data) => {
    const value = jsonIn(data);
    return [value, fieldAt(value, 'response'), fieldAt(value, 'message')].map(answerCost);
  });
  return {
    usage: costs.findLast(({ usage }) => usage !== null)?.usage ?? null,
    model: costs.findLast(({ model }) => model !== null)?.model ?? null,
  };
}

/** Both counts, or nothing: half of a sum is no sum. */
function usageIn(usage: unknown): AnswerUsage | null {
  const promptTokens = firstCount(usage, PROMPT_KEYS);
  const completionTokens = firstCount(usage, COMPLETION_KEYS);
  return promptTokens === null || completionTokens === null ? null : { promptTokens, completionTokens };
}

function firstCount(usage: unknown, keys: readonly string[]): number | null {
  return keys.map((key) => countAt(usage, key)).find((count) => count !== null) ?? null;
}
