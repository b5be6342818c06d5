import { createHash } from 'node:crypto';
import type { FakeAnswer } from './fake-answer.ts';
import type { ChatRequest } from './read-chat.ts';

/** An answer as chat completions give it whole. It carries no time: the same question gets the same bytes. */
export function chatCompletion(chat: ChatRequest, said: FakeAnswer): object {
  const message = { role: 'assistant', content: said.text, refusal: null };
  return {
    ...headOf(chat, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishOf(said) }],
    usage: usageOf(chat, said),
  };
}

/** The same as a stream of events. */
export function chatEvents(chat: ChatRequest, said: FakeAnswer): string {
  const event = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ ...headOf(chat, 'chat.completion.chunk'), choices, ...more })}\n\n`;
  const delta = (piece: object): string => event([{ index: 0, delta: piece, finish_reason: null }]);
  return [
    delta({ role: 'assistant', content: '' }),
    ...piecesOf(said.text).map((content) => delta({ content })),
    event([{ index: 0, delta: {}, finish_reason: finishOf(said) }]),
    ...(chat.hasUsage ? [event([], { usage: usageOf(chat, said) })] : []),
    'data: [DONE]\n\n',
  ].join('');
}

const PIECES = 8;

/** At most so many pieces, none of which cuts a character in two. */
function piecesOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / PIECES));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

function headOf({ model, system, shown }: ChatRequest, object: string): object {
  const id = createHash('sha256')
    .update(JSON.stringify([model, system, shown]))
    .digest('hex')
    .slice(0, 24);
  return { id: `chatcmpl-${id}`, object, created: 0, model };
}

function finishOf({ isTruncated }: FakeAnswer): string {
  return isTruncated ? 'length' : 'stop';
}

/** Four characters are taken for a token. */
function usageOf({ system, shown }: ChatRequest, { text }: FakeAnswer): object {
  const promptTokens = Math.ceil((system.length + shown.length) / 4);
  const completionTokens = Math.ceil(text.length / 4);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
  };
}
