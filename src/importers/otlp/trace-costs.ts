import type { ImportedCost, ImportedRun, ImportedUsage } from '../../plugin/importer-type.ts';
import { modelOf, priceOf } from './span-facts.ts';
import { isApart, type Surroundings } from './span-surroundings.ts';
import type { TraceSpan } from './trace-spans.ts';

/** What stands below a span. */
interface Below {
  /** Spans whose tokens or price count. */
  readonly told: boolean;
  /** Model calls that this span asked itself: no tool or agent is in between. */
  readonly models: boolean;
  /** The tokens that count; null: one does not tell all of its own. */
  readonly tokens: Tokens | null;
}

type Tokens = Required<Pick<ImportedUsage, 'promptTokens' | 'completionTokens'>>;

const NONE: Tokens = { promptTokens: 0, completionTokens: 0 };
const NOTHING: Below = { told: false, models: false, tokens: NONE };

/**
 * Tokens and prices of the spans, each counted once: what an agent's span says is the sum of its models', and one call that
 * two programs trace has two spans, one within the other. A model below a tool or an agent that was called is another one.
 * Where a sum is higher, calls are missing, and what they took has a line.
 * `surroundings`: of each span, which stands before its children.
 */
export function costsOf(surroundings: ReadonlyMap<TraceSpan, Surroundings>): Pick<ImportedRun, 'costs' | 'unsaid'> {
  const spans = [...surroundings.keys()];
  const below = new Map<TraceSpan, Below>();
  const counted = new Set<TraceSpan>();
  const missing: ImportedCost[] = [];
  let difference: string | null = null;
  // From the last to the first, so that all that is below a span is known.
  for (const span of spans.reverse()) {
    const { kind = 'other', usage: told = null, judges = false } = surroundings.get(span) ?? {};
    const inside = below.get(span) ?? NOTHING;
    const isTold = told !== null || priceOf(span) !== null;
    const counts = isTold && !(kind === 'model' ? inside.models : inside.told);
    if (counts) counted.add(span);
    const own = tokensOf(told);
    const lost = counts || kind === 'model' ? null : missingIn(own, inside.tokens);
    if (lost !== null && own !== null && inside.tokens !== null) {
      const isMore = sizeOf(lost) > 0;
      if (isMore) missing.push({ kind: judges ? 'judge' : 'model', name: modelOf(span) || 'model', usage: lost });
      const used = isMore ? 'so calls are missing, which are counted' : 'which is used';
      difference = `span "${span.name}" says ${sizeOf(own)} tokens, the spans below it come to ${sizeOf(inside.tokens)}, ${used}`;
    }
    const here = counts ? own : (lost ?? NONE);
    if (span.parent === null) continue;
    const above = below.get(span.parent) ?? NOTHING;
    below.set(span.parent, {
      told: above.told || inside.told || counts,
      models: above.models || kind === 'model' || (!isApart(kind) && inside.models),
      tokens: sum(above.tokens, sum(inside.tokens, here)),
    });
  }
  const costs: ImportedCost[] = [];
  // Below spans that tell their tokens as a whole.
  const covered = new Set<TraceSpan>();
  for (const [span, { kind, judges, usage }] of surroundings) {
    const isCovered = span.parent !== null && covered.has(span.parent);
    if (isCovered || (counted.has(span) && kind !== 'model')) covered.add(span);
    const isSilent = kind === 'model' && below.get(span)?.models !== true && !isCovered && missing.length === 0;
    // A model that tells no tokens has a line of its own, and the sum is not known then, unless a span above it says it.
    if (counted.has(span) || isSilent) costs.push(costOf(span, judges ? 'judge' : 'model', usage ?? {}));
  }
  costs.push(...missing.reverse());
  return { ...(costs.length > 0 && { costs }), ...(difference !== null && { unsaid: { usage: difference } }) };
}

function costOf(span: TraceSpan, kind: ImportedCost['kind'], usage: ImportedUsage): ImportedCost {
  const usd = priceOf(span);
  return { kind, name: modelOf(span) || 'model', usage, ...(usd !== null && { usd }) };
}

/** Null: not all of it is told. */
function tokensOf(usage: ImportedUsage | null): Tokens | null {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return null;
  return { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens };
}

/** What a sum has more than its parts; zeros: it has less. Null: they agree, or one of them is not known. */
function missingIn(total: Tokens | null, parts: Tokens | null): Tokens | null {
  if (total === null || parts === null || sizeOf(total) === sizeOf(parts)) return null;
  if (sizeOf(total) < sizeOf(parts)) return NONE;
  const promptTokens = Math.min(sizeOf(total) - sizeOf(parts), Math.max(0, total.promptTokens - parts.promptTokens));
  return { promptTokens, completionTokens: sizeOf(total) - sizeOf(parts) - promptTokens };
}

function sizeOf({ promptTokens, completionTokens }: Tokens): number {
  return promptTokens + completionTokens;
}

function sum(one: Tokens | null, other: Tokens | null): Tokens | null {
  if (one === null || other === null) return null;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}
