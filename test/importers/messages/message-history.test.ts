import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestSpan } from '../../../src/importers/helicone/request-span.ts';
import { observationSpan } from '../../../src/importers/langfuse/observation-span.ts';
import { runSpan } from '../../../src/importers/langsmith/run-span.ts';
import { MessageHistory } from '../../../src/importers/messages/message-history.ts';
import { otlpSpan } from '../../../src/importers/otlp/otlp-span.ts';
import { runOfSpans } from '../../../src/importers/spans/run-of-spans.ts';
import type { Span } from '../../../src/importers/spans/span.ts';
import { spanTree } from '../../../src/importers/spans/span-tree.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';

/** A call of a model: what it was asked with, and when. */
interface Call {
  readonly asked: readonly Json[];
  readonly begin: number;
  readonly answer: string;
}

const text = fc.constantFrom('Hi', 'How warm is it?', '{"city":"Rome"}', '', '21');

/** Messages in the dialects that stand in traces, and what is none. */
const message: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'nobody'), content: text }),
  fc.record({ role: fc.constant('tool'), tool_call_id: fc.constantFrom('a', 'b'), content: text }),
  text.map((args) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: args } }],
  })),
  text.map((said) => ({
    role: 'user',
    content: [
      { type: 'text', text: said },
      { type: 'tool_result', content: said },
    ],
  })),
  text.map((said) => ({
    role: 'model',
    parts: [{ text: said }, { functionCall: { name: 'f', args: { b: 1, a: said } } }],
  })),
  text.map((said) => ({ role: 'user', parts: [{ type: 'text', content: said }] })),
  text.map((said) => ({
    role: 'tool',
    parts: [{ type: 'tool_call_response', id: 'a', response: { b: 1, a: [said] } }],
  })),
  text.map((said) => ({ lc: 1, type: 'constructor', id: ['HumanMessage'], kwargs: { content: said } })),
  text.map((said) => ({ type: 'function_call_output', call_id: 'a', output: said })),
  text.map((said) => ({ message: { role: 'user', content: said } })),
  text.map((said) => ['human', said]),
  text,
  fc.constantFrom(null, 1, {}, []),
);

/** The same value with its keys in the other order. */
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reordered(one)]),
  );
}

/** What becomes of the history from one call to the next. */
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('goes on' as const), more: fc.array(message, { maxLength: 3 }) }),
  },
  fc.record({ kind: fc.constant('edited' as const), at: fc.nat(6), by: message }),
  fc.record({ kind: fc.constantFrom('forgets first' as const, 'cut' as const), count: fc.nat(4) }),
  fc.record({ kind: fc.constant('reordered' as const) }),
  fc.record({ kind: fc.constant('another' as const), more: fc.array(message, { maxLength: 4 }) }),
);

/** Calls of up to six conversations in turn; times may go back, as in sources whose order is not that of time. */
const calls: fc.Arbitrary<readonly Call[]> = fc
  .array(fc.tuple(change, fc.nat(5), fc.nat(20), text), { minLength: 1, maxLength: 14 })
  .map((steps) => {
    const told: (readonly Json[])[] = Array.from({ length: 6 }, () => []);
    return steps.map(([step, conversation, begin, answer]): Call => {
      const before = told[conversation] ?? [];
      const asked = changed(before, step);
      told[conversation] = asked;
      return { asked, begin, answer };
    });
  });

function changed(
  before: readonly Json[],
  step: typeof change extends fc.Arbitrary<infer Step> ? Step : never,
): readonly Json[] {
  switch (step.kind) {
    case 'goes on':
      return [...before, ...step.more];
    case 'edited':
      return before.map((one, at) => (at === step.at ? step.by : one));
    case 'forgets first':
      return before.slice(step.count);
    case 'cut':
      return before.slice(0, step.count);
    case 'reordered':
      return before.map(reordered);
    case 'another':
      return step.more;
  }
}

/** How each system keeps a call, some of them in several ways. */
const KEPT: Readonly<Record<string, (call: Call, at: number, history: MessageHistory) => Span>> = {
  LangSmith: ({ asked, begin, answer }, at, history) =>
    runSpan(
      parsed({ id: `${at}`, run_type: 'llm', start_time: time(begin), inputs: held(asked, at), outputs: answer }),
      history,
    ),
  Langfuse: ({ asked, begin, answer }, at, history) =>
    observationSpan(
      parsed({ id: `${at}`, type: 'GENERATION', startTime: time(begin), input: held(asked, at), output: answer }),
      history,
    ),
  Helicone: ({ asked, begin, answer }, at, history) =>
    requestSpan(
      parsed({
        request_id: `${at}`,
        request_created_at: time(begin),
        request_body: at % 2 === 0 ? { messages: asked } : { model: 'm', input: asked },
        response_body: { choices: [{ message: { role: 'assistant', content: answer } }] },
        response_status: 200,
      }),
      history,
    ),
  OpenTelemetry: ({ asked, begin, answer }, at, history) =>
    otlpSpan(
      {
        id: `${at}`,
        parent: null,
        name: 'chat',
        begin: begin + 1,
        end: begin + 2,
        attributes: { 'gen_ai.operation.name': 'chat', ...conventions(asked, answer)[at % 4] },
        events: [],
        error: null,
      },
      history,
    ),
};

/** A list by itself, or in a body. */
function held(asked: readonly Json[], at: number): Json {
  return [asked, { messages: asked }, { messages: [asked] }, { input: { messages: asked } }][at % 4] ?? null;
}

function conventions(asked: readonly Json[], answer: string): readonly JsonObject[] {
  const flat = (prefix: string, inner: string): JsonObject =>
    Object.fromEntries(asked.map((one, at) => [`${prefix}.${at}${inner}`, one]));
  return [
    {
      'gen_ai.input.messages': JSON.stringify(asked),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: answer }]),
    },
    { 'gen_ai.input.messages': parsed(asked) },
    {
      ...flat('llm.input_messages', '.message'),
      'llm.output_messages': JSON.stringify([{ role: 'assistant', content: answer }]),
    },
    flat('gen_ai.prompt', ''),
  ];
}

function time(second: number): string {
  return `2026-03-01T10:00:${String(second).padStart(2, '0')}Z`;
}

/** As it comes out of a file: no value is the same object as another. */
function parsed<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

describe('histories of messages', () => {
  it.each(Object.entries(KEPT))('of %s change no byte of a run, whatever calls repeat, edit, cut or mix', (_, kept) => {
    fc.assert(
      fc.property(calls, (all) => {
        const shared = new MessageHistory();
        const run = (historyOf: () => MessageHistory): string =>
          JSON.stringify(runOfSpans(spanTree(all.map((call, at) => kept(call, at, historyOf()))), {}));
        expect(run(() => shared)).toBe(run(() => new MessageHistory()));
      }),
      { numRuns: 300 },
    );
  });

  it('convert each message once, of several conversations that go on side by side', () => {
    const history = new MessageHistory();
    let converted = 0;
    const convert = (): readonly [] => {
      converted++;
      return [];
    };
    for (let length = 1; length <= 50; length++) {
      for (const name of ['a', 'b', 'c', 'd']) {
        const list = Array.from({ length }, (_, at) => ({
          role: 'user',
          content: at === 0 ? 'the same' : `${name} ${at}`,
        }));
        history.messagesOf(list, { form: 'chat', convert });
      }
    }
    // All begin with the same message, and the rest is told by four.
    expect(converted).toBe(1 + 4 * 49);
  });

  it('do not take lists of one form for those of another', () => {
    const history = new MessageHistory();
    const said = (text: string) => [{ role: 'user' as const, parts: [{ kind: 'text' as const, text }] }];
    expect(history.messagesOf(['Hi'], { form: 'one', convert: () => said('one') })).toEqual(said('one'));
    expect(history.messagesOf(['Hi'], { form: 'other', convert: () => said('other') })).toEqual(said('other'));
    expect(history.messagesOf(['Hi'], { form: 'one', convert: () => said('again') })).toEqual(said('one'));
  });
});
