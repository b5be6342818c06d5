import type { ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { numberIn } from '../verdict-words.ts';
import { asAnswer, shownMessages, unwrapped } from '../messages/any-messages.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import { firstUsage, providerUsage } from '../messages/token-usage.ts';
import { momentOf } from '../spans/moment.ts';
import type { RunTotals } from '../spans/span-costs.ts';
import type { Span, SpanKind } from '../spans/span.ts';

const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ['llm', 'model'],
  ['embedding', 'embedding'],
  ['tool', 'tool'],
  ['retriever', 'retrieval'],
]);

/** A run of LangSmith as a step of its trace. */
export function runSpan(run: JsonObject, history: MessageHistory): Span {
  const kind = KINDS.get((textAt(run, 'run_type') ?? '').toLowerCase()) ?? 'step';
  const isModel = kind === 'model';
  const isCall = isModel || kind === 'embedding';
  const tool = kind === 'tool' ? toolFacts(run) : undefined;
  return {
    id: textAt(run, 'id') ?? '',
    parent: parentOf(run),
    kind,
    name: textAt(run, 'name') ?? kind,
    begin: momentOf(run['start_time']),
    end: momentOf(run['end_time']),
    error: textAt(run, 'error') || null,
    model: isCall ? (modelOf(run) ?? undefined) : undefined,
    usage: isCall ? (usageOf(run, kind) ?? undefined) : undefined,
    usd: isCall ? (priceOf(run['total_cost']) ?? undefined) : undefined,
    asked: isModel ? shownMessages(fieldAt(run, 'inputs'), 'user', history) : undefined,
    answered: isModel ? asAnswer(shownMessages(fieldAt(run, 'outputs'), 'assistant')) : undefined,
    args: tool?.args,
    result: tool?.result,
    documents: kind === 'retrieval' ? documentsIn(fieldAt(run, 'outputs')) : undefined,
  };
}

/** The parent of a run; null: it is a root. The last of `parent_run_ids` is the nearest. */
export function parentOf(run: JsonObject): string | null {
  const ids = listAt(run, 'parent_run_ids');
  const last = ids.at(-1);
  return textAt(run, 'parent_run_id') ?? (typeof last === 'string' ? last : null);
}

function modelOf(run: JsonObject): string | null {
  const metadata = fieldAt(run, 'extra', 'metadata') ?? run['metadata'];
  const asked = fieldAt(run, 'extra', 'invocation_params');
  return (
    textAt(metadata, 'ls_model_name') ??
    textAt(asked, 'model') ??
    textAt(asked, 'model_name') ??
    textAt(run, 'outputs', 'model') ??
    textAt(run, 'inputs', 'model')
  );
}

/**
 * Tokens from the model's client, else LangSmith's counts, which may be estimates. Both count cached tokens as input. Calls
 * without output, such as embeddings, have 0 tokens of output.
 */
function usageOf(run: JsonObject, kind: SpanKind): ImportedUsage | null {
  const outputs = fieldAt(run, 'outputs');
  const generation = fieldAt(outputs, 'generations', 0, 0) ?? fieldAt(outputs, 'generations', 0);
  const message = fieldAt(generation, 'message', 'kwargs') ?? fieldAt(generation, 'message');
  const usage = firstUsage(
    fieldAt(outputs, 'usage_metadata'),
    fieldAt(message, 'usage_metadata'),
    fieldAt(outputs, 'message', 'usage_metadata'),
    fieldAt(run, 'extra', 'metadata', 'usage_metadata') ?? fieldAt(run, 'metadata', 'usage_metadata'),
    fieldAt(outputs, 'llm_output', 'token_usage') ?? fieldAt(outputs, 'llmOutput', 'tokenUsage'),
    fieldAt(outputs, 'usage'),
    countedUsage(run),
  );
  const isInputOnly = usage?.promptTokens !== undefined && usage.completionTokens === undefined;
  return isInputOnly && kind === 'embedding' ? { ...usage, completionTokens: 0 } : usage;
}

/** LangSmith writes 0 for runs without tokens of their own, so 0 counts as missing. */
function countedUsage(run: JsonObject): JsonObject | null {
  const { prompt_tokens = null, completion_tokens = null, total_tokens = null } = run;
  if (!prompt_tokens && !completion_tokens && !total_tokens) return null;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    prompt_tokens_details: detailsOf(run['prompt_token_details']),
    completion_tokens_details: detailsOf(run['completion_token_details']),
  };
}

/** The newer API has the details under `raw`. */
function detailsOf(details: unknown): Json {
  const {
    cache_read = null,
    cache_creation = null,
    reasoning = null,
  } = (fieldAt(details, 'raw') ?? details ?? {}) as JsonObject;
  return { cached_tokens: cache_read, cache_creation, reasoning_tokens: reasoning };
}

/** The totals that the root run has of all runs below it. */
export function totalsOf(root: JsonObject | undefined): RunTotals {
  if (root === undefined) return {};
  const usage = providerUsage(countedUsage(root));
  const usd = priceOf(root['total_cost']);
  return { ...(usage !== null && { usage }), ...(usd !== null && usd > 0 && { usd }) };
}

/** Dollars, which the API writes as decimal texts. */
function priceOf(value: unknown): number | null {
  const usd = typeof value === 'boolean' ? null : numberIn(value);
  return usd !== null && usd >= 0 ? usd : null;
}

/** The arguments and the result of a tool. LangChain writes the arguments as one text and the result as a message. */
function toolFacts(run: JsonObject): Pick<Span, 'args' | 'result'> {
  const inputs = fieldAt(run, 'inputs');
  const args = Object.keys(inputs ?? {}).length === 1 ? (fieldAt(inputs, 'input') ?? inputs) : inputs;
  const outputs = fieldAt(run, 'outputs');
  const held = fieldAt(outputs, 'output') ?? fieldAt(outputs, 'outputs') ?? outputs;
  const content =
    fieldAt(held, 'kwargs', 'content') ?? (textAt(held, 'type') === 'tool' ? fieldAt(held, 'content') : held);
  return {
    args: (unwrapped(args) ?? {}) as Json,
    result: (unwrapped(content) ?? undefined) as Json | undefined,
  };
}

function documentsIn(outputs: unknown): NonNullable<Span['documents']> {
  return listAt(outputs, 'documents').flatMap((document) => {
    const fields = fieldAt(document, 'kwargs') ?? document;
    const text = textAt(fields, 'page_content') ?? textAt(fields, 'pageContent');
    return text === null ? [] : [{ source: textAt(fields, 'metadata', 'source'), text }];
  });
}
