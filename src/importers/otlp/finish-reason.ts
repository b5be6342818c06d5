import type { FinishReason } from '../../types/message.ts';

const FINISHES: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_call: 'tool_calls',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  content_filter: 'filtered',
};

/** Why an answer ended, of the word that its provider has for it; undefined: not told. */
export function finishOf(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  const word = reason.toLowerCase();
  return Object.hasOwn(FINISHES, word) ? FINISHES[word] : 'other';
}
