import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { jsonOr } from '../chat-messages.ts';
import { unwrapped } from '../messages/any-messages.ts';
import type { Span, SpanKind } from '../spans/span.ts';
import { nestedAt } from './flat-attributes.ts';
import { firstText, firstValue, kindOf, modelOf, priceOf, unitsOf, usageOf } from './span-facts.ts';
import { messagesOf } from './span-messages.ts';
import type { SentSpan } from './trace-spans.ts';

/** A span of OpenTelemetry as a step of its trace, with what it was sent with. */
export interface OtlpSpan extends Span, SentSpan {}

export function otlpSpan(sent: SentSpan): OtlpSpan {
  const { attributes } = sent;
  const kind = kindOf(attributes);
  const usage = usageOf(attributes, kind);
  const usd = priceOf(attributes);
  const model = modelOf(attributes);
  return {
    ...sent,
    kind,
    ...(model !== '' && { model }),
    ...(usage !== null && { usage }),
    ...(usd !== null && { usd }),
    ...factsOf(sent, kind),
  };
}

function factsOf(sent: SentSpan, kind: SpanKind): Partial<Span> {
  const { attributes } = sent;
  if (kind === 'model') {
    const { input, output } = messagesOf(sent);
    const units = unitsOf(attributes);
    return { asked: input, answered: output, ...(units !== null && { units }) };
  }
  if (kind === 'tool') return { ...calledAs(attributes), ...toolFacts(attributes) };
  if (kind === 'agent') return calledAs(attributes);
  return kind === 'retrieval' ? { documents: documentsOf(attributes) } : {};
}

const NAMES = ['gen_ai.tool.name', 'tool.name', 'gen_ai.agent.name', 'agent.name', 'traceloop.entity.name'];

function calledAs(attributes: JsonObject): Pick<Span, 'calledAs'> {
  const name = firstText(attributes, NAMES);
  return name === '' ? {} : { calledAs: name };
}

const ARGUMENTS = ['gen_ai.tool.call.arguments', 'tool.parameters', 'traceloop.entity.input', 'input.value'];
const RESULTS = ['gen_ai.tool.call.result', 'traceloop.entity.output', 'output.value'];

function toolFacts(attributes: JsonObject): Pick<Span, 'args' | 'result'> {
  const args = firstValue(attributes, ARGUMENTS);
  const result = firstValue(attributes, RESULTS);
  return {
    ...(args !== undefined && { args: writtenValue(args) }),
    ...(result !== undefined && { result: writtenValue(result) }),
  };
}

function writtenValue(value: Json): Json {
  return typeof value === 'string' ? jsonOr(value) : value;
}

function documentsOf(attributes: JsonObject): NonNullable<Span['documents']> {
  const list = nestedAt(attributes, 'retrieval.documents') ?? unwrapped(attributes['gen_ai.retrieval.documents']);
  return listAt({ list }, 'list').flatMap((one) => {
    const document = fieldAt(one, 'document') ?? one;
    const text = textAt(document, 'content') ?? textAt(document, 'text');
    return text === null ? [] : [{ source: textAt(document, 'id') ?? textAt(document, 'source'), text }];
  });
}
