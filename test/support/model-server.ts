import { writeJson } from '../../src/values/exact-json.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked, as far as the three protocols share it. */
export interface Asked {
  readonly protocol: 'openai' | 'openai-responses' | 'anthropic' | 'gemini';
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
  /** The body as it came. */
  readonly text: string;
  /** Text of the last message. */
  readonly prompt: string;
  /** Requests so far, this one included. */
  readonly number: number;
}

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: object;
}

/** What the server does with a request. */
export type Behaviour =
  /** `usage` null: it does not say. `bytes`: each byte of a stream in a write of its own. */
  | {
      readonly kind: 'answer';
      readonly content: string;
      readonly usage?: Usage | null;
      readonly bytes?: boolean;
      /** Tools that the model wants to be called, after its text. */
      readonly calls?: readonly Call[];
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly error?: unknown;
    }
  /** Any body with status 200. */
  | { readonly kind: 'raw'; readonly body: string; readonly type?: string }
  /** The connection is closed, before the answer or in its middle. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'middle' }
  | { readonly kind: 'silent' };

export interface ModelServer {
  readonly url: string;
  /** The address below which chat completions are. */
  readonly openaiUrl: string;
  readonly asked: readonly Asked[];
  /** Most requests at a time. */
  readonly mostAtOnce: number;
  /** Requests whose client went away before the answer was whole. */
  readonly abandoned: number;
  behave: (asked: Asked) => Behaviour | Promise<Behaviour>;
  close(): Promise<void>;
}

export function answer(content: string, rest: Partial<Extract<Behaviour, { kind: 'answer' }>> = {}): Behaviour {
  return { kind: 'answer', content, ...rest };
}

/** A server that speaks both protocols of OpenAI, and those of Anthropic and Gemini, streamed or not, and misbehaves on request. */
export async function startModelServer(behave: ModelServer['behave']): Promise<ModelServer> {
  const asked: Asked[] = [];
  let open = 0;
  let most = 0;
  let abandoned = 0;
  const server = createServer((request, response) => {
    most = Math.max(most, ++open);
    response.on('close', () => {
      open--;
      if (!response.writableFinished) abandoned++;
    });
    // Clients ask which models there are.
    if (request.method === 'GET') return void response.end('{"object":"list","data":[]}');
    void readBody(request).then(async (text) => {
      const one = understand(request, text, asked.length + 1);
      asked.push(one);
      await perform(await model.behave(one), one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model: ModelServer = {
    url,
    openaiUrl: `${url}/v1`,
    asked,
    get mostAtOnce() {
      return most;
    },
    get abandoned() {
      return abandoned;
    },
    behave,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return model;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function understand({ url: path = '', headers }: IncomingMessage, text: string, number: number): Asked {
  const body = JSON.parse(text) as Record<string, unknown>;
  if (path.includes('enerateContent')) {
    const contents = body.contents as { readonly parts: readonly { readonly text: string }[] }[];
    const prompt = contents.at(-1)?.parts[0]?.text ?? '';
    return { protocol: 'gemini', path, headers, body, text, stream: path.includes('stream'), prompt, number };
  }
  if (path.endsWith('/responses')) {
    const items = body.input as readonly { readonly content?: readonly { readonly text?: string }[] }[];
    const prompt = items.at(-1)?.content?.at(-1)?.text ?? '';
    return { protocol: 'openai-responses', path, headers, body, text, stream: body.stream === true, prompt, number };
  }
  // Images and sounds are asked for without messages.
  const messages = (body.messages ?? []) as readonly { readonly content: string }[];
  const protocol = path.endsWith('/chat/completions') ? 'openai' : 'anthropic';
  return {
    protocol,
    path,
    headers,
    body,
    text,
    stream: body.stream === true,
    prompt: messages.at(-1)?.content ?? '',
    number,
  };
}

async function perform(behaviour: Behaviour, asked: Asked, response: ServerResponse): Promise<void> {
  switch (behaviour.kind) {
    case 'silent':
      return;
    case 'drop':
      if (behaviour.when === 'middle') {
        response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' });
        await new Promise<void>((resolve) => response.write('data: {"', () => resolve()));
      }
      response.destroy();
      return;
    case 'raw':
      response.writeHead(200, { 'content-type': behaviour.type ?? 'application/json' });
      response.end(behaviour.body);
      return;
    case 'status':
      response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
      response.end(JSON.stringify(behaviour.error ?? { error: { message: `status ${behaviour.status}` } }));
      return;
    case 'answer': {
      const { content, usage = { prompt: 10, completion: 5 }, calls = [] } = behaviour;
      if (!asked.stream) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(WHOLE[asked.protocol](content, usage, calls)));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(EVENTS[asked.protocol](content, usage, calls).join(''));
      const size = behaviour.bytes === true ? 1 : 7;
      for (let at = 0; at < bytes.length; at += size) {
        await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + size), () => resolve()));
      }
      response.end();
    }
  }
}

type Shape<T> = (content: string, usage: Usage | null, calls?: readonly Call[]) => T;

const openaiUsage = ({ prompt, completion, cached = 0, reasoning = 0 }: Usage): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

const responsesUsage = ({ prompt, completion, cached = 0, reasoning = 0 }: Usage): object => ({
  input_tokens: prompt,
  output_tokens: completion,
  total_tokens: prompt + completion,
  input_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: reasoning },
});

const anthropicUsage = ({ prompt, completion, cached = 0 }: Usage): Record<string, number> => ({
  input_tokens: prompt - cached,
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: 0,
  output_tokens: completion,
});

const geminiUsage = ({ prompt, completion, cached = 0, reasoning = 0 }: Usage): object => ({
  promptTokenCount: prompt,
  candidatesTokenCount: completion - reasoning,
  thoughtsTokenCount: reasoning,
  cachedContentTokenCount: cached,
  totalTokenCount: prompt + completion,
});

/** What every model of the server thinks before it answers; OpenAI's chat completions do not show it. */
export const THOUGHT = 'What do they want?';

const wholeResponse: Shape<object> = (content, usage, calls = []) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: THOUGHT }], encrypted_content: 'sealed' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: content, annotations: [] }],
    },
    ...calls.map(({ id, name, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: writeJson(args),
    })),
  ],
  ...(usage !== null && { usage: responsesUsage(usage) }),
});

const chatCalls = (calls: readonly Call[]): readonly object[] =>
  calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: writeJson(args) } }));

/** Whole answers, as each protocol has them. */
export const WHOLE: Readonly<Record<Asked['protocol'], Shape<object>>> = {
  openai: (content, usage, calls = []) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: chatCalls(calls) }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    ...(usage !== null && { usage: openaiUsage(usage) }),
  }),
  'openai-responses': wholeResponse,
  anthropic: (content, usage, calls = []) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: THOUGHT, signature: 'sealed' },
      { type: 'text', text: content },
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    ...(usage !== null && { usage: anthropicUsage(usage) }),
  }),
  gemini: (content, usage, calls = []) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: THOUGHT, thought: true, thoughtSignature: 'sealed' },
            { text: content },
            ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
          ],
        },
        finishReason: 'STOP',
      },
    ],
    ...(usage !== null && { usageMetadata: geminiUsage(usage) }),
  }),
};

/** Halves of a text, as parts of a stream. */
function halves(content: string): readonly [string, string] {
  const middle = Math.floor(content.length / 2);
  return [content.slice(0, middle), content.slice(middle)];
}

/** The same in events. */
export const EVENTS: Readonly<Record<Asked['protocol'], Shape<readonly string[]>>> = {
  openai: (content, usage, calls = []) => {
    const chunk = (choices: readonly object[], more: object = {}): string =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices, ...more })}\r\n\r\n`;
    const delta = (piece: object): string => chunk([{ index: 0, delta: piece, finish_reason: null }]);
    const [first, second] = halves(content);
    return [
      ': keep-alive\r\n\r\n',
      delta({ role: 'assistant', content: '' }),
      delta({ content: first }),
      delta({ content: second }),
      // Calls are named first; their arguments come in pieces, of several calls in turn.
      ...calls.map(({ id, name }, index) =>
        delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ),
      ...[0, 1].flatMap((half) =>
        calls.map(({ args }, index) =>
          delta({ tool_calls: [{ index, function: { arguments: halves(writeJson(args))[half] } }] }),
        ),
      ),
      chunk([{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]),
      ...(usage === null ? [] : [chunk([], { usage: openaiUsage(usage) })]),
      'data: [DONE]\r\n\r\n',
    ];
  },
  'openai-responses': (content, usage, calls = []) => {
    const event = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const [first, second] = halves(content);
    return [
      event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }),
      event('response.reasoning_summary_text.delta', { item_id: 'rs_1', output_index: 0, delta: THOUGHT }),
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, delta: first }),
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, delta: second }),
      event('response.completed', { response: wholeResponse(content, usage, calls) }),
    ];
  },
  anthropic: (content, usage, calls = []) => {
    const event = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const delta = (index: number, piece: object): string => event('content_block_delta', { index, delta: piece });
    const [first, second] = halves(content);
    const counts = usage === null ? null : anthropicUsage(usage);
    return [
      event('message_start', {
        message: { id: 'msg_1', content: [], ...(counts && { usage: { ...counts, output_tokens: 1 } }) },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      delta(0, { type: 'thinking_delta', thinking: THOUGHT }),
      delta(0, { type: 'signature_delta', signature: 'sealed' }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
      delta(1, { type: 'text_delta', text: first }),
      delta(1, { type: 'text_delta', text: second }),
      event('content_block_stop', { index: 1 }),
      ...calls.flatMap(({ id, name, args }, at) => [
        event('content_block_start', { index: at + 2, content_block: { type: 'tool_use', id, name, input: {} } }),
        ...halves(writeJson(args)).map((json) => delta(at + 2, { type: 'input_json_delta', partial_json: json })),
        event('content_block_stop', { index: at + 2 }),
      ]),
      event('message_delta', {
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
        ...(counts && { usage: { output_tokens: counts.output_tokens } }),
      }),
      event('message_stop', {}),
    ];
  },
  gemini: (content, usage, calls = []) => {
    const event = (parts: readonly object[], more: object = {}): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, ...more }], ...(usage && { usageMetadata: geminiUsage(usage) }) })}\n\n`;
    const [first, second] = halves(content);
    return [
      event([{ text: THOUGHT, thought: true, thoughtSignature: 'sealed' }]),
      event([{ text: first }]),
      event([{ text: second }]),
      ...calls.map(({ id, name, args }) => event([{ functionCall: { id, name, args } }])),
      event([], { finishReason: 'STOP' }),
    ];
  },
};
