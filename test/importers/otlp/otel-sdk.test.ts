import { describe, expect, test } from 'vitest';
import { otlp } from '../../../src/importers/otlp/otlp.ts';
import { importAll, sourceOf } from '../import-all.ts';
import { otelPackage, skipsOtel, startReceiver, type Untyped } from './an-otel.ts';

interface Sdk {
  readonly tracer: Untyped;
  readonly logger: Untyped;
  /** Runs with this span as the parent of new ones. */
  within<T>(span: Untyped, run: (context: Untyped) => T): T;
}

/** What the real exporters send while a program is traced: bodies as a collector's file exporter would write them. */
async function exported(program: (sdk: Sdk) => void): Promise<Readonly<Record<string, string>>> {
  const receiver = await startReceiver();
  const { trace, context } = otelPackage('@opentelemetry/api');
  const { BasicTracerProvider, BatchSpanProcessor } = otelPackage('@opentelemetry/sdk-trace-base');
  const { LoggerProvider, SimpleLogRecordProcessor } = otelPackage('@opentelemetry/sdk-logs');
  const { OTLPTraceExporter } = otelPackage('@opentelemetry/exporter-trace-otlp-http');
  const { OTLPLogExporter } = otelPackage('@opentelemetry/exporter-logs-otlp-http');
  const { resourceFromAttributes } = otelPackage('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.0' });
  const spans = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }));
  const logExporter = new OTLPLogExporter({ url: `${receiver.url}/v1/logs` });
  const tracers = new BasicTracerProvider({ resource, spanProcessors: [spans] });
  const loggers = new LoggerProvider({
    resource,
    processors: [new SimpleLogRecordProcessor({ exporter: logExporter })],
  });
  try {
    program({
      tracer: tracers.getTracer('test'),
      logger: loggers.getLogger('test'),
      within: (span, run) => run(trace.setSpan(context.active(), span)),
    });
  } finally {
    await Promise.all([tracers.shutdown(), loggers.shutdown()]);
    await receiver.close();
  }
  const bodiesOf = (path: string): string =>
    receiver.received.flatMap((one) => (one.path === path ? [one.body] : [])).join('\n');
  return { 'logs.jsonl': bodiesOf('/v1/logs'), 'traces.jsonl': bodiesOf('/v1/traces') };
}

describe.skipIf(skipsOtel)("spans of OpenTelemetry's own SDK, sent by its exporters", () => {
  test('with GenAI conventions are runs with tasks, calls, tokens and the verdicts of log records', async () => {
    const files = await exported(({ tracer, logger, within }) => {
      for (const [trial, label] of ['pass', 'fail', 'pass'].entries()) {
        const agent = tracer.startSpan('invoke_agent desk', {
          attributes: {
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.agent.name': 'desk',
            'test.case.name': 'cancel one',
            'gen_ai.usage.input_tokens': 40 + trial,
            'gen_ai.usage.output_tokens': 5,
          },
        });
        within(agent, (inside) => {
          const chat = tracer.startSpan(
            'chat large',
            {
              attributes: {
                'gen_ai.operation.name': 'chat',
                'gen_ai.request.model': 'large',
                'gen_ai.input.messages': JSON.stringify([
                  { role: 'user', parts: [{ type: 'text', content: 'Cancel “R1”, s’il vous plaît' }] },
                ]),
                'gen_ai.output.messages': JSON.stringify([
                  { role: 'assistant', parts: [{ type: 'text', content: 'Done.' }], finish_reason: 'stop' },
                ]),
                'gen_ai.response.finish_reasons': ['stop'],
                'gen_ai.usage.input_tokens': 40 + trial,
                'gen_ai.usage.output_tokens': 5,
              },
            },
            inside,
          );
          chat.end();
          tracer
            .startSpan(
              'execute_tool cancel',
              {
                attributes: {
                  'gen_ai.operation.name': 'execute_tool',
                  'gen_ai.tool.name': 'cancel',
                  'gen_ai.tool.call.arguments': '{"id":"R1"}',
                  'gen_ai.tool.call.result': '{"done":true}',
                },
              },
              inside,
            )
            .end();
          logger.emit({
            eventName: 'gen_ai.evaluation.result',
            attributes: {
              'gen_ai.evaluation.name': 'cancelled',
              'gen_ai.evaluation.score.value': label === 'pass' ? 1 : 0,
              'gen_ai.evaluation.score.label': label,
            },
            context: inside,
          });
        });
        agent.end();
      }
    });
    expect(otlp.detects(sourceOf({ f: files['logs.jsonl'] ?? '' }), {})).toBe(true);
    const { sets, broken, problems } = importAll(otlp, sourceOf(files, 'dump'));
    expect([Object.keys(sets), broken, problems]).toEqual([['shop 1.2.0'], [], []]);
    const runs = sets['shop 1.2.0'] ?? [];
    expect(runs.map(({ task, scores }) => [task, scores[0]?.passed])).toEqual([
      ['cancel one', true],
      ['cancel one', false],
      ['cancel one', true],
    ]);
    expect(runs[1]).toMatchObject({
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Cancel “R1”, s’il vous plaît' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }], finish: 'stop' },
      ],
      calls: [{ name: 'cancel', args: { id: 'R1' }, result: { done: true } }],
      costs: [{ kind: 'model', name: 'large', usage: { promptTokens: 41, completionTokens: 5 } }],
      durationMs: expect.any(Number),
      unsaid: {},
    });
  });

  test('with the names of the OpenInference package are runs as Phoenix has them', async () => {
    const { SemanticConventions: names, OpenInferenceSpanKind: kinds } = otelPackage(
      '@arizeai/openinference-semantic-conventions',
    );
    const message = (list: string, at: number, field: string): string => `${list}.${at}.${field}`;
    const files = await exported(({ tracer, within }) => {
      const root = tracer.startSpan('desk', {
        attributes: {
          [names.OPENINFERENCE_SPAN_KIND]: kinds.AGENT,
          [names.SESSION_ID]: 'session 7',
          [`${names.TRACE_EVALUATIONS}.0.${names.EVALUATION_NAME}`]: 'correct',
          [`${names.TRACE_EVALUATIONS}.0.${names.EVALUATION_SCORE}`]: 1,
        },
      });
      within(root, (inside) => {
        tracer
          .startSpan(
            'ChatCompletion',
            {
              attributes: {
                [names.OPENINFERENCE_SPAN_KIND]: kinds.LLM,
                [names.LLM_MODEL_NAME]: 'large',
                [message(names.LLM_INPUT_MESSAGES, 0, names.MESSAGE_ROLE)]: 'user',
                [message(names.LLM_INPUT_MESSAGES, 0, names.MESSAGE_CONTENT)]: 'Hi',
                [message(names.LLM_OUTPUT_MESSAGES, 0, names.MESSAGE_ROLE)]: 'assistant',
                [message(names.LLM_OUTPUT_MESSAGES, 0, names.MESSAGE_CONTENT)]: 'Hello',
                [names.LLM_TOKEN_COUNT_PROMPT]: 12,
                [names.LLM_TOKEN_COUNT_COMPLETION]: 3,
                [names.LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ]: 8,
                [names.LLM_COST_TOTAL]: 0.5,
              },
            },
            inside,
          )
          .end();
        tracer
          .startSpan(
            'look_up',
            {
              attributes: {
                [names.OPENINFERENCE_SPAN_KIND]: kinds.TOOL,
                [names.TOOL_NAME]: 'look_up',
                [names.INPUT_VALUE]: '{"id":1}',
                [names.OUTPUT_VALUE]: 'found',
              },
            },
            inside,
          )
          .end();
      });
      root.end();
    });
    const { sets, problems } = importAll(otlp, sourceOf({ f: files['traces.jsonl'] ?? '' }));
    expect(problems).toEqual([]);
    expect(sets['shop 1.2.0']).toMatchObject([
      {
        task: 'session 7',
        scores: [{ name: 'correct', value: 1 }],
        messages: [
          { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
          { role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }] },
        ],
        calls: [{ name: 'look_up', args: { id: 1 }, result: 'found' }],
        costs: [{ name: 'large', usage: { promptTokens: 12, completionTokens: 3, cachedTokens: 8 }, usd: 0.5 }],
      },
    ]);
  });
});
