import type { JsonObject } from '../../types/json.ts';
import { countAt, errorTextAt, fieldAt, textAt } from '../../values/json-fields.ts';
import type { ModelUsage, Provider, Question, StreamReader, WireReply, WireRequest } from './provider.ts';
import { splitSystem } from './split-system.ts';

/** The protocol wants a cap; this one holds where nobody gives one. */
const DEFAULT_MAX_TOKENS = 4096;

/** Anthropic's messages. */
export const anthropic: Provider = {
  baseUrl: 'https://api.anthropic.com',
  apiKeyEnv: 'ANTHROPIC_API_KEY',
  keyHeader: (key) => ['x-api-key', key],
  write,
  read,
  openStream: () => new MessageStream(),
};

function write({ model, messages, maxTokens, temperature, stream }: Question): WireRequest {
  const { system, rest } = splitSystem(messages);
  const body: JsonObject = {
    model,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system !== null && { system }),
    messages: rest.map(({ role, content }) => ({ role, content })),
    ...(temperature !== null && { temperature }),
    ...(stream && { stream: true }),
  };
  return { path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' }, body };
}

function read(body: unknown): WireReply {
  const usage = readUsage(fieldAt(body, 'usage'));
  const blocks = fieldAt(body, 'content');
  if (!Array.isArray(blocks)) {
    return { kind: 'error', message: errorTextAt(body) ?? 'the answer holds no content', usage };
  }
  const texts = blocks.map((block: unknown) => (textAt(block, 'type') === 'text' ? (textAt(block, 'text') ?? '') : ''));
  return { kind: 'answer', content: texts.join(''), usage };
}

/** The provider counts what its cache served and took apart from the rest of the input. */
function readUsage(usage: unknown): ModelUsage | null {
  const input = countAt(usage, 'input_tokens');
  const completionTokens = countAt(usage, 'output_tokens');
  if (input === null || completionTokens === null) return null;
  const cachedTokens = countAt(usage, 'cache_read_input_tokens') ?? 0;
  const cacheWriteTokens = countAt(usage, 'cache_creation_input_tokens') ?? 0;
  return {
    promptTokens: input + cachedTokens + cacheWriteTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: 0,
  };
}

class MessageStream implements StreamReader {
  private content = '';
  /** Later events bring counts that replace earlier ones: output is told in full each time. */
  private readonly counts: Record<string, unknown> = {};
  private hasFinalCounts = false;
  private ended = false;
  private error: string | null = null;

  take(data: unknown): void {
    switch (textAt(data, 'type')) {
      case 'error':
        this.error ??= errorTextAt(data) ?? 'the stream told of an error';
        return;
      case 'message_start':
        this.count(fieldAt(data, 'message', 'usage'));
        return;
      case 'content_block_start':
        this.content += textAt(data, 'content_block', 'text') ?? '';
        return;
      case 'content_block_delta':
        if (textAt(data, 'delta', 'type') === 'text_delta') this.content += textAt(data, 'delta', 'text') ?? '';
        return;
      case 'message_delta':
        this.count(fieldAt(data, 'usage'));
        this.hasFinalCounts = countAt(data, 'usage', 'output_tokens') !== null;
        return;
      case 'message_stop':
        this.ended = true;
        return;
      default:
    }
  }

  end(): WireReply {
    // Before its end a message only knows what it has written so far.
    const usage = this.hasFinalCounts ? readUsage(this.counts) : null;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (!this.ended) return { kind: 'error', message: 'the stream ended before the answer did', usage };
    return { kind: 'answer', content: this.content, usage };
  }

  private count(usage: unknown): void {
    for (const name of COUNTS) this.counts[name] = countAt(usage, name) ?? this.counts[name];
  }
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
