import type { ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isCount } from '../../values/is-count.ts';
import { countAt, fieldAt } from '../../values/json-fields.ts';
import { PASSK_COST, PASSK_UNITS } from '../../values/passk-attributes.ts';
import type { SpanKind } from '../spans/span.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  // gen_ai.operation.name
  chat: 'model',
  text_completion: 'model',
  generate_content: 'model',
  embeddings: 'embedding',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'step',
  invoke_workflow: 'agent',
  retrieval: 'retrieval',
  // openinference.span.kind
  LLM: 'model',
  EMBEDDING: 'embedding',
  TOOL: 'tool',
  AGENT: 'agent',
  RETRIEVER: 'retrieval',
  EVALUATOR: 'judge',
  // traceloop.span.kind, llm.request.type
  tool: 'tool',
  agent: 'agent',
  completion: 'model',
  embedding: 'embedding',
};

const KIND_ATTRIBUTES = ['gen_ai.operation.name', 'openinference.span.kind', 'traceloop.span.kind', 'llm.request.type'];

export function kindOf(attributes: JsonObject): SpanKind {
  for (const name of KIND_ATTRIBUTES) {
    const word = fieldAt(attributes, name);
    const kind = typeof word === 'string' && Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
    if (kind !== undefined) return kind;
  }
  if (textOf(attributes, 'gen_ai.tool.name') !== '') return 'tool';
  const asksModel = ['gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name'].some(
    (name) => textOf(attributes, name) !== '',
  );
  return asksModel ? 'model' : 'step';
}

/** The model that answered, else the one that was asked; '' where the span names none. */
export function modelOf(attributes: JsonObject): string {
  return firstText(attributes, ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name']);
}

/** The first of these attributes that is a text and not empty; '' where none is. */
export function firstText(attributes: JsonObject, names: readonly string[]): string {
  return names.map((name) => textOf(attributes, name)).find((text) => text !== '') ?? '';
}

export function textOf(attributes: JsonObject, name: string): string {
  const value = fieldAt(attributes, name);
  return typeof value === 'string' ? value : '';
}

/** The first of these attributes that is there. */
export function firstValue(attributes: JsonObject, names: readonly string[]): Json | undefined {
  for (const name of names) {
    const value = fieldAt(attributes, name);
    if (value !== undefined && value !== null) return value as Json;
  }
  return undefined;
}

/** Attribute names by token count, the current name first. */
const COUNTS = {
  promptTokens: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'],
  completionTokens: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  cachedTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
  ],
  cacheWriteTokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  reasoningTokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
  ],
} as const satisfies Readonly<Record<keyof ImportedUsage, readonly string[]>>;

const TOTALS = ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total'];

/**
 * The token counts of a span; null: it has none. Both conventions count cached tokens as part of the prompt. Some senders
 * pass on Anthropic's counts, which leave them out: the parts then exceed the whole, or the total gives them away.
 */
export function usageOf(attributes: JsonObject, kind: SpanKind): ImportedUsage | null {
  const usage: Partial<Record<keyof ImportedUsage, number>> = {};
  for (const [key, names] of Object.entries(COUNTS)) {
    const count = firstCount(attributes, names);
    if (count !== null) usage[key as keyof ImportedUsage] = count;
  }
  if (Object.keys(usage).length === 0) return null;
  // An embedding has no tokens of output.
  if (kind === 'embedding') usage.completionTokens ??= 0;
  const { promptTokens, completionTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const inCache = cachedTokens + cacheWriteTokens;
  if (promptTokens === undefined || inCache === 0) return usage;
  const total = firstCount(attributes, TOTALS);
  const leavesOut = inCache > promptTokens || total === promptTokens + inCache + completionTokens;
  return leavesOut ? { ...usage, promptTokens: promptTokens + inCache } : usage;
}

/** A whole number from 0, as a number or as digits. */
function firstCount(attributes: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = fieldAt(attributes, name);
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (isCount(count)) return count;
  }
  return null;
}

/** The price in USD; null: the span has none. The conventions of OpenTelemetry name no price. */
export function priceOf(attributes: JsonObject): number | null {
  const nano = fieldAt(attributes, PASSK_COST);
  if (typeof nano === 'number' && nano >= 0) return nano / 1e9;
  const usd = firstValue(attributes, ['llm.cost.total', 'gen_ai.usage.cost', 'gen_ai.cost.total_cost']);
  return typeof usd === 'number' && Number.isFinite(usd) && usd >= 0 ? usd : null;
}

/** How many calls a span of passk's own reporter stands for; null: it does not say. */
export function unitsOf(attributes: JsonObject): number | null {
  return countAt(attributes, PASSK_UNITS);
}
