import type { AnswerUsage } from '../types/agent.ts';
import type { FinishReason } from '../types/message.ts';
import type { Count } from '../types/numbers.ts';
import { isRecord } from '../values/is-json.ts';
import { countAt, fieldAt, listAt, textAt } from '../values/json-fields.ts';
import { answerFinish } from './finish-reason.ts';

/** What an answer says of itself. Each null: it does not say. */
export interface AnswerMetadata {
  /** What it took. */
  readonly usage: AnswerUsage | null;
  /** Calls of models that it took. */
  readonly modelCalls: Count | null;
  readonly model: string | null;
  /** Why its model ended it. */
  readonly finish: FinishReason | null;
}

/** What an answer took. */
export type AnswerCost = Pick<AnswerMetadata, 'usage' | 'modelCalls'>;

const NO_COST: AnswerCost = { usage: null, modelCalls: null };
export const NO_METADATA: AnswerMetadata = { usage: null, modelCalls: null, model: null, finish: null };

/** The AI SDK has the tokens of all steps in `totalUsage`, and those of the last one in `usage`. */
export const USAGE_KEYS = ['totalUsage', 'usage', 'usage_metadata', 'usageMetadata'];
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
/** The OpenAI Agents SDK and Pydantic AI count the calls of a run beside its tokens. */
const CALLS_KEY = 'requests';
const COUNT_KEYS = [...PROMPT_KEYS, ...COMPLETION_KEYS, ...CACHE_KEYS, THOUGHTS_KEY, CALLS_KEY];
const LONGEST_MODEL = 200;

/** What a JSON answer says of itself, where models and their servers usually put it. */
export function answerMetadata(answer: unknown): AnswerMetadata {
  const costs = USAGE_KEYS.map((key) => costOf(countsIn(fieldAt(answer, key)), stepsIn(answer)));
  return {
    ...(costs.find(({ usage }) => usage !== null) ?? costs.find(({ modelCalls }) => modelCalls !== null) ?? NO_COST),
    model: modelIn(answer),
    finish: answerFinish(answer),
  };
}

/** Errors behind an error that are looked at. */
const MOST_CAUSES = 5;

/** What an error says of what was taken until then: itself, what it holds, or the error behind it. */
export function errorCost(error: unknown, causes = MOST_CAUSES): AnswerCost {
  try {
    if (!isRecord(error)) return NO_COST;
    for (const holder of [error, ...Object.values(error)]) {
      // Runs of frameworks have it on their classes.
      const { usage, modelCalls } = answerMetadata({ usage: isRecord(holder) ? holder['usage'] : null });
      // No prompt has none: nobody has counted.
      if (usage !== null && usage.promptTokens > 0) return { usage, modelCalls };
    }
    return causes === 0 ? NO_COST : errorCost(error['cause'], causes - 1);
  } catch {
    // Code of the user may run where its fields are read.
    return NO_COST;
  }
}

export function modelIn(answer: unknown): string | null {
  const model = textAt(answer, 'model');
  return model === null || model === '' || model.length > LONGEST_MODEL ? null : model;
}

/** By the names of `COUNT_KEYS`. */
export type UsageCounts = Record<string, number>;

export function countsIn(usage: unknown): UsageCounts {
  return Object.fromEntries(
    COUNT_KEYS.flatMap((key) => {
      const count = countAt(usage, key);
      return count === null ? [] : [[key, count] as const];
    }),
  );
}

/** What these counts say; `steps`: calls of models that were seen otherwise, 0: none. */
export function costOf(counts: UsageCounts, steps: Count): AnswerCost {
  const modelCalls = (counts[CALLS_KEY] ?? 0) || steps || null;
  const usage = usageOf(counts);
  // No prompt has none: of these calls nobody has counted the tokens.
  return { usage: modelCalls !== null && usage?.promptTokens === 0 ? null : usage, modelCalls };
}

/** The AI SDK has a step for each call of a model, with what that took. */
function stepsIn(answer: unknown): Count {
  const steps = listAt(answer, 'steps');
  return steps.every((step) => isRecord(fieldAt(step, 'usage'))) ? steps.length : 0;
}

/** Both counts, or nothing: half of a sum is no sum. */
function usageOf(counts: UsageCounts): AnswerUsage | null {
  const promptKey = PROMPT_KEYS.find((key) => key in counts);
  const shown = COMPLETION_KEYS.map((key) => counts[key]).find((count) => count !== undefined);
  const thoughts = counts[THOUGHTS_KEY];
  if (promptKey === undefined || (shown === undefined && thoughts === undefined)) return null;
  const cached = promptKey === 'input_tokens' ? CACHE_KEYS.reduce((sum, key) => sum + (counts[key] ?? 0), 0) : 0;
  return { promptTokens: (counts[promptKey] ?? 0) + cached, completionTokens: (shown ?? 0) + (thoughts ?? 0) };
}
