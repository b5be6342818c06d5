import type { Json, JsonObject } from '../../../types/json.ts';
import type { FinishReason, Message, MessagePart, TokenUsage, ToolChoice } from '../../../types/message.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import { argumentText } from '../../argument-text.ts';
import { AnswerParts } from './answer-parts.ts';
import { mediaSource } from './media-source.ts';
import { openaiFormat } from './openai-schema.ts';
import type { Provider, Question, StreamReader, WireReply, WireRequest } from './protocol.ts';
import { splitSystem } from './split-system.ts';
import { toolResultText } from './tool-result-text.ts';
import { flatForm } from './written-form.ts';

const PATH = '/responses';

/** OpenAI's responses. Nothing is stored with the provider: each question carries the whole conversation. */
export const openaiResponses: Provider = {
  baseUrl: 'https://api.openai.com/v1',
  apiKeyEnv: 'OPENAI_API_KEY',
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  lacks: ['seed', 'stop'],
  written: flatForm({ format: 'responses', path: PATH, headers: {}, caps: ['max_output_tokens'] }),
  write,
  read,
  openStream: () => new ResponseStream(),
};

function write(question: Question): WireRequest {
  const { model, messages, maxTokens, temperature, topP, reasoningEffort } = question;
  const { stream, tools, toolChoice, output } = question;
  const { system, rest } = splitSystem(messages);
  const format = output === null ? null : openaiFormat(output);
  const body: JsonObject = {
    model,
    store: false,
    // What the model thought comes sealed, so that it can be sent back.
    include: ['reasoning.encrypted_content'],
    ...(system !== null && { instructions: system }),
    input: rest.flatMap(wireItems),
    ...(maxTokens !== null && { max_output_tokens: maxTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(reasoningEffort !== null && { reasoning: { effort: reasoningEffort } }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
      tool_choice: wireChoice(toolChoice),
    }),
    ...(format !== null && { text: { format: { type: format.type, ...format.settings } } }),
    ...(stream && { stream: true }),
  };
  return { path: PATH, headers: {}, body };
}

function wireChoice(choice: ToolChoice): Json {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name };
}

/** Thoughts, calls and results are items beside the messages, in the order said. */
function wireItems({ role, parts }: Message): readonly JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const flush = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: role === 'tool' ? 'user' : role, content });
    content = [];
  };
  for (const part of parts) {
    if (part.kind === 'text')
      content.push({ type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text });
    else if (part.kind === 'media') content.push(wireMedia(part));
    else {
      flush();
      items.push(...wireItem(part));
    }
  }
  flush();
  return items;
}

function wireItem(part: Exclude<MessagePart, { readonly kind: 'text' | 'media' }>): readonly JsonObject[] {
  switch (part.kind) {
    case 'reasoning':
      if (part.signature === undefined) return [];
      return [
        {
          type: 'reasoning',
          summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
          encrypted_content: part.signature,
        },
      ];
    case 'tool_call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: argumentText(part) }];
    case 'tool_result':
      return [{ type: 'function_call_output', call_id: part.id, output: toolResultText(part) }];
  }
}

function wireMedia(part: Extract<MessagePart, { readonly kind: 'media' }>): JsonObject {
  const { contentType } = mediaSource(part);
  if (contentType === null || contentType.startsWith('image/')) return { type: 'input_image', image_url: part.url };
  const isData = part.url.startsWith('data:');
  return { type: 'input_file', ...(isData ? { filename: 'file', file_data: part.url } : { file_url: part.url }) };
}

function read(body: unknown): WireReply {
  const usage = readUsage(body);
  const error = errorTextAt(body);
  const status = textAt(body, 'status');
  if (!Array.isArray(fieldAt(body, 'output')) || status === 'failed' || status === 'cancelled') {
    return { kind: 'error', message: error ?? 'the answer holds no output', usage };
  }
  const parts = new AnswerParts();
  for (const [at, item] of listAt(body, 'output').entries()) takeItem(parts, at, item);
  return { kind: 'answer', parts: parts.build(), finish: finishOf(body, parts), usage };
}

function takeItem(parts: AnswerParts, at: number, item: unknown): void {
  switch (textAt(item, 'type')) {
    case 'message':
      for (const content of listAt(item, 'content')) {
        parts.text(textAt(content, 'text') ?? textAt(content, 'refusal') ?? '');
      }
      return;
    case 'reasoning': {
      const texts = listAt(item, 'summary').map((entry) => textAt(entry, 'text') ?? '');
      parts.reasoning(texts.join('\n\n'), textAt(item, 'encrypted_content'));
      return;
    }
    case 'function_call':
      parts.call(at, {
        id: textAt(item, 'call_id'),
        name: textAt(item, 'name'),
        argsText: textAt(item, 'arguments'),
      });
      return;
    default:
  }
}

function finishOf(body: unknown, parts: AnswerParts): FinishReason {
  const reason = textAt(body, 'incomplete_details', 'reason');
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'filtered';
  if (reason !== null) return 'other';
  const said = listAt(body, 'output').flatMap((item) => listAt(item, 'content'));
  if (said.some((content) => (textAt(content, 'refusal') ?? '') !== '')) return 'filtered';
  return parts.hasCalls ? 'tool_calls' : 'stop';
}

function readUsage(body: unknown): TokenUsage | null {
  const promptTokens = countAt(body, 'usage', 'input_tokens');
  const completionTokens = countAt(body, 'usage', 'output_tokens');
  if (promptTokens === null || completionTokens === null) return null;
  return {
    promptTokens,
    completionTokens,
    cachedTokens: countAt(body, 'usage', 'input_tokens_details', 'cached_tokens') ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens: countAt(body, 'usage', 'output_tokens_details', 'reasoning_tokens') ?? 0,
  };
}

/** The last event holds the whole answer; those before it only show it as it is written. */
class ResponseStream implements StreamReader {
  private response: unknown = null;
  private error: string | null = null;

  take(data: unknown): readonly MessagePart[] {
    const delta = textAt(data, 'delta') ?? '';
    switch (textAt(data, 'type')) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return delta === '' ? [] : [{ kind: 'text', text: delta }];
      case 'response.reasoning_summary_text.delta':
        return delta === '' ? [] : [{ kind: 'reasoning', text: delta }];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.response = fieldAt(data, 'response');
        return [];
      case 'error':
        this.error ??= errorTextAt(data) ?? 'the stream told of an error';
        return [];
      default:
        return [];
    }
  }

  end(): WireReply {
    if (this.error !== null) return { kind: 'error', message: this.error, usage: readUsage(this.response) };
    if (this.response === null) {
      return { kind: 'error', message: 'the stream ended before the answer did', usage: null };
    }
    return read(this.response);
  }
}
