import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { jsonOr } from '../chat-messages.ts';
import { unwrapped } from '../messages/any-messages.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import type { Span } from '../spans/span.ts';
import { nestedAt } from './flat-attributes.ts';
import { firstText, firstValue, kindOf, modelOf, priceOf, unitsOf, usageOf } from './span-facts.ts';
import { messagesOf } from './span-messages.ts';
import type { SentSpan } from './trace-spans.ts';

/** A span of OpenTelemetry as a step of its trace, with what it was sent with. */
export interface OtlpSpan extends Span, SentSpan {}

export function otlpSpan(sent: SentSpan, history: MessageHistory): OtlpSpan {
  const { attributes } = sent;
  const kind = kindOf(attributes);
  const isModel = kind === 'model';
  const isTool = kind === 'tool';
  const said = isModel ? messagesOf(sent, history) : null;
  return {
    id: sent.id,
    parent: sent.parent,
    kind,
    name: sent.name,
    calledAs: isTool || kind === 'agent' ? firstText(attributes, NAMES) || undefined : undefined,
    begin: sent.begin,
    end: sent.end,
    error: sent.error,
    model: modelOf(attributes) || undefined,
    usage: usageOf(attributes, kind) ?? undefined,
    usd: priceOf(attributes) ?? undefined,
    units: isModel ? (unitsOf(attributes) ?? undefined) : undefined,
    asked: said?.input,
    answered: said?.output,
    args: isTool ? writtenValue(firstValue(attributes, ARGUMENTS)) : undefined,
    result: isTool ? writtenValue(firstValue(attributes, RESULTS)) : undefined,
    documents: kind === 'retrieval' ? documentsOf(attributes) : undefined,
    attributes,
    events: sent.events,
  };
}

const NAMES = ['gen_ai.tool.name', 'tool.name', 'gen_ai.agent.name', 'agent.name', 'traceloop.entity.name'];

const ARGUMENTS = ['gen_ai.tool.call.arguments', 'tool.parameters', 'traceloop.entity.input', 'input.value'];
const RESULTS = ['gen_ai.tool.call.result', 'traceloop.entity.output', 'output.value'];

function writtenValue(value: Json | undefined): Json | undefined {
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
