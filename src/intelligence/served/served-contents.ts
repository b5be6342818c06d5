import type { JsonObject } from '../../types/json.ts';
import type { FinishReason, MessagePart } from '../../types/message.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import type { StreamEvent } from '../../values/event-stream.ts';
import type { ServedFormat } from './served-format.ts';
import { textPieces } from './text-pieces.ts';

const FINISHES: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  filtered: 'SAFETY',
  other: 'STOP',
};

/** The model stands in the path, in Vertex's behind a project; so does whether events are asked for. */
const PATH = /\/models\/([^/]+):(generateContent|streamGenerateContent)$/;

/** Gemini's generateContent. */
export const servedContents: ServedFormat = {
  place: '/v1beta/models/MODEL:generateContent',
  asked: (path) => {
    const [, model, method] = PATH.exec(path) ?? [];
    return model === undefined ? null : { model, stream: method === 'streamGenerateContent' };
  },
  body: ({ parts, finish, usage }, { id, model }) => {
    const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage ?? {};
    const content = { role: 'model', parts: parts.flatMap(wirePart) };
    return {
      candidates: [{ content, finishReason: FINISHES[finish ?? 'stop'], index: 0 }],
      usageMetadata: {
        promptTokenCount: promptTokens,
        candidatesTokenCount: completionTokens - reasoningTokens,
        thoughtsTokenCount: reasoningTokens,
        cachedContentTokenCount: cachedTokens,
        totalTokenCount: promptTokens + completionTokens,
      },
      modelVersion: model,
      responseId: id,
    };
  },
  // Each event is an answer of its own; the last one says why it ended, and what it took.
  events: (body) => {
    const { candidates: _, usageMetadata = {}, ...rest } = body;
    const candidates = listAt(body, 'candidates') as readonly JsonObject[];
    const pieces = candidates.flatMap(({ content, finishReason: _, ...candidate }) =>
      listAt(content, 'parts')
        .flatMap((part) => partPieces(part as JsonObject))
        .map((part) => ({ ...candidate, content: { role: 'model', parts: [part] } })),
    );
    const ends = candidates.map(({ content: _, ...candidate }) => ({
      ...candidate,
      content: { role: 'model', parts: [] },
    }));
    return [
      ...pieces.map((candidate): StreamEvent => ({ event: null, data: { ...rest, candidates: [candidate] } })),
      { event: null, data: { ...rest, candidates: ends, usageMetadata } },
    ];
  },
  end: '',
  refusal: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

function wirePart(part: MessagePart): readonly JsonObject[] {
  if (part.kind === 'text') return part.text === '' ? [] : [{ text: part.text }];
  if (part.kind === 'tool_call') return [{ functionCall: { id: part.id, name: part.name, args: part.args } }];
  return [];
}

/** A text in pieces; all else, and what a signature belongs to, comes whole. */
function partPieces(part: JsonObject): readonly JsonObject[] {
  const text = textAt(part, 'text');
  if (text === null || fieldAt(part, 'thoughtSignature') !== undefined) return [part];
  return textPieces(text).map((piece) => ({ ...part, text: piece }));
}
