import type { ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import { asAnswer, shownMessages, unwrapped } from '../messages/any-messages.ts';
import { momentOf } from '../spans/moment.ts';
import type { Span, SpanKind } from '../spans/span.ts';
import { langfuseUsage } from './langfuse-usage.ts';

const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ['GENERATION', 'model'],
  ['EMBEDDING', 'embedding'],
  ['TOOL', 'tool'],
  ['RETRIEVER', 'retrieval'],
  ['AGENT', 'agent'],
  ['EVALUATOR', 'judge'],
]);

/** An observation of Langfuse as a step of its trace. */
export function observationSpan(observation: JsonObject, history: MessageHistory): Span {
  const kind = KINDS.get(textAt(observation, 'type') ?? '') ?? 'step';
  const isModel = kind === 'model';
  const isCall = isModel || kind === 'embedding';
  const isTool = kind === 'tool';
  const isError = textAt(observation, 'level') === 'ERROR';
  const input = unwrapped(fieldAt(observation, 'input'));
  const output = unwrapped(fieldAt(observation, 'output'));
  return {
    id: textAt(observation, 'id') ?? '',
    parent: textAt(observation, 'parentObservationId'),
    kind,
    name: textAt(observation, 'name') ?? kind,
    begin: momentOf(observation['startTime']),
    end: momentOf(observation['endTime']),
    error: isError ? (textAt(observation, 'statusMessage') ?? 'Its level is ERROR.') : null,
    model: isCall ? (textAt(observation, 'model') ?? undefined) : undefined,
    usage: isCall ? (usageOf(observation, kind) ?? undefined) : undefined,
    usd: isCall ? (priceOf(observation) ?? undefined) : undefined,
    asked: isModel ? shownMessages(input, 'user', history) : undefined,
    answered: isModel ? asAnswer(shownMessages(output, 'assistant')) : undefined,
    args: isTool ? ((input ?? {}) as Json) : undefined,
    result: isTool ? ((output ?? undefined) as Json | undefined) : undefined,
    documents: kind === 'retrieval' ? documentsIn(output) : undefined,
  };
}

/** Adds 0 tokens of output to calls that have none, such as embeddings. */
function usageOf(observation: JsonObject, kind: SpanKind): ImportedUsage | null {
  const { promptTokens = null, completionTokens = null, totalTokens = null } = observation;
  const usage =
    langfuseUsage(observation['usageDetails']) ??
    langfuseUsage(observation['usage']) ??
    // Older servers write 0 where they counted nothing.
    (promptTokens || completionTokens ? langfuseUsage({ promptTokens, completionTokens, totalTokens }) : null);
  const isInputOnly = usage?.promptTokens !== undefined && usage.completionTokens === undefined;
  return isInputOnly && kind === 'embedding' ? { ...usage, completionTokens: 0 } : usage;
}

/** Dollars: the total, else all kinds of cost together. Servers write a total of 0 where they know no price. */
function priceOf(observation: JsonObject): number | null {
  const details = observation['costDetails'];
  const all = isRecord(details) ? Object.values(details).filter((one) => typeof one === 'number') : [];
  const total = numberAt(details, 'total') ?? (all.length > 0 ? all.reduce((sum, one) => sum + one, 0) : null);
  if (total !== null) return total >= 0 ? total : null;
  const calculated = numberAt(observation, 'calculatedTotalCost') ?? numberAt(observation, 'usage', 'totalCost');
  return calculated !== null && calculated > 0 ? calculated : null;
}

function documentsIn(output: unknown): NonNullable<Span['documents']> {
  const list = Array.isArray(output) ? (output as readonly unknown[]) : listAt(output, 'documents');
  return list.flatMap((document) => {
    const fields = fieldAt(document, 'kwargs') ?? document;
    const text =
      typeof document === 'string'
        ? document
        : (textAt(fields, 'page_content') ?? textAt(fields, 'pageContent') ?? textAt(fields, 'text'));
    return text === null ? [] : [{ source: textAt(fields, 'metadata', 'source'), text }];
  });
}
