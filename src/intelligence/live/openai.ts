import type { JsonObject } from '../../types/json.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import type { ModelUsage, Provider, Question, StreamReader, WireReply, WireRequest } from './provider.ts';

/** OpenAI's chat completions. */
export const openai: Provider = {
  ...protocol('max_completion_tokens'),
  baseUrl: 'https://api.openai.com/v1',
  apiKeyEnv: 'OPENAI_API_KEY',
};

/** The same protocol as other servers speak it: they know the older name of the cap. */
export const openaiCompatible: Provider = { ...protocol('max_tokens'), baseUrl: null, apiKeyEnv: null };

function protocol(cap: 'max_tokens' | 'max_completion_tokens'): Omit<Provider, 'baseUrl' | 'apiKeyEnv'> {
  return {
    keyHeader: (key) => ['authorization', `Bearer ${key}`],
    write: (question) => write(question, cap),
    read,
    openStream: () => new ChatStream(),
  };
}

function write({ model, messages, maxTokens, temperature, stream }: Question, cap: string): WireRequest {
  const body: JsonObject = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(maxTokens !== null && { [cap]: maxTokens }),
    ...(temperature !== null && { temperature }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return { path: '/chat/completions', headers: {}, body };
}

function read(body: unknown): WireReply {
  const usage = readUsage(body);
  const message = fieldAt(body, 'choices', 0, 'message');
  const content = contentText(fieldAt(message, 'content')) ?? textAt(message, 'refusal');
  if (content !== null) return { kind: 'answer', content, usage };
  // Reasoning may use up the whole cap: the model then said nothing, which is an answer.
  if (message !== undefined && textAt(body, 'choices', 0, 'finish_reason') !== null) {
    return { kind: 'answer', content: '', usage };
  }
  return { kind: 'error', message: errorTextAt(body) ?? 'the answer holds no message', usage };
}

/** Text, or the texts of a list of parts. */
function contentText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part: unknown) => textAt(part, 'text') ?? '').join('');
}

function readUsage(body: unknown): ModelUsage | null {
  const promptTokens = countAt(body, 'usage', 'prompt_tokens');
  const completionTokens = countAt(body, 'usage', 'completion_tokens');
  if (promptTokens === null || completionTokens === null) return null;
  return {
    promptTokens,
    completionTokens,
    cachedTokens: countAt(body, 'usage', 'prompt_tokens_details', 'cached_tokens') ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens: countAt(body, 'usage', 'completion_tokens_details', 'reasoning_tokens') ?? 0,
  };
}

class ChatStream implements StreamReader {
  private content = '';
  private refusal = '';
  private usage: ModelUsage | null = null;
  private ended = false;
  private error: string | null = null;

  take(data: unknown): void {
    this.error ??= errorTextAt(data);
    // The counts come in an event of their own, after the answer, with no choice in it.
    this.usage = readUsage(data) ?? this.usage;
    for (const choice of listAt(data, 'choices')) {
      if ((countAt(choice, 'index') ?? 0) !== 0) continue;
      this.content += contentText(fieldAt(choice, 'delta', 'content')) ?? '';
      this.refusal += textAt(choice, 'delta', 'refusal') ?? '';
      if (textAt(choice, 'finish_reason') !== null) this.ended = true;
    }
  }

  end(): WireReply {
    const { usage } = this;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (!this.ended) return { kind: 'error', message: 'the stream ended before the answer did', usage };
    return { kind: 'answer', content: this.content === '' ? this.refusal : this.content, usage };
  }
}
