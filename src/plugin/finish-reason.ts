import { FINISH_REASONS, type FinishReason } from '../types/message.ts';
import { textAt } from '../values/json-fields.ts';

/** The words of providers and SDKs, in small letters, with `_` between words. */
const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ...FINISH_REASONS.map((reason) => [reason, reason] as const),
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_call', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['content_filter', 'filtered'],
  ['refusal', 'filtered'],
  ['safety', 'filtered'],
  ['image_safety', 'filtered'],
  ['recitation', 'filtered'],
  ['blocklist', 'filtered'],
  ['prohibited_content', 'filtered'],
  ['spii', 'filtered'],
]);

/** The finish reason for a provider's word; undefined: the word means nothing to passk. */
export function finishOf(why: unknown): FinishReason | undefined {
  if (typeof why !== 'string' || why === '') return undefined;
  return FINISHES.get(why.toLowerCase().replaceAll('-', '_')) ?? 'other';
}

/**
 * Where whole answers, and last events of streams, say why they ended: those of OpenAI's chat completions and responses, of
 * Anthropic, Gemini, Ollama, the AI SDK and LangChain.
 */
const PLACES: readonly (readonly (string | number)[])[] = [
  ['choices', 0, 'finish_reason'],
  ['incomplete_details', 'reason'],
  ['stop_reason'],
  ['delta', 'stop_reason'],
  ['candidates', 0, 'finishReason'],
  ['finishReason'],
  ['finish_reason'],
  ['done_reason'],
  ['response_metadata', 'finish_reason'],
  ['response_metadata', 'stop_reason'],
];

/** Why an answer ended, as it says itself; null: it does not say. */
export function answerFinish(answer: unknown): FinishReason | null {
  // The model says no in a field of its own, and ends as any answer does.
  if ((textAt(answer, 'choices', 0, 'message', 'refusal') ?? '') !== '') return 'filtered';
  if (textAt(answer, 'promptFeedback', 'blockReason') !== null) return 'filtered';
  for (const place of PLACES) {
    const finish = finishOf(textAt(answer, ...place));
    if (finish !== undefined) return finish;
  }
  return null;
}
