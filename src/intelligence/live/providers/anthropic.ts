import { finishOf } from '../../../plugin/finish-reason.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import type { Message, MessagePart, TokenUsage, ToolChoice } from '../../../types/message.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import { AnswerParts } from './answer-parts.ts';
import { mediaSource } from './media-source.ts';
import type { Provider, Question, StreamReader, WireReply, WireRequest } from './protocol.ts';
import { splitSystem } from './split-system.ts';
import { toolResultText } from './tool-result-text.ts';
import { flatForm } from './written-form.ts';

/** The protocol wants a cap; this one holds where nobody gives one. */
const DEFAULT_MAX_TOKENS = 4096;

const PLACE = { path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' } } as const;

/** Anthropic's messages. */
export const anthropic: Provider = {
  baseUrl: 'https://api.anthropic.com',
  apiKeyEnv: 'ANTHROPIC_API_KEY',
  keyHeader: (key) => ['x-api-key', key],
  lacks: ['seed', 'reasoningEffort'],
  written: flatForm({ format: 'messages', ...PLACE, caps: ['max_tokens'] }),
  write,
  read,
  openStream: () => new MessageStream(),
};

function write(question: Question): WireRequest {
  const { model, messages, maxTokens, temperature, topP, stop, stream, tools, toolChoice, output } = question;
  const { system, rest } = splitSystem(messages);
  const body: JsonObject = {
    model,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system !== null && { system }),
    messages: rest.map(wireMessage),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      tool_choice: wireChoice(toolChoice),
    }),
    // Without a schema the protocol has no word for "any JSON".
    ...(output?.schema != null && { output_config: { format: { type: 'json_schema', schema: output.schema } } }),
    ...(stream && { stream: true }),
  };
  return { ...PLACE, body };
}

function wireChoice(choice: ToolChoice): Json {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

/** Results of tools are the user's. A message of one text is sent as that text. */
function wireMessage({ role, parts }: Message): JsonObject {
  const [first] = parts;
  const content = parts.length === 1 && first?.kind === 'text' ? first.text : parts.flatMap(wirePart);
  return { role: role === 'tool' ? 'user' : role, content: parts.length === 0 ? '' : content };
}

function wirePart(part: MessagePart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return wireThought(part.text, part.signature);
    case 'media':
      return [wireMedia(part)];
    case 'tool_call':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.args }];
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: part.id,
          content: toolResultText(part),
          ...(part.isError === true && { is_error: true }),
        },
      ];
  }
}

/** A thought goes back only with its proof. A thought without text was hidden: its proof is all there is of it. */
function wireThought(thinking: string, signature: string | undefined): readonly JsonObject[] {
  if (signature === undefined) return [];
  return thinking === ''
    ? [{ type: 'redacted_thinking', data: signature }]
    : [{ type: 'thinking', thinking, signature }];
}

function wireMedia(part: Extract<MessagePart, { readonly kind: 'media' }>): JsonObject {
  const source = mediaSource(part);
  const isImage = source.contentType === null || source.contentType.startsWith('image/');
  const wire =
    source.kind === 'data'
      ? { type: 'base64', media_type: source.contentType, data: source.base64 }
      : { type: 'url', url: source.url };
  return { type: isImage ? 'image' : 'document', source: wire };
}

function read(body: unknown): WireReply {
  const usage = readUsage(fieldAt(body, 'usage'));
  const blocks = fieldAt(body, 'content');
  if (!Array.isArray(blocks)) {
    return { kind: 'error', message: errorTextAt(body) ?? 'the answer holds no content', usage };
  }
  const parts = new AnswerParts();
  for (const [at, block] of blocks.entries()) takeBlock(parts, at, block);
  return { kind: 'answer', parts: parts.build(), finish: finishOf(textAt(body, 'stop_reason')) ?? null, usage };
}

/** A whole block, or the beginning of one that comes in pieces. */
function takeBlock(parts: AnswerParts, at: number, block: unknown): readonly MessagePart[] {
  switch (textAt(block, 'type')) {
    case 'text':
      return parts.text(textAt(block, 'text') ?? '');
    case 'thinking': {
      const signature = textAt(block, 'signature');
      return parts.reasoning(textAt(block, 'thinking') ?? '', signature === '' ? null : signature);
    }
    case 'redacted_thinking':
      return parts.reasoning('', textAt(block, 'data'));
    case 'tool_use': {
      const input = fieldAt(block, 'input') as Json | undefined;
      // In a stream the input begins empty and comes as text.
      const isWhole = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
      parts.call(at, { id: textAt(block, 'id'), name: textAt(block, 'name'), ...(isWhole && { args: input }) });
      return [];
    }
    default:
      return [];
  }
}

/** The provider counts what its cache served and took apart from the rest of the input. */
function readUsage(usage: unknown): TokenUsage | null {
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
  private readonly parts = new AnswerParts();
  /** Later events bring counts that replace earlier ones: output is told in full each time. */
  private readonly counts: Record<string, unknown> = {};
  private hasFinalCounts = false;
  private reason: string | null = null;
  private ended = false;
  private error: string | null = null;

  take(data: unknown): readonly MessagePart[] {
    const at = countAt(data, 'index') ?? 0;
    switch (textAt(data, 'type')) {
      case 'error':
        this.error ??= errorTextAt(data) ?? 'the stream told of an error';
        return [];
      case 'message_start':
        this.count(fieldAt(data, 'message', 'usage'));
        return listAt(data, 'message', 'content').flatMap((block, index) => takeBlock(this.parts, index, block));
      case 'content_block_start':
        return takeBlock(this.parts, at, fieldAt(data, 'content_block'));
      case 'content_block_delta':
        return this.takeDelta(at, fieldAt(data, 'delta'));
      case 'message_delta':
        this.count(fieldAt(data, 'usage'));
        this.hasFinalCounts = countAt(data, 'usage', 'output_tokens') !== null;
        this.reason = textAt(data, 'delta', 'stop_reason') ?? this.reason;
        return [];
      case 'message_stop':
        this.ended = true;
        return [];
      default:
        return [];
    }
  }

  end(): WireReply {
    // Before its end a message only knows what it has written so far.
    const usage = this.hasFinalCounts ? readUsage(this.counts) : null;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (!this.ended) return { kind: 'error', message: 'the stream ended before the answer did', usage };
    return { kind: 'answer', parts: this.parts.build(), finish: finishOf(this.reason) ?? null, usage };
  }

  private takeDelta(at: number, delta: unknown): readonly MessagePart[] {
    switch (textAt(delta, 'type')) {
      case 'text_delta':
        return this.parts.text(textAt(delta, 'text') ?? '');
      case 'thinking_delta':
        return this.parts.reasoning(textAt(delta, 'thinking') ?? '');
      case 'signature_delta':
        return this.parts.reasoning('', textAt(delta, 'signature'));
      case 'input_json_delta':
        this.parts.call(at, { argsText: textAt(delta, 'partial_json') });
        return [];
      default:
        return [];
    }
  }

  private count(usage: unknown): void {
    for (const name of COUNTS) this.counts[name] = countAt(usage, name) ?? this.counts[name];
  }
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
