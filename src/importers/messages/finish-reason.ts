import type { FinishReason } from '../../types/message.ts';

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['tool_call', 'tool_calls'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['content_filter', 'filtered'],
  ['refusal', 'filtered'],
  ['safety', 'filtered'],
]);

/** The finish reason for a provider's word; undefined: the word means nothing to passk. */
export function finishOf(why: unknown): FinishReason | undefined {
  if (typeof why !== 'string' || why === '') return undefined;
  return FINISHES.get(why.toLowerCase()) ?? 'other';
}
