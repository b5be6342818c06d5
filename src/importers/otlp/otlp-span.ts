import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { jsonOr } from '../chat-messages.ts';
import { unwrapped } from '../messages/any-messages.ts';
import type { Span } from '../spans/span.ts';
import { nestedAt } from './flat-attributes.ts';
import { firstText, firstValue, kindOf, modelOf, priceOf, unitsOf, usageOf } from './span-facts.ts';
import { messagesOf } from './span-messages.ts';
import type { SentSpan } from './trace-spans.ts';

/** A span of OpenTelemetry as a step of its trace, with what it was sent with. */
export interface OtlpSpan extends Span, SentSpan {}

type GrowingSpan = { -readonly [Key in keyof OtlpSpan]: OtlpSpan[Key] };

// Fields are set one by one: traces have millions of spans, and copying each of them costs as much as reading it.
export function otlpSpan(sent: SentSpan): OtlpSpan {
  const { attributes } = sent;
  const kind = kindOf(attributes);
  const span: GrowingSpan = { ...sent, kind };
  const usage = usageOf(attributes, kind);
  if (usage !== null) span.usage = usage;
  const usd = priceOf(attributes);
  if (usd !== null) span.usd = usd;
  const model = modelOf(attributes);
  if (model !== '') span.model = model;
  if (kind === 'model') {
    const { input, output } = messagesOf(sent);
    span.asked = input;
    span.answered = output;
    const units = unitsOf(attributes);
    if (units !== null) span.units = units;
  }
  if (kind === 'tool' || kind === 'agent') {
    const name = firstText(attributes, NAMES);
    if (name !== '') span.calledAs = name;
  }
  if (kind === 'tool') {
    const args = firstValue(attributes, ARGUMENTS);
    if (args !== undefined) span.args = writtenValue(args);
    const result = firstValue(attributes, RESULTS);
    if (result !== undefined) span.result = writtenValue(result);
  }
  if (kind === 'retrieval') span.documents = documentsOf(attributes);
  return span;
}

const NAMES = ['gen_ai.tool.name', 'tool.name', 'gen_ai.agent.name', 'agent.name', 'traceloop.entity.name'];

const ARGUMENTS = ['gen_ai.tool.call.arguments', 'tool.parameters', 'traceloop.entity.input', 'input.value'];
const RESULTS = ['gen_ai.tool.call.result', 'traceloop.entity.output', 'output.value'];

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
