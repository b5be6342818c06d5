import { finishOf } from '../../../plugin/finish-reason.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import type { Message, MessagePart, TokenUsage, ToolChoice } from '../../../types/message.ts';
import { isJsonObject } from '../../../values/is-json.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import { AnswerParts } from './answer-parts.ts';
import { mediaSource } from './media-source.ts';
import type { Provider, Question, StreamReader, WireReply, WireRequest } from './protocol.ts';
import { splitSystem } from './split-system.ts';

/** Gemini's generateContent. */
export const gemini: Provider = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  apiKeyEnv: 'GEMINI_API_KEY',
  // Not in the address, where logs of all kinds would keep it.
  keyHeader: (key) => ['x-goog-api-key', key],
  lacks: [],
  written: {
    format: 'contents',
    askedIn: (body) => {
      const { key, maxOutputTokens } = configOf(body);
      return { cap: countAt(body, key, maxOutputTokens), answers: answersIn(fieldAt(body, key)) };
    },
    write: (body, { model, cap }) => {
      const { key, maxOutputTokens } = configOf(body);
      const config = (fieldAt(body, key) ?? {}) as JsonObject;
      const capped = cap === null ? body : { ...body, [key]: { ...config, [maxOutputTokens]: cap } };
      return { path: pathOf(model, 'generateContent'), headers: {}, body: capped };
    },
  },
  write,
  read: (body) => {
    const stream = new ContentStream();
    stream.take(body);
    return stream.end();
  },
  openStream: () => new ContentStream(),
};

function write(question: Question): WireRequest {
  const { model, messages, maxTokens, temperature, topP, seed, stop, reasoningEffort } = question;
  const { stream, tools, toolChoice, output } = question;
  const { system, rest } = splitSystem(messages);
  const generationConfig: JsonObject = {
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(seed !== null && { seed }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(reasoningEffort !== null && { thinkingConfig: { thinkingLevel: reasoningEffort } }),
    ...(output !== null && { responseMimeType: 'application/json' }),
    ...(output?.schema != null && { responseJsonSchema: output.schema }),
  };
  const body: JsonObject = {
    contents: rest.map(({ role, parts }: Message) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: parts.length === 0 ? [{ text: '' }] : parts.flatMap(wirePart),
    })),
    ...(system !== null && { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 && {
      tools: [
        {
          functionDeclarations: tools.map(({ parameters, ...tool }) => ({ ...tool, parametersJsonSchema: parameters })),
        },
      ],
      toolConfig: { functionCallingConfig: wireChoice(toolChoice) },
    }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  return { path: pathOf(model, stream ? 'streamGenerateContent?alt=sse' : 'generateContent'), headers: {}, body };
}

function pathOf(model: string, method: string): string {
  return `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:${method}`;
}

/** Both spellings are the protocol's. */
function configOf(body: JsonObject): { readonly key: string; readonly maxOutputTokens: string } {
  return 'generation_config' in body
    ? { key: 'generation_config', maxOutputTokens: 'max_output_tokens' }
    : { key: 'generationConfig', maxOutputTokens: 'maxOutputTokens' };
}

function answersIn(config: unknown): number {
  return countAt(config, 'candidateCount') ?? countAt(config, 'candidate_count') ?? 1;
}

function wireChoice(choice: ToolChoice): JsonObject {
  if (typeof choice !== 'string') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() };
}

function wirePart(part: MessagePart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text }];
    case 'reasoning':
      return part.signature === undefined ? [] : [{ text: part.text, thought: true, thoughtSignature: part.signature }];
    case 'media': {
      const source = mediaSource(part);
      return source.kind === 'data'
        ? [{ inlineData: { mimeType: source.contentType, data: source.base64 } }]
        : [{ fileData: { fileUri: source.url, ...(source.contentType !== null && { mimeType: source.contentType }) } }];
    }
    case 'tool_call':
      return [
        {
          functionCall: { name: part.name, args: part.args },
          ...(part.signature !== undefined && { thoughtSignature: part.signature }),
        },
      ];
    case 'tool_result':
      return [{ functionResponse: { name: part.name, response: asObject(part.result, part.isError === true) } }];
  }
}

/** The protocol wants an object. */
function asObject(result: Json, isError: boolean): JsonObject {
  return isJsonObject(result) ? result : { [isError ? 'error' : 'output']: result };
}

/** Thoughts are billed as output and counted apart from it. */
function readUsage(body: unknown): TokenUsage | null {
  const usage = fieldAt(body, 'usageMetadata');
  const promptTokens = countAt(usage, 'promptTokenCount');
  const shown = countAt(usage, 'candidatesTokenCount');
  const reasoningTokens = countAt(usage, 'thoughtsTokenCount') ?? 0;
  // Left out by the provider when nothing was shown.
  const total = countAt(usage, 'totalTokenCount');
  if (promptTokens === null || (shown === null && total === null)) return null;
  return {
    promptTokens,
    completionTokens: (shown ?? 0) + reasoningTokens,
    cachedTokens: countAt(usage, 'cachedContentTokenCount') ?? 0,
    cacheWriteTokens: 0,
    reasoningTokens,
  };
}

/** Every event has the shape of a whole answer, so a whole answer is a stream of one. */
class ContentStream implements StreamReader {
  private readonly parts = new AnswerParts();
  private calls = 0;
  private usage: TokenUsage | null = null;
  private reason: string | null = null;
  private error: string | null = null;

  take(data: unknown): readonly MessagePart[] {
    this.error ??= errorTextAt(data);
    const blocked = textAt(data, 'promptFeedback', 'blockReason');
    if (blocked !== null) this.error ??= `the prompt was refused: ${blocked}`;
    this.usage = readUsage(data) ?? this.usage;
    this.reason = textAt(data, 'candidates', 0, 'finishReason') ?? this.reason;
    return listAt(data, 'candidates', 0, 'content', 'parts').flatMap((part) => this.takePart(part));
  }

  end(): WireReply {
    const { usage, reason, parts } = this;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (reason === null) return { kind: 'error', message: 'the answer has no end', usage };
    const built = parts.build();
    const isSilent = built.every(({ kind }) => kind === 'reasoning');
    if (isSilent && !SILENT.includes(reason)) {
      return { kind: 'error', message: `the answer was withheld: ${reason}`, usage };
    }
    return { kind: 'answer', parts: built, finish: parts.hasCalls ? 'tool_calls' : (finishOf(reason) ?? null), usage };
  }

  private takePart(part: unknown): readonly MessagePart[] {
    const signature = textAt(part, 'thoughtSignature');
    const call = fieldAt(part, 'functionCall');
    if (call !== undefined) {
      const args = (fieldAt(call, 'args') as Json | undefined) ?? {};
      this.parts.call(this.calls++, { id: textAt(call, 'id'), name: textAt(call, 'name'), args, signature });
      return [];
    }
    const text = textAt(part, 'text') ?? '';
    return fieldAt(part, 'thought') === true ? this.parts.reasoning(text, signature) : this.parts.text(text);
  }
}

/** Ends at which a model may have said nothing. */
const SILENT = ['STOP', 'MAX_TOKENS'];
