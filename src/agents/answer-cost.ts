import type { AnswerUsage } from '../types/agent.ts';
import { countAt, fieldAt, textAt } from '../values/json-fields.ts';
import { jsonIn } from '../values/json-in.ts';
import type { AgentResponse } from './read-answer.ts';
import { readEvents } from './read-events.ts';

/** What an answer says of what it took. Each null: it does not say. */
export interface AnswerCost {
  readonly usage: AnswerUsage | null;
  readonly model: string | null;
}

/** The AI SDK has the tokens of all steps in `totalUsage`, and those of the last one in `usage`. */
const USAGE_KEYS = ['totalUsage', 'usage', 'usage_metadata', 'usageMetadata'];
/** As OpenAI, Anthropic and the Responses API, the AI SDK and Gemini call them. */
const PROMPT_KEYS = ['prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens', 'promptTokenCount'];
const COMPLETION_KEYS = [
  'completion_tokens',
  'output_tokens',
  'completionTokens',
  'outputTokens',
  'candidatesTokenCount',
];
/** Anthropic counts them beside `input_tokens`: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const CACHE_KEYS = ['cache_creation_input_tokens', 'cache_read_input_tokens'];
/** Gemini counts them beside the answer: https://ai.google.dev/api/generate-content#UsageMetadata */
const THOUGHTS_KEY = 'thoughtsTokenCount';
const COUNT_KEYS = [...PROMPT_KEYS, ...COMPLETION_KEYS, ...CACHE_KEYS, THOUGHTS_KEY];
const LONGEST_MODEL = 200;

/** The Responses API has its answer in `response`, Anthropic the beginning of one in `message`, the AI SDK what a server adds. */
const EVENT_PARTS = ['response', 'message', 'messageMetadata'];

/** What a JSON answer says of tokens and model, where models and their servers usually put it. */
export function answerCost(answer: unknown): AnswerCost {
  const usages = USAGE_KEYS.map((key) => usageOf(countsIn(fieldAt(answer, key))));
  return { usage: usages.find((usage) => usage !== null) ?? null, model: modelIn(answer) };
}

/** The same of a text that may be JSON. */
export function textCost(text: string): AnswerCost {
  return answerCost(jsonIn(text));
}

/** What a response says, whole or as a stream: of its events the last that tells a count, and the last that names a model. */
export function responseCost({ contentType, body }: Pick<AgentResponse, 'contentType' | 'body'>): AnswerCost {
  const events = readEvents(contentType, body);
  if (events === null) return textCost(body);
  let counts: Counts = {};
  let model: string | null = null;
  for (const { data } of events) {
    const event = jsonIn(data);
    // Another answer begins, whose counts are not to be mixed with those of the one before.
    const isStart = textAt(event, 'type') === 'message_start';
    if (isStart) counts = {};
    for (const part of [event, ...EVENT_PARTS.map((key) => fieldAt(event, key))]) {
      // The first of the keys counts most.
      for (const key of USAGE_KEYS.toReversed()) counts = { ...counts, ...countsIn(fieldAt(part, key)) };
      model = modelIn(part) ?? model;
    }
    // What is counted there of the answer is no more than its beginning.
    if (isStart) delete counts['output_tokens'];
  }
  return { usage: usageOf(counts), model };
}

function modelIn(answer: unknown): string | null {
  const model = textAt(answer, 'model');
  return model === null || model === '' || model.length > LONGEST_MODEL ? null : model;
}

/** By the names of `COUNT_KEYS`. */
type Counts = Record<string, number>;

function countsIn(usage: unknown): Counts {
  return Object.fromEntries(
    COUNT_KEYS.flatMap((key) => {
      const count = countAt(usage, key);
      return count === null ? [] : [[key, count] as const];
    }),
  );
}

/** Both counts, or nothing: half of a sum is no sum. */
function usageOf(counts: Counts): AnswerUsage | null {
  const promptKey = PROMPT_KEYS.find((key) => key in counts);
  const shown = COMPLETION_KEYS.map((key) => counts[key]).find((count) => count !== undefined);
  const thoughts = counts[THOUGHTS_KEY];
  if (promptKey === undefined || (shown === undefined && thoughts === undefined)) return null;
  const cached = promptKey === 'input_tokens' ? CACHE_KEYS.reduce((sum, key) => sum + (counts[key] ?? 0), 0) : 0;
  return { promptTokens: (counts[promptKey] ?? 0) + cached, completionTokens: (shown ?? 0) + (thoughts ?? 0) };
}
