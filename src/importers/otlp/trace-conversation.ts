import type { ImportedCall, ImportedMessage, ImportedRun } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { jsonText } from '../../values/json-text.ts';
import { jsonOr } from '../chat-messages.ts';
import { nestedAt } from './flat-attributes.ts';
import { firstValue, modelOf } from './span-facts.ts';
import { messagesOf, parsed, type SpanMessages } from './span-messages.ts';
import { nameOf, type Surroundings } from './span-surroundings.ts';
import type { TraceSpan } from './trace-spans.ts';

type All = ReadonlyMap<TraceSpan, Surroundings>;

/** What was said and done in a trace. */
export function conversationOf(all: All): Pick<ImportedRun, 'messages' | 'calls' | 'documents' | 'unsaid'> {
  const messages = namedResults(saidIn(all));
  const shown = messages.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'tool_call')).length;
  const calls = callsIn(all);
  const documents = documentsIn(all);
  return {
    ...(messages.length > 0 && { messages }),
    // Where fewer are traced than were asked for, the messages tell more.
    ...(calls.length > 0 && calls.length >= shown && { calls }),
    ...(documents.length > 0 && { documents }),
    ...(messages.length === 0 && { unsaid: { messages: 'its spans keep nothing of what was said' } }),
  };
}

/** What the outermost agent and its models said; where these keep nothing, what others did. */
function saidIn(all: All): readonly ImportedMessage[] {
  const models = [...all].filter(([, { kind, judges }]) => kind === 'model' && !judges);
  const near = models.filter(([, { agentsAbove, isBelowTool }]) => agentsAbove < 2 && !isBelowTool);
  for (const some of near.length === models.length ? [models] : [near, models]) {
    const messages = toldBy(some);
    if (messages.length > 0) return messages;
  }
  for (const [span, { judges }] of all) {
    if (span.parent !== null || judges) continue;
    const { input, output } = messagesOf(span);
    if (input.length + output.length > 0) return [...input, ...output];
  }
  return [];
}

/**
 * The conversation that model calls tell, each of which repeats what was said before it: a message is told as often as it
 * stands in one call.
 */
function toldBy(models: readonly (readonly [TraceSpan, Surroundings])[]): readonly ImportedMessage[] {
  const told: ImportedMessage[] = [];
  const often = new Map<string, number>();
  const speaking = new Set<TraceSpan>();
  const tell = (message: ImportedMessage, key = keyOf(message)): void => {
    told.push(message);
    often.set(key, (often.get(key) ?? 0) + 1);
  };
  for (const [span, { outerModel, usage }] of [...models].sort(
    ([one], [other]) => (one.start ?? 0) - (other.start ?? 0),
  )) {
    // One call that two programs trace.
    if (outerModel !== null && speaking.has(outerModel)) {
      speaking.add(span);
      continue;
    }
    const { input, output } = messagesOf(span);
    if (input.length + output.length > 0) speaking.add(span);
    const here = new Map<string, number>();
    for (const message of input) {
      const key = keyOf(message);
      const count = (here.get(key) ?? 0) + 1;
      here.set(key, count);
      if (count > (often.get(key) ?? 0)) tell(message, key);
    }
    for (const message of answersOf(span, usage, output)) tell(message);
  }
  return told;
}

/** Messages of an answer; the last one has what is known of the answer as a whole. */
function answersOf(
  span: TraceSpan,
  usage: Surroundings['usage'],
  output: SpanMessages['output'],
): readonly ImportedMessage[] {
  const model = modelOf(span);
  const latencyMs = durationOf(span);
  return output.map((message, at) => {
    if (at < output.length - 1 || message.role !== 'assistant') return message;
    return {
      ...message,
      ...(model !== '' && { model }),
      ...(usage !== null && { usage }),
      ...(latencyMs !== null && { latencyMs }),
      ...(span.error !== null && { problem: span.error }),
    };
  });
}

/** Milliseconds; null: not told, or it ended before it began. */
export function durationOf({ start, end }: TraceSpan): number | null {
  return start === null || end === null || end < start ? null : microseconds(end - start);
}

/** Times since 1970 are no more exact than that. */
export function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** What makes a message the same when it is told again. */
function keyOf({ role, parts }: ImportedMessage): string {
  const said = parts.flatMap((part) => {
    if (part.kind === 'reasoning') return [];
    return [part.kind === 'tool_result' ? { ...part, name: '' } : part];
  });
  return jsonText([role, said as unknown as Json]);
}

/** Results know the id of their call, and not always its name. */
function namedResults(messages: readonly ImportedMessage[]): readonly ImportedMessage[] {
  const names = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.kind === 'tool_call') names.set(part.id, part.name);
  }
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.kind !== 'tool_result' || part.name !== '') return part;
      return { ...part, name: names.get(part.id) ?? '' };
    }),
  }));
}

const ARGUMENTS = ['gen_ai.tool.call.arguments', 'tool.parameters', 'traceloop.entity.input', 'input.value'];
const RESULTS = ['gen_ai.tool.call.result', 'traceloop.entity.output', 'output.value'];

function callsIn(all: All): readonly ImportedCall[] {
  return [...all].flatMap(([span, { kind, judges, subagent }]): readonly ImportedCall[] => {
    if (kind !== 'tool' || judges) return [];
    const { parent, attributes, error } = span;
    // One call that two programs trace.
    if (parent !== null && all.get(parent)?.kind === 'tool' && nameOf(parent) === nameOf(span)) return [];
    const args = firstValue(attributes, ARGUMENTS);
    const result = firstValue(attributes, RESULTS);
    return [
      {
        name: nameOf(span),
        ...(subagent !== '' && { by: subagent }),
        args: args === undefined ? null : writtenValue(args),
        ...(result !== undefined && { result: writtenValue(result) }),
        ...(error !== null && { problem: error }),
      },
    ];
  });
}

function writtenValue(value: Json): Json {
  return typeof value === 'string' ? jsonOr(value) : value;
}

function documentsIn(all: All): NonNullable<ImportedRun['documents']> {
  return [...all].flatMap(([{ attributes }, { kind, judges }]) =>
    kind === 'retrieval' && !judges ? documentsOf(attributes) : [],
  );
}

function documentsOf(attributes: JsonObject): NonNullable<ImportedRun['documents']> {
  const nested = nestedAt(attributes, 'retrieval.documents');
  const list = nested ?? parsed(fieldAt(attributes, 'gen_ai.retrieval.documents'));
  return listAt({ list }, 'list').flatMap((one) => {
    const document = fieldAt(one, 'document') ?? one;
    const text = textAt(document, 'content') ?? textAt(document, 'text');
    return text === null ? [] : [{ source: textAt(document, 'id') ?? textAt(document, 'source'), text }];
  });
}
