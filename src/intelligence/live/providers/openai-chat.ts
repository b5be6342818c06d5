import { finishOf } from '../../../plugin/finish-reason.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import type { Message, MessagePart, TokenUsage, ToolChoice } from '../../../types/message.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import { textOf } from '../../../values/message-text.ts';
import { argumentText } from '../../argument-text.ts';
import { AnswerParts } from './answer-parts.ts';
import { mediaSource } from './media-source.ts';
import { openaiFormat } from './openai-schema.ts';
import type { Provider, Question, StreamReader, WireReply, WireRequest } from './protocol.ts';
import { toolResultText } from './tool-result-text.ts';
import { flatForm } from './written-form.ts';

const PATH = '/chat/completions';

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
    lacks: [],
    written: flatForm({
      format: 'chat',
      path: PATH,
      headers: {},
      caps: cap === 'max_tokens' ? ['max_tokens', 'max_completion_tokens'] : ['max_completion_tokens', 'max_tokens'],
    }),
    write: (question) => write(question, cap),
    read,
    openStream: () => new ChatStream(),
  };
}

function write(question: Question, cap: string): WireRequest {
  const { model, messages, maxTokens, temperature, topP, seed, stop, reasoningEffort } = question;
  const { stream, tools, toolChoice, output } = question;
  const format = output === null ? null : openaiFormat(output);
  const body: JsonObject = {
    model,
    messages: messages.flatMap(wireMessages),
    ...(maxTokens !== null && { [cap]: maxTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(seed !== null && { seed }),
    ...(stop.length > 0 && { stop }),
    ...(reasoningEffort !== null && { reasoning_effort: reasoningEffort }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })),
      tool_choice: wireChoice(toolChoice),
    }),
    ...(format !== null && {
      response_format: { type: format.type, ...(format.settings !== null && { json_schema: format.settings }) },
    }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return { path: PATH, headers: {}, body };
}

function wireChoice(choice: ToolChoice): Json {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

/** Results of tools are messages of their own, one for each. */
function wireMessages({ role, parts }: Message): readonly JsonObject[] {
  const results = parts.flatMap((part) =>
    part.kind === 'tool_result' ? [{ role: 'tool', tool_call_id: part.id, content: toolResultText(part) }] : [],
  );
  if (role === 'tool') return results;
  const calls = parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: argumentText(part) } }]
      : [],
  );
  const hasMedia = parts.some(({ kind }) => kind === 'media');
  const text = textOf(parts);
  const content = hasMedia ? parts.flatMap(wirePart) : text === '' && calls.length > 0 ? null : text;
  return [{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }, ...results];
}

function wirePart(part: MessagePart): readonly JsonObject[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  if (part.kind !== 'media') return [];
  const source = mediaSource(part);
  if (source.kind === 'data' && source.contentType.startsWith('audio/')) {
    const format = source.contentType === 'audio/mpeg' ? 'mp3' : source.contentType.slice('audio/'.length);
    return [{ type: 'input_audio', input_audio: { data: source.base64, format } }];
  }
  if (source.kind === 'data' && !source.contentType.startsWith('image/')) {
    return [{ type: 'file', file: { filename: 'file', file_data: part.url } }];
  }
  return [{ type: 'image_url', image_url: { url: part.url } }];
}

function read(body: unknown): WireReply {
  const usage = readUsage(body);
  const message = fieldAt(body, 'choices', 0, 'message');
  const reason = textAt(body, 'choices', 0, 'finish_reason');
  const parts = new AnswerParts();
  takeMessage(parts, message);
  // Reasoning may use up the whole cap: the model then said nothing, which is an answer.
  const isAnswer = message !== undefined && (!parts.isEmpty || fieldAt(message, 'content') === '' || reason !== null);
  const finish = isRefusal(message) ? 'filtered' : (finishOf(reason) ?? null);
  if (isAnswer) return { kind: 'answer', parts: parts.build(), finish, usage };
  return { kind: 'error', message: errorTextAt(body) ?? 'the answer holds no message', usage };
}

/** The model says no in a field of its own, and ends as any answer does. */
function isRefusal(message: unknown): boolean {
  return (textAt(message, 'refusal') ?? '') !== '';
}

/** A whole message, or the next piece of one. */
function takeMessage(parts: AnswerParts, message: unknown): readonly MessagePart[] {
  const thought = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning') ?? '';
  const said = contentText(fieldAt(message, 'content')) ?? '';
  const added = [...parts.reasoning(thought), ...parts.text(said === '' ? (textAt(message, 'refusal') ?? '') : said)];
  for (const [at, call] of listAt(message, 'tool_calls').entries()) {
    parts.call(countAt(call, 'index') ?? at, {
      id: textAt(call, 'id'),
      name: textAt(call, 'function', 'name'),
      argsText: textAt(call, 'function', 'arguments'),
    });
  }
  return added;
}

/** Text, or the texts of a list of parts. */
function contentText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part: unknown) => textAt(part, 'text') ?? '').join('');
}

function readUsage(body: unknown): TokenUsage | null {
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
  private readonly parts = new AnswerParts();
  private usage: TokenUsage | null = null;
  private reason: string | null = null;
  private isRefusal = false;
  private error: string | null = null;

  take(data: unknown): readonly MessagePart[] {
    this.error ??= errorTextAt(data);
    // The counts come in an event of their own, after the answer, with no choice in it.
    this.usage = readUsage(data) ?? this.usage;
    const added: MessagePart[] = [];
    for (const choice of listAt(data, 'choices')) {
      if ((countAt(choice, 'index') ?? 0) !== 0) continue;
      const delta = fieldAt(choice, 'delta');
      this.isRefusal ||= isRefusal(delta);
      added.push(...takeMessage(this.parts, delta));
      this.reason = textAt(choice, 'finish_reason') ?? this.reason;
    }
    return added;
  }

  end(): WireReply {
    const { usage, reason } = this;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (reason === null) return { kind: 'error', message: 'the stream ended before the answer did', usage };
    const finish = this.isRefusal ? 'filtered' : (finishOf(reason) ?? null);
    return { kind: 'answer', parts: this.parts.build(), finish, usage };
  }
}
