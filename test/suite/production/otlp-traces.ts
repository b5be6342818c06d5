import type { Json } from '../../../src/types/json.ts';

/** A trace of an agent that pays an order back, as OpenTelemetry has it in JSON. */
export interface ATrace {
  readonly id: string;
  readonly order: string;
  readonly mail: string;
  readonly says?: string;
  readonly consent?: boolean;
  readonly result?: string;
  /** True: its tool is called with the order alone. */
  readonly plain?: true;
  /** What a span of it has different. */
  readonly change?: 'no answer' | 'clock goes back';
}

/** Traces in OTLP/JSON, a request on each line. */
export function otlpTraces(traces: readonly ATrace[]): string {
  return traces.map((trace) => `${JSON.stringify(requestOf(trace))}\n`).join('');
}

function requestOf({ id, order, mail, says = 'Done.', consent = true, result = 'pass', plain, change }: ATrace) {
  const blob = Buffer.from(`mail ${mail} now`).toString('base64');
  const args = plain === true ? { order } : { order, email: mail, pin: 1234, note: null, blob };
  const ask = message('user', { type: 'text', content: `Refund ${order}, I am ${mail}, card 4111 1111 1111 1111.` });
  const call = message('assistant', { type: 'tool_call', id: 'c1', name: 'refund', arguments: args });
  const answer = { ok: true, [mail]: 'told' };
  const told = message('tool', { type: 'tool_call_response', id: 'c1', response: answer });
  const last = message('assistant', { type: 'text', content: `${says} ${mail} was told.` });
  const chat = (asked: readonly Json[], said: Json, at: number) =>
    span(id, {
      at,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': JSON.stringify(asked),
        'gen_ai.output.messages': JSON.stringify([said]),
      },
    });
  const spans = [
    span(id, {
      at: 0,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'app.consent': consent,
        'test.case.result.status': result,
      },
    }),
    chat([ask], call, 1),
    span(id, {
      at: 2,
      back: change === 'clock goes back',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'refund',
        'gen_ai.tool.call.arguments': JSON.stringify(args),
        'gen_ai.tool.call.result': JSON.stringify(answer),
      },
    }),
    ...(change === 'no answer' ? [] : [chat([ask, call, told], last, 3)]),
  ];
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] };
}

function message(role: string, part: Json): Json {
  return { role, parts: [part] };
}

const BEGIN = 1_700_000_000;

function span(
  traceId: string,
  { at, attributes, back = false }: { at: number; attributes: Record<string, string | boolean>; back?: boolean },
) {
  return {
    traceId,
    spanId: `000000000000000${at + 1}`,
    ...(at > 0 && { parentSpanId: '0000000000000001' }),
    name: 'step',
    startTimeUnixNano: `${BEGIN + at}000000000`,
    endTimeUnixNano: `${BEGIN + (at === 0 ? 9 : back ? at - 1 : at + 1)}000000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value },
    })),
  };
}

/** An id of a trace. */
export function traceId(number: number): string {
  return (number + 1).toString(16).padStart(32, '0');
}

export const CONSENT = `[consent]
policy = "support-2026"
basis = "contract"
at = "2026-05-01"
attribute = "app.consent"
`;
