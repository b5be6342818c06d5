import { describe, expect, it } from 'vitest';
import { otlp } from '../../../src/importers/otlp/otlp.ts';
import type { ImportedRun, ImportOptions } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../import-all.ts';
import {
  logsRequest,
  otlpRecord,
  otlpSpan,
  type SpanSketch,
  spansRequest,
  traceId,
  tracesText,
} from '../sources/otlp.ts';

/** The only run of these spans. */
function runOf(spans: readonly SpanSketch[], options: ImportOptions = {}): ImportedRun {
  const { sets, broken, problems } = importAll(otlp, sourceOf({ 'spans.json': tracesText(...spans) }), options);
  expect([broken, problems]).toEqual([[], []]);
  const [run, ...others] = Object.values(sets).flat();
  if (run === undefined || others.length > 0) throw new Error(`There are ${others.length} more.`);
  return run;
}

const MESSAGES = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.response.model': 'large-1',
  'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Cancel R1' }] }]),
  'gen_ai.output.messages': JSON.stringify([
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c1', name: 'cancel', arguments: { id: 'R1' } }],
      finish_reason: 'tool_call',
    },
  ]),
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.output_tokens': 7,
  'gen_ai.usage.cache_read.input_tokens': 60,
};
const SECOND = {
  ...MESSAGES,
  'gen_ai.input.messages': JSON.stringify([
    ...JSON.parse(MESSAGES['gen_ai.input.messages']),
    ...JSON.parse(MESSAGES['gen_ai.output.messages']),
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { done: true } }] },
  ]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'Done.' }], finish_reason: 'stop' },
  ]),
  'gen_ai.usage.input_tokens': 130,
};
const AGENT = {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'desk',
  'test.case.name': 'cancel one',
  'test.case.result.status': 'pass',
  // The sum of its models, as frameworks write it.
  'gen_ai.usage.input_tokens': 230,
  'gen_ai.usage.output_tokens': 14,
};
const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'cancel',
  'gen_ai.tool.call.arguments': '{"id":"R1"}',
  'gen_ai.tool.call.result': '{"done":true}',
};
const RUN: readonly SpanSketch[] = [
  { id: 'agent', from: 0, to: 100, attributes: AGENT },
  { id: 'first', parent: 'agent', from: 1, to: 11, attributes: MESSAGES },
  { id: 'tool', parent: 'agent', from: 12, to: 20, attributes: TOOL },
  { id: 'second', parent: 'agent', from: 30, to: 55, attributes: SECOND },
];
const CALL = { kind: 'tool_call', id: 'c1', name: 'cancel', args: { id: 'R1' } };
const USAGE = { promptTokens: 100, completionTokens: 7, cachedTokens: 60 };

describe('otlp', () => {
  it('reads a trace with current conventions as a run: task, verdict, conversation, calls, tokens once', () => {
    expect(runOf(RUN)).toEqual({
      task: 'cancel one',
      id: traceId(),
      scores: [{ name: 'test.case.result.status', value: 'pass', passed: true }],
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Cancel R1' }] },
        { role: 'assistant', parts: [CALL], model: 'large-1', usage: USAGE, latencyMs: 10, finish: 'tool_calls' },
        { role: 'tool', parts: [{ kind: 'tool_result', id: 'c1', name: 'cancel', result: { done: true } }] },
        {
          role: 'assistant',
          parts: [{ kind: 'text', text: 'Done.' }],
          model: 'large-1',
          usage: { ...USAGE, promptTokens: 130 },
          latencyMs: 25,
          finish: 'stop',
        },
      ],
      calls: [{ name: 'cancel', args: { id: 'R1' }, result: { done: true } }],
      costs: [
        { kind: 'model', name: 'large-1', units: 1, usage: USAGE },
        { kind: 'model', name: 'large-1', units: 1, usage: { ...USAGE, promptTokens: 130 } },
      ],
      durationMs: 100,
      extra: expect.objectContaining({ spans: 4, resource: { 'service.name': 'shop', 'service.version': '2' } }),
      unsaid: {},
    });
  });

  it('reads the same run whatever order its spans come in, over however many requests, lines and files', () => {
    const expected = runOf(RUN);
    const [agent, first, tool, second] = RUN.map(otlpSpan);
    const files = {
      'a.jsonl': [second, agent].map((span) => JSON.stringify(spansRequest([span]))).join('\n'),
      'b.json': JSON.stringify([spansRequest([tool]), spansRequest([first])], null, 2),
    };
    const { sets, problems } = importAll(otlp, sourceOf(files, 'traces'));
    expect(problems).toEqual([]);
    expect(sets).toEqual({ 'shop 2': [expected] });
  });

  it('takes a verdict of log records, the last of each name, and those that name no verdict as they are', () => {
    const records = [
      { at: 5, attributes: { 'gen_ai.evaluation.name': 'correct', 'gen_ai.evaluation.score.label': 'fail' } },
      {
        at: 9,
        attributes: {
          'gen_ai.evaluation.name': 'correct',
          'gen_ai.evaluation.score.value': 0.2,
          'gen_ai.evaluation.score.label': 'pass',
          'gen_ai.evaluation.explanation': 'It was cancelled.',
        },
      },
      { at: 6, attributes: { 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.score.value': 0.75 } },
      { at: 7, attributes: { 'gen_ai.evaluation.name': 'safe', 'error.type': 'timeout' } },
    ].map((one) => otlpRecord({ name: 'gen_ai.evaluation.result', span: 'chat', ...one }));
    const files = {
      'logs.jsonl': JSON.stringify(logsRequest(records)),
      'spans.jsonl': tracesText({ id: 'chat', attributes: MESSAGES }),
    };
    const { sets } = importAll(otlp, sourceOf(files, 'dump'));
    expect(sets['shop 2']?.map(({ scores, task }) => ({ scores, task }))).toEqual([
      {
        task: 'Cancel R1',
        scores: [
          { name: 'correct', value: 0.2, passed: true, explanation: 'It was cancelled.' },
          { name: 'tone', value: 0.75 },
          { name: 'safe', value: null, explanation: 'timeout' },
        ],
      },
    ]);
  });

  it('takes task, verdict and set from the attributes that the user names', () => {
    const spans = [{ id: 'chat', attributes: { ...MESSAGES, 'my.task': 'T7', 'my.ok': false } }];
    const options = { task: 'my.task', passed: 'my.ok', set: 'service.version' };
    const { sets } = importAll(otlp, sourceOf({ f: tracesText(...spans) }), options);
    expect(sets['2']).toMatchObject([{ task: 'T7', scores: [{ name: 'my.ok', value: false }] }]);
  });

  it('reads conventions of before: message events, counts of prompt and completion, numbered attributes', () => {
    const events = runOf([
      {
        id: 'chat',
        attributes: {
          'gen_ai.system': 'openai',
          'gen_ai.request.model': 'm',
          'gen_ai.usage.prompt_tokens': 3,
          'gen_ai.usage.completion_tokens': 2,
        },
        events: [
          { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
          { name: 'gen_ai.user.message', attributes: { content: 'Hi' } },
          { name: 'gen_ai.choice', attributes: { message: '{"content":"Hello"}', finish_reason: 'stop' } },
        ],
      },
    ]);
    const usage = { promptTokens: 3, completionTokens: 2 };
    const said = [
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }], model: 'm', usage, latencyMs: 10, finish: 'stop' },
    ];
    expect(events.messages).toEqual(said);
    const numbered = runOf([
      {
        id: 'chat',
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.request.model': 'm',
          'gen_ai.prompt.0.role': 'system',
          'gen_ai.prompt.0.content': 'Be brief.',
          'gen_ai.prompt.1.role': 'user',
          'gen_ai.prompt.1.content': 'Hi',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.content': 'Hello',
          'gen_ai.completion.0.finish_reason': 'stop',
          'gen_ai.usage.prompt_tokens': 3,
          'gen_ai.usage.completion_tokens': 2,
        },
      },
    ]);
    expect(numbered.messages).toEqual(said);
    const contents = runOf([
      {
        id: 'chat',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'm',
          'gen_ai.usage.prompt_tokens': 3,
          'gen_ai.usage.completion_tokens': 2,
        },
        events: [
          {
            name: 'gen_ai.content.prompt',
            attributes: {
              'gen_ai.prompt': '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]',
            },
          },
          {
            name: 'gen_ai.content.completion',
            attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Hello","finish_reason":"stop"}]' },
          },
        ],
      },
    ]);
    expect(contents.messages).toEqual(said);
  });

  it('reads OpenInference: messages, calls, results, documents, tokens, prices, evaluations', () => {
    const run = runOf([
      {
        id: 'root',
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'session.id': 's1',
          'trace.evaluations.0.evaluation.name': 'correct',
          'trace.evaluations.0.evaluation.label': 'incorrect',
          'trace.evaluations.0.evaluation.score': 0,
        },
      },
      {
        id: 'llm',
        parent: 'root',
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'm',
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.contents.0.message_content.type': 'text',
          'llm.input_messages.0.message.contents.0.message_content.text': 'Weather?',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"in":"Rome"}',
          'llm.token_count.prompt': 20,
          'llm.token_count.completion': 5,
          'llm.token_count.prompt_details.cache_read': 8,
          'llm.token_count.completion_details.reasoning': 2,
          'llm.cost.total': 0.25,
        },
      },
      {
        id: 'tool',
        parent: 'root',
        error: 'no such town',
        attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'weather', 'input.value': '{"in":"Rome"}' },
      },
      {
        id: 'documents',
        parent: 'root',
        attributes: {
          'openinference.span.kind': 'RETRIEVER',
          'retrieval.documents.0.document.id': 'd1',
          'retrieval.documents.0.document.content': 'Rome is in Italy.',
        },
      },
    ]);
    const usage = { promptTokens: 20, completionTokens: 5, cachedTokens: 8, reasoningTokens: 2 };
    const call = { kind: 'tool_call', id: 'c', name: 'weather', args: { in: 'Rome' } };
    expect(run).toMatchObject({
      task: 's1',
      scores: [{ name: 'correct', value: 0, passed: false }],
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] },
        { role: 'assistant', parts: [call], model: 'm', usage },
      ],
      calls: [{ name: 'weather', args: { in: 'Rome' }, problem: 'no such town' }],
      costs: [{ kind: 'model', name: 'm', usage, usd: 0.25 }],
      documents: [{ source: 'd1', text: 'Rome is in Italy.' }],
    });
  });

  it('counts tokens once where two conventions trace one call, and apart where a tool asks a model', () => {
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 1 };
    const llm = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 10, 'llm.token_count.completion': 1 };
    const run = runOf([
      { id: 'outer', attributes: llm },
      { id: 'inner', parent: 'outer', attributes: chat },
      { id: 'tool', parent: 'outer', attributes: TOOL },
      { id: 'other model', parent: 'tool', attributes: { ...chat, 'gen_ai.usage.input_tokens': 5 } },
    ]);
    expect(run.costs?.map(({ usage }) => usage?.promptTokens)).toEqual([10, 5]);
  });

  it('says that tokens are unknown where a model tells none, and takes those of its agent where no model does', () => {
    const silent = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
    const sum = { ...AGENT, 'gen_ai.usage.input_tokens': 9 };
    const [first] = RUN;
    const alone = runOf([
      { id: 'agent', attributes: sum },
      { id: 'one', parent: 'agent', attributes: silent },
    ]);
    expect(alone.costs).toEqual([{ kind: 'model', name: 'model', usage: { promptTokens: 9, completionTokens: 14 } }]);
    const mixed = runOf([...RUN.slice(0, 2), { id: 'one', parent: 'agent', from: 90, attributes: silent }]);
    expect(first).toBeDefined();
    expect(mixed.costs?.map(({ usage }) => usage)).toEqual([USAGE, { promptTokens: 130, completionTokens: 7 }]);
    expect(mixed.unsaid).toEqual({
      usage: 'span "agent" says 244 tokens, the spans below it come to 107, so calls are missing, which are counted',
    });
  });

  it('adds cached tokens to those of the prompt where a sender leaves them out', () => {
    const usageOf = (attributes: Readonly<Record<string, unknown>>) =>
      runOf([
        { id: 'c', attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.output_tokens': 5, ...attributes } },
      ]).costs?.[0]?.usage?.promptTokens;
    const cached = { 'gen_ai.usage.cache_read.input_tokens': 60 };
    expect(usageOf({ ...cached, 'gen_ai.usage.input_tokens': 100 })).toBe(100);
    expect(usageOf({ ...cached, 'gen_ai.usage.input_tokens': 10 })).toBe(70);
    expect(usageOf({ ...cached, 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.total_tokens': 165 })).toBe(160);
  });

  it('holds a run that nobody judged for unjudged, with the error of its first span where it has one', () => {
    const { 'test.case.result.status': _, ...unjudged } = AGENT;
    expect(runOf([{ id: 'agent', attributes: unjudged }])).toMatchObject({ scores: [] });
    expect(runOf([{ id: 'agent', attributes: unjudged, error: 'the server was down' }])).toMatchObject({
      scores: [],
      error: 'the server was down',
    });
    expect(runOf([{ id: 'agent', attributes: AGENT, error: 'it gave up' }])).toMatchObject({
      scores: [{ passed: true }],
      ending: { status: 'errored', reason: 'it gave up' },
    });
  });

  it('reads traces with missing parents, repeated ids, circles and clocks that go back, and says so', () => {
    const run = runOf([
      { id: 'lost', parent: 'nobody', from: 50, to: 20, attributes: MESSAGES },
      { id: 'a', parent: 'b', attributes: AGENT },
      { id: 'b', parent: 'a' },
      { id: 'a', parent: 'b', attributes: { 'test.case.name': 'less' } },
    ]);
    expect(run.task).toBe('cancel one');
    expect(run.unsaid).toEqual({
      messages:
        '1 of its spans stand there twice and differ; the one that tells more counts; 1 of its steps is named as part of one that is not there; 1 of its steps is named as part of itself',
      calls: '1 of its steps is named as part of one that is not there; 1 of its steps is named as part of itself',
      durationMs: '1 of its steps ends before it begins',
      order: 'its clock went back, so that nobody knows what came first',
    });
    expect(run.costs?.[0]?.usage).toEqual(USAGE);
  });

  it('reads what collectors and protobuf write: names in snake_case, ids as Base64, numbers as text', () => {
    const text = JSON.stringify({
      resource_spans: [
        {
          scope_spans: [
            {
              spans: [
                {
                  name: 'chat',
                  start_time_unix_nano: '1700000000000000000',
                  end_time_unix_nano: '1700000001000000000',
                  attributes: [
                    { key: 'gen_ai.request.model', value: { string_value: 'm' } },
                    { key: 'gen_ai.usage.input_tokens', value: { int_value: '12' } },
                    { key: 'gen_ai.usage.output_tokens', value: { int_value: 3 } },
                    { key: 'test.case.name', value: { string_value: 'T' } },
                  ],
                  trace_id: Buffer.from(traceId(), 'hex').toString('base64'),
                  span_id: 'q83vEjRWeJA=',
                },
              ],
            },
          ],
        },
      ],
    });
    const { sets } = importAll(otlp, sourceOf({ f: text }));
    const usage = { promptTokens: 12, completionTokens: 3 };
    expect(sets['']).toMatchObject([
      { id: traceId(), task: 'T', durationMs: 1000, costs: [{ kind: 'model', name: 'm', usage }] },
    ]);
  });

  it('costs a broken span itself, and leaves out what tells of no model, with a count and a place', () => {
    const good = JSON.stringify(otlpSpan({ id: 'agent', attributes: AGENT }));
    const other = JSON.stringify(otlpSpan({ trace: 'web', id: 'GET' }));
    const bad = good.replace('"kind":1', '"kind":x');
    const lines = [
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${bad},${good},{"name":"no trace"},${other}]}]}]}`,
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${good.slice(0, 100)}`,
      JSON.stringify(logsRequest([otlpRecord({ trace: 'gone', name: 'gen_ai.evaluation.result' })])),
    ];
    const { sets, broken, problems } = importAll(otlp, sourceOf({ f: lines.join('\n') }));
    expect(broken).toEqual([]);
    expect(sets['']).toMatchObject([
      {
        task: 'cancel one',
        unsaid: { calls: expect.stringMatching(/^\d of its steps (?:is|are) not readable: It is not JSON/) },
      },
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'A span has no trace id.',
      'The file ends in the middle of a value.',
      'Traces without a span of a model, a tool, an agent or a test are left out: 1.',
      'Log records of traces of which no span is here are left out: those of 1.',
    ]);
  });
});
