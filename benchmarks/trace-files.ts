import { closeSync, openSync, statSync, writeSync } from 'node:fs';

/** A tracing system whose records `writeTraces` writes. */
export type Tracer = 'otlp' | 'langsmith' | 'langfuse';

const TEXT = 'The order "A-17" was placed on Monday,\nand nobody has answered since then.\n'.repeat(6);
/** Calls of a model in a trace, each but the last followed by a call of a tool. */
const CALLS = 5;

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** What was said up to each call, its answer included: every call repeats what was said before it. */
const TURNS: readonly { readonly asked: readonly Message[]; readonly answered: Message }[] = Array.from(
  { length: CALLS },
  (_, call) => ({ asked: [{ role: 'user', content: TEXT }, ...saidBefore(call)], answered: answerOf(call) }),
);

function answerOf(call: number): Message {
  if (call === CALLS - 1) return { role: 'assistant', content: TEXT };
  const called = { name: 'look_up', arguments: `{"order":"A-${call}"}` };
  return { role: 'assistant', content: '', tool_calls: [{ id: `c${call}`, type: 'function', function: called }] };
}

function saidBefore(call: number): readonly Message[] {
  return Array.from({ length: call }, (_, at) => [
    answerOf(at),
    { role: 'tool', tool_call_id: `c${at}`, content: TEXT },
  ]).flat();
}

/** JSON Lines with so many traces of an agent that asks a model and calls a tool, four of each task; the bytes of the file. */
export function writeTraces(file: string, tracer: Tracer, traces: number): number {
  const descriptor = openSync(file, 'w');
  for (let at = 0; at < traces; at++) {
    for (const record of WRITERS[tracer](at)) writeSync(descriptor, `${JSON.stringify(record)}\n`);
  }
  closeSync(descriptor);
  return statSync(file).size;
}

function isPassed(trace: number): boolean {
  return (trace * 7919) % 10 < 6;
}

const WRITERS: Readonly<Record<Tracer, (trace: number) => readonly object[]>> = {
  otlp(trace) {
    const base = { traceId: hex(trace, 32), kind: 1 };
    const times = (at: number) => ({
      startTimeUnixNano: `17000000${String(at).padStart(2, '0')}000000000`,
      endTimeUnixNano: `17000000${String(at).padStart(2, '0')}500000000`,
    });
    const spans = TURNS.flatMap(({ asked, answered }, call) => [
      {
        ...base,
        spanId: hex(2 * call + 1, 16),
        parentSpanId: hex(99, 16),
        name: 'chat large',
        ...times(2 * call),
        attributes: attributes({
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'large',
          'gen_ai.input.messages': JSON.stringify(asked.map(genAiMessage)),
          'gen_ai.output.messages': JSON.stringify([genAiMessage(answered)]),
          'gen_ai.usage.input_tokens': 1000 + call,
          'gen_ai.usage.output_tokens': 100,
        }),
      },
      {
        ...base,
        spanId: hex(2 * call + 2, 16),
        parentSpanId: hex(99, 16),
        name: 'execute_tool look_up',
        ...times(2 * call + 1),
        attributes: attributes({
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'look_up',
          'gen_ai.tool.call.arguments': `{"order":"A-${call}"}`,
          'gen_ai.tool.call.result': TEXT,
        }),
      },
    ]);
    const root = {
      ...base,
      spanId: hex(99, 16),
      name: 'invoke_agent desk',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000020000000000',
      attributes: attributes({
        'gen_ai.operation.name': 'invoke_agent',
        'test.case.name': `task ${trace >> 2}`,
        'test.case.result.status': isPassed(trace) ? 'pass' : 'fail',
      }),
    };
    const resource = { attributes: attributes({ 'service.name': 'desk', 'service.version': '1.0.0' }) };
    return [{ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'desk' }, spans: [...spans, root] }] }] }];
  },
  langsmith(trace) {
    const base = { trace_id: uuid(trace, 0), session_id: 'project', error: null };
    const root = {
      ...base,
      id: uuid(trace, 0),
      parent_run_id: null,
      run_type: 'chain',
      name: 'agent',
      inputs: { question: TEXT },
      outputs: { answer: TEXT },
      start_time: time(0),
      end_time: time(20),
      reference_example_id: `example ${trace >> 2}`,
      feedback_stats: { correct: { n: 1, avg: isPassed(trace) ? 1 : 0, values: {} } },
    };
    const steps = TURNS.flatMap(({ asked, answered }, call) => [
      {
        ...base,
        id: uuid(trace, 2 * call + 1),
        parent_run_id: uuid(trace, 0),
        run_type: 'llm',
        name: 'ChatOpenAI',
        extra: { metadata: { ls_provider: 'openai', ls_model_name: 'large' } },
        inputs: { messages: asked },
        outputs: {
          choices: [{ message: answered, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1000 + call, completion_tokens: 100, total_tokens: 1100 + call },
        },
        start_time: time(2 * call),
        end_time: time(2 * call + 1),
      },
      {
        ...base,
        id: uuid(trace, 2 * call + 2),
        parent_run_id: uuid(trace, 0),
        run_type: 'tool',
        name: 'look_up',
        inputs: { input: `{"order":"A-${call}"}` },
        outputs: { output: { type: 'tool', content: TEXT, tool_call_id: `c${call}` } },
        start_time: time(2 * call + 1),
        end_time: time(2 * call + 2),
      },
    ]);
    return [root, ...steps];
  },
  langfuse(trace) {
    const id = `trace-${trace}`;
    const base = { traceId: id, level: 'DEFAULT', statusMessage: null, parentObservationId: `${id}-0` };
    const observations = TURNS.flatMap(({ asked, answered }, call) => [
      {
        ...base,
        id: `${id}-${2 * call + 1}`,
        type: 'GENERATION',
        name: 'chat',
        model: 'large',
        startTime: time(2 * call),
        endTime: time(2 * call + 1),
        input: asked,
        output: answered,
        usageDetails: { input: 1000 + call, output: 100, total: 1100 + call },
      },
      {
        ...base,
        id: `${id}-${2 * call + 2}`,
        type: 'TOOL',
        name: 'look_up',
        startTime: time(2 * call + 1),
        endTime: time(2 * call + 2),
        input: { order: `A-${call}` },
        output: TEXT,
      },
    ]);
    const agent = { ...base, id: `${id}-0`, type: 'AGENT', name: 'agent', parentObservationId: null };
    const scores = [{ id: `score-${trace}`, traceId: id, name: 'correct', value: isPassed(trace) ? 1 : 0 }];
    return [
      {
        id,
        timestamp: time(0),
        name: 'desk',
        input: TEXT,
        output: TEXT,
        sessionId: null,
        metadata: { task: `task ${trace >> 2}` },
        htmlPath: `/project/p/traces/${id}`,
        observations: [{ ...agent, startTime: time(0), endTime: time(20) }, ...observations],
        scores,
      },
    ];
  },
};

function hex(number: number, digits: number): string {
  return (number + 1).toString(16).padStart(digits, '0');
}

function uuid(trace: number, step: number): string {
  return `${hex(step, 8)}-0000-4000-8000-${hex(trace, 12)}`;
}

function time(second: number): string {
  return `2026-03-01T10:00:${String(second).padStart(2, '0')}.250000Z`;
}

function attributes(values: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

function genAiMessage({ role, content, tool_calls: calls = [], tool_call_id: id }: Message): object {
  if (id !== undefined) return { role, parts: [{ type: 'tool_call_response', id, response: content }] };
  const asks = calls.map((call) => ({ ...call, type: 'tool_call', name: 'look_up', arguments: {} }));
  return { role, parts: [...(content === '' ? [] : [{ type: 'text', content }]), ...asks] };
}
