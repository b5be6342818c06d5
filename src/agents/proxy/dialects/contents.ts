import type { StreamEvent } from '../../../values/event-stream.ts';
import type { Json, JsonObject } from '../../../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import type { SeenTokens } from '../../target.ts';
import { type Dialect, objectOf, pieces, sumOf, type ToolResult, UNKNOWN_TOKENS, withEntry } from './dialect.ts';

/** Gemini's generateContent. Results of tools are parts of what the user says; each event of a stream is an answer. */
export const contents: Dialect = {
  accepts: (path, body) =>
    /\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/.test(path) && Array.isArray(body['contents']),
  toolResults: (body) =>
    listAt(body, 'contents').flatMap((content, at) =>
      listAt(content, 'parts').flatMap((one, part): readonly ToolResult[] => {
        const result = fieldAt(one, 'functionResponse');
        if (result === undefined) return [];
        const { text } = resultIn(fieldAt(result, 'response'));
        return [{ at, part, callId: textAt(result, 'id') ?? '', name: textAt(result, 'name'), text }];
      }),
    ),
  withToolResult: (body, { at, part }, text) => {
    const list = listAt(body, 'contents');
    const content = objectOf(list[at]);
    const parts = listAt(content, 'parts');
    const result = objectOf(fieldAt(parts[part], 'functionResponse'));
    const response = { [resultIn(result['response']).key]: text };
    const changed = { ...objectOf(parts[part]), functionResponse: { ...result, response } };
    return { ...body, contents: withEntry(list, at, { ...content, parts: withEntry(parts, part, changed) }) };
  },
  prompt: (body) => {
    const at = lastWords(body);
    return at < 0 ? null : textOf(listAt(body, 'contents')[at]);
  },
  withPrompt: (body, text) => {
    const list = listAt(body, 'contents');
    const at = lastWords(body);
    return { ...body, contents: withEntry(list, at, withText(list[at], text)) };
  },
  instructions: (body) => {
    const instructions = body[instructionsKey(body)];
    return instructions === undefined ? null : textOf(instructions);
  },
  withInstructions: (body, text) => {
    const key = instructionsKey(body);
    return { ...body, [key]: withText(body[key], text) };
  },
  read: (answer) => ({
    text: textOf(fieldAt(answer, 'candidates', 0, 'content')),
    tools: listAt(answer, 'candidates', 0, 'content', 'parts').flatMap(
      (part) => textAt(part, 'functionCall', 'name') ?? [],
    ),
    used: usedTokens(fieldAt(answer, 'usageMetadata')),
  }),
  withText: (answer, text) => ({ ...answer, candidates: [said(answer, text, 'STOP')] }),
  readEvents: (events) => {
    const seen = events.map(({ data }) => contents.read(data));
    return {
      text: seen.map(({ text }) => text).join(''),
      tools: seen.flatMap(({ tools }) => tools),
      used: seen.map(({ used }) => used).findLast(({ tokens }) => tokens !== null) ?? UNKNOWN_TOKENS,
    };
  },
  eventsWithText: (events, text) => {
    const last = events.at(-1);
    if (last === undefined) return events;
    const { usageMetadata: _, ...head } = last.data;
    return [
      ...pieces(text).map((piece) => ({ event: null, data: { ...head, candidates: [said(last.data, piece, null)] } })),
      { event: null, data: { ...last.data, candidates: [said(last.data, '', 'STOP')] } },
    ] satisfies readonly StreamEvent[];
  },
  end: '',
  refusal: (kind, message) => {
    const [code, status] = kind === 'timeout' ? [504, 'DEADLINE_EXCEEDED'] : [429, 'RESOURCE_EXHAUSTED'];
    return { error: { code, message, status } };
  },
};

/** The words of a content, without what was thought. */
function textOf(content: unknown): string {
  return listAt(content, 'parts')
    .map((part) => (fieldAt(part, 'thought') === true ? '' : (textAt(part, 'text') ?? '')))
    .join('');
}

/** The content with other words; parts that are no text stay behind them. */
function withText(content: unknown, text: string): JsonObject {
  const others = listAt(content, 'parts').filter((part) => textAt(part, 'text') === null) as Json[];
  return { ...objectOf(content), parts: [{ text }, ...others] };
}

/** A candidate that says this; `finish` null: there is more to come. */
function said(answer: unknown, text: string, finish: string | null): JsonObject {
  const { content: _, finishReason: __, ...rest } = objectOf(fieldAt(answer, 'candidates', 0));
  const parts = text === '' ? [] : [{ text }];
  return { ...rest, content: { role: 'model', parts }, ...(finish !== null && { finishReason: finish }) };
}

/** Position of the user's last message that holds words of its own. Who speaks alone need not say that it is the user. */
function lastWords(body: JsonObject): number {
  return listAt(body, 'contents').findLastIndex(
    (content) =>
      (textAt(content, 'role') ?? 'user') === 'user' &&
      listAt(content, 'parts').some((part) => textAt(part, 'text') !== null),
  );
}

/** The protocol takes both spellings. */
function instructionsKey(body: JsonObject): string {
  return 'system_instruction' in body ? 'system_instruction' : 'systemInstruction';
}

/** The protocol wants an object, in which clients put what a tool gave under a key of their own. */
function resultIn(response: unknown): { readonly key: string; readonly text: string } {
  const fields = Object.entries(objectOf(response));
  const [only] = fields;
  if (fields.length === 1 && only !== undefined && typeof only[1] === 'string') return { key: only[0], text: only[1] };
  return { key: 'output', text: JSON.stringify(response ?? null) };
}

/** Thoughts are counted apart from what was shown. */
function usedTokens(usage: unknown): SeenTokens {
  const promptTokens = countAt(usage, 'promptTokenCount');
  const shown = countAt(usage, 'candidatesTokenCount');
  const completionTokens = shown === null ? null : shown + (countAt(usage, 'thoughtsTokenCount') ?? 0);
  const tokens = countAt(usage, 'totalTokenCount') ?? sumOf(promptTokens, completionTokens);
  return { tokens, promptTokens, completionTokens };
}
