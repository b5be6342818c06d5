import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/types/json.ts';

/** What a model says: words, or calls of one tool. */
export type Said = { readonly text: string } | { readonly tool: string; readonly id: string };

/**
 * A server that speaks OpenAI's Responses under `/v1/responses`, its chat completions under `/v1/chat/completions`,
 * Anthropic's messages under `/v1/messages`, and Gemini's generateContent under `/v1beta/models/m:generateContent`.
 */
export interface DialectServer {
  readonly url: string;
  readonly asked: JsonObject[];
  answer: (body: JsonObject) => Said;
  close(): void;
}

export async function startDialectServer(): Promise<DialectServer> {
  const asked: JsonObject[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject;
      asked.push(body);
      const said = running.answer(body);
      const url = request.url ?? '';
      const {
        whole: make,
        events: split,
        isNamed,
        end,
      } = FORMATS[url.replace(STREAMED, ':generateContent')] ?? MESSAGES;
      const whole = make(said);
      if (body['stream'] !== true && !STREAMED.test(url)) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(whole));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const head = (data: JsonObject): string => (isNamed ? `event: ${String(data['type'])}\n` : '');
      const events = split(said, whole).map((data) => `${head(data)}data: ${JSON.stringify(data)}\n\n`);
      response.end(events.join('') + end);
    });
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const running: DialectServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: () => ({ text: 'Prices are 5 USD, according to the source.' }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return running;
}

interface Format {
  readonly whole: (said: Said) => JsonObject;
  readonly events: (said: Said, whole: JsonObject) => readonly JsonObject[];
  /** True: each event has a name. */
  readonly isNamed: boolean;
  /** What ends a stream; '': nothing. */
  readonly end: string;
}

/** Of Gemini the path asks for a stream. */
const STREAMED = /:streamGenerateContent\?alt=sse$/;

const MESSAGES: Format = { whole: message, events: messageEvents, isNamed: true, end: '' };
const FORMATS: Readonly<Record<string, Format>> = {
  '/v1/responses': { whole: response_, events: responseEvents, isNamed: true, end: '' },
  '/v1/chat/completions': {
    whole: completion,
    events: completionEvents,
    isNamed: false,
    end: 'data: [DONE]\n\n',
  },
  '/v1beta/models/m:generateContent': { whole: content, events: contentEvents, isNamed: false, end: '' },
  '/v1/messages': MESSAGES,
};

const CHAT_USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

function completion(said: Said): JsonObject {
  const finish = 'tool' in said ? 'tool_calls' : 'stop';
  return {
    id: 'chat_1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...spoken(said) }, finish_reason: finish, logprobs: null }],
    usage: CHAT_USAGE,
  };
}

function spoken(said: Said): JsonObject {
  if (!('tool' in said)) return { content: said.text, refusal: null };
  const call = { id: said.id, type: 'function', function: { name: said.tool, arguments: '{}' } };
  return { content: null, refusal: null, tool_calls: [call] };
}

function completionEvents(said: Said, { id, created, model }: JsonObject): readonly JsonObject[] {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    ...{ id: id ?? '', object: 'chat.completion.chunk', created: created ?? 1, model: model ?? '' },
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });
  const words: readonly JsonObject[] =
    'tool' in said
      ? [{ tool_calls: [{ index: 0, id: said.id, type: 'function', function: { name: said.tool, arguments: '{}' } }] }]
      : (said.text.match(/\S+\s*/g) ?? []).map((content) => ({ content }));
  return [
    chunk({ role: 'assistant', content: '' }),
    ...words.map((delta) => chunk(delta)),
    chunk({}, 'tool' in said ? 'tool_calls' : 'stop'),
    { ...chunk({}), choices: [], usage: CHAT_USAGE },
  ];
}

function response_(said: Said): JsonObject {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    output: [outputItem(said)],
    usage: {
      input_tokens: 7,
      output_tokens: 5,
      total_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

function outputItem(said: Said): JsonObject {
  if ('tool' in said) {
    return {
      type: 'function_call',
      id: `fc_${said.id}`,
      call_id: said.id,
      name: said.tool,
      arguments: '{}',
      status: 'completed',
    };
  }
  return {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: said.text, annotations: [] }],
  };
}

function responseEvents(said: Said, whole: JsonObject): readonly JsonObject[] {
  const item = outputItem(said);
  const start = { ...whole, status: 'in_progress', output: [], usage: null };
  const place = { output_index: 0, item_id: item['id'] ?? '' };
  const words: readonly JsonObject[] =
    'tool' in said
      ? [
          { type: 'response.function_call_arguments.delta', ...place, delta: '{}' },
          { type: 'response.function_call_arguments.done', ...place, arguments: '{}', name: said.tool },
        ]
      : [
          {
            type: 'response.content_part.added',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          },
          ...(said.text.match(/\S+\s*/g) ?? []).map((delta) => ({
            type: 'response.output_text.delta',
            ...place,
            content_index: 0,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', ...place, content_index: 0, text: said.text, logprobs: [] },
          {
            type: 'response.content_part.done',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: said.text, annotations: [] },
          },
        ];
  const opened: JsonObject =
    'tool' in said
      ? { ...item, arguments: '', status: 'in_progress' }
      : { ...item, content: [], status: 'in_progress' };
  const events: readonly JsonObject[] = [
    { type: 'response.created', response: start },
    { type: 'response.in_progress', response: start },
    { type: 'response.output_item.added', output_index: 0, item: opened },
    ...words,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
  return events.map((event, number) => ({ ...event, sequence_number: number }));
}

function message(said: Said): JsonObject {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [block(said)],
    stop_reason: 'tool' in said ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 5, cache_creation_input_tokens: 1, cache_read_input_tokens: 2 },
  };
}

function block(said: Said): JsonObject {
  return 'tool' in said
    ? { type: 'tool_use', id: said.id, name: said.tool, input: {} }
    : { type: 'text', text: said.text };
}

function messageEvents(said: Said, whole: JsonObject): readonly JsonObject[] {
  const usage = { ...(whole['usage'] as JsonObject), output_tokens: 1 };
  const deltas: readonly JsonObject[] =
    'tool' in said
      ? [{ type: 'input_json_delta', partial_json: '{}' }]
      : (said.text.match(/\S+\s*/g) ?? []).map((text) => ({ type: 'text_delta', text }));
  return [
    { type: 'message_start', message: { ...whole, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: 'tool' in said ? block(said) : { type: 'text', text: '' } },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: whole['stop_reason'] ?? null, stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
}

function content(said: Said): JsonObject {
  const part: JsonObject =
    'tool' in said ? { functionCall: { id: said.id, name: said.tool, args: {} } } : { text: said.text };
  const thought = { text: 'What do they want?', thought: true };
  return {
    candidates: [{ content: { role: 'model', parts: [thought, part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 4, thoughtsTokenCount: 1, totalTokenCount: 12 },
    modelVersion: 'm',
  };
}

function contentEvents(said: Said, { usageMetadata = {} }: JsonObject): readonly JsonObject[] {
  const parts: readonly JsonObject[] =
    'tool' in said
      ? [{ functionCall: { id: said.id, name: said.tool, args: {} } }]
      : (said.text.match(/\S+\s*/g) ?? []).map((text) => ({ text }));
  return parts.map((part, at) => ({
    candidates: [
      {
        content: { role: 'model', parts: [part] },
        index: 0,
        ...(at === parts.length - 1 && { finishReason: 'STOP' }),
      },
    ],
    usageMetadata,
    modelVersion: 'm',
  }));
}
