import type { JsonObject } from '../../types/json.ts';
import { countAt, errorTextAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import type { ModelUsage, Provider, Question, StreamReader, WireReply, WireRequest } from './provider.ts';
import { splitSystem } from './split-system.ts';

/** Gemini's generateContent. */
export const gemini: Provider = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  apiKeyEnv: 'GEMINI_API_KEY',
  // Not in the address, where logs of all kinds would keep it.
  keyHeader: (key) => ['x-goog-api-key', key],
  write,
  read: (body) => {
    const stream = new ContentStream();
    stream.take(body);
    return stream.end();
  },
  openStream: () => new ContentStream(),
};

function write({ model, messages, maxTokens, temperature, stream }: Question): WireRequest {
  const { system, rest } = splitSystem(messages);
  const generationConfig: JsonObject = {
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
    ...(temperature !== null && { temperature }),
  };
  const body: JsonObject = {
    contents: rest.map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text: content }],
    })),
    ...(system !== null && { systemInstruction: { parts: [{ text: system }] } }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  const name = encodeURIComponent(model.replace(/^models\//, ''));
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return { path: `/v1beta/models/${name}:${method}`, headers: {}, body };
}

/** Thoughts are billed as output and counted apart from it. */
function readUsage(body: unknown): ModelUsage | null {
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
  private content = '';
  private usage: ModelUsage | null = null;
  private finish: string | null = null;
  private error: string | null = null;

  take(data: unknown): void {
    this.error ??= errorTextAt(data);
    const blocked = textAt(data, 'promptFeedback', 'blockReason');
    if (blocked !== null) this.error ??= `the prompt was refused: ${blocked}`;
    this.usage = readUsage(data) ?? this.usage;
    for (const part of listAt(data, 'candidates', 0, 'content', 'parts')) {
      if (fieldAt(part, 'thought') !== true) this.content += textAt(part, 'text') ?? '';
    }
    this.finish = textAt(data, 'candidates', 0, 'finishReason') ?? this.finish;
  }

  end(): WireReply {
    const { usage, finish } = this;
    if (this.error !== null) return { kind: 'error', message: this.error, usage };
    if (finish === null) return { kind: 'error', message: 'the answer has no end', usage };
    if (this.content === '' && !SILENT.includes(finish)) {
      return { kind: 'error', message: `the answer was withheld: ${finish}`, usage };
    }
    return { kind: 'answer', content: this.content, usage };
  }
}

/** Ends at which a model may have said nothing. */
const SILENT = ['STOP', 'MAX_TOKENS'];
