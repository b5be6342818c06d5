import type { ImportedUsage } from '../../plugin/importer-type.ts';
import { isApart, isModelCall, type Span } from './span.ts';
import type { SpanNode } from './span-tree.ts';

/** Which spans count themselves, so that no call is counted twice. */
export interface CountedSpans {
  /** Calls of models that count, rather than those within them. */
  readonly calls: ReadonlySet<SpanNode>;
  /** Spans that tell what all below them took, of which none tells anything. */
  readonly sums: ReadonlySet<SpanNode>;
  /** Spans that tell as much as all below them took, or more: calls below them that tell nothing are in it. */
  readonly wholes: ReadonlySet<SpanNode>;
  /** Tokens that a sum has and the spans below it do not: calls are missing there. */
  readonly missing: readonly { readonly node: SpanNode; readonly usage: Tokens }[];
  /** What the outermost span says whose sum is another; null: all agree. */
  readonly difference: string | null;
}

type Tokens = Required<Pick<ImportedUsage, 'promptTokens' | 'completionTokens'>>;

/** The calls and tokens of some spans. */
interface SpanCounts {
  readonly calls: number;
  readonly hasTokens: boolean;
  readonly hasPrices: boolean;
  /** One of them tells tokens or a price. */
  readonly isTold: boolean;
  /** Null: one that tells something does not tell all of its tokens. */
  readonly tokens: Tokens | null;
}

const NONE: Tokens = { promptTokens: 0, completionTokens: 0 };
const NOTHING: SpanCounts = { calls: 0, hasTokens: true, hasPrices: true, isTold: false, tokens: NONE };

/** Null: not all of it is told. */
export function tokensOf(usage: ImportedUsage | undefined): Tokens | null {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return null;
  return { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens };
}

export function sizeOf({ promptTokens, completionTokens }: Tokens): number {
  return promptTokens + completionTokens;
}

/**
 * Calls within calls are one call told twice, by a framework and by the client below it: the inner ones count where they tell
 * as much. What is below a tool or an agent is another call. What other spans tell are sums. `nodes`: each before its parts.
 */
export function countedSpans(nodes: readonly SpanNode[]): CountedSpans {
  const calls = new Set<SpanNode>();
  const sums = new Set<SpanNode>();
  const wholes = new Set<SpanNode>();
  const missing: { readonly node: SpanNode; readonly usage: Tokens }[] = [];
  let difference: string | null = null;
  // Of each span: what it asked itself, and what those took that it called.
  const countsByNode = new Map<SpanNode, readonly [own: SpanCounts, apart: SpanCounts]>();
  // Parts come after what they are part of, so that backwards they come first.
  for (const node of nodes.toReversed()) {
    const { span } = node;
    let [own, apart] = [NOTHING, NOTHING];
    for (const child of node.children) {
      const [inner, beyond] = countsByNode.get(child) ?? [NOTHING, NOTHING];
      if (!isApart(child.span)) own = both(own, inner);
      apart = both(apart, isApart(child.span) ? both(inner, beyond) : beyond);
    }
    if (isModelCall(span)) {
      if (!isSilentFailure(span) && !tellsAsMuch(own, span)) {
        calls.add(node);
        own = countsOf(span);
      }
    } else if (tellsSum(span)) {
      const below = both(own, apart);
      const [sum, parts] = [tokensOf(span.usage), below.tokens];
      if (!below.isTold) {
        sums.add(node);
        [own, apart] = [countsOf(span), NOTHING];
      } else if (sum !== null && parts !== null) {
        const more = sizeOf(sum) - sizeOf(parts);
        if (more >= 0) wholes.add(node);
        if (more !== 0) difference = differs(span, { sum, parts });
        if (more > 0) {
          const promptTokens = Math.min(more, Math.max(0, sum.promptTokens - parts.promptTokens));
          const usage = { promptTokens, completionTokens: more - promptTokens };
          missing.push({ node, usage });
          own = { ...own, tokens: plus(own.tokens, usage) };
        }
      }
    }
    countsByNode.set(node, [own, apart]);
  }
  return { calls, sums, wholes, missing: missing.reverse(), difference };
}

/** A call that failed and tells nothing took nothing that anybody counted. */
function isSilentFailure({ error, usage, usd }: Span): boolean {
  return error !== null && usage === undefined && usd === undefined;
}

/** Whether calls within a call tell as much as that one does. */
function tellsAsMuch({ calls, hasTokens, hasPrices }: SpanCounts, { usage, usd }: Span): boolean {
  return calls > 0 && (tokensOf(usage) === null || hasTokens) && (usd === undefined || hasPrices);
}

/** The price of a tool is its own. */
function tellsSum({ kind, usage, usd }: Span): boolean {
  return usage !== undefined || (usd !== undefined && kind !== 'tool');
}

function countsOf({ usage, usd }: Span): SpanCounts {
  const tokens = tokensOf(usage);
  const isTold = usage !== undefined || usd !== undefined;
  return {
    calls: 1,
    hasTokens: tokens !== null,
    hasPrices: usd !== undefined,
    isTold,
    tokens: isTold ? tokens : NONE,
  };
}

function both(one: SpanCounts, other: SpanCounts): SpanCounts {
  if (other === NOTHING) return one;
  if (one === NOTHING) return other;
  return {
    calls: one.calls + other.calls,
    hasTokens: one.hasTokens && other.hasTokens,
    hasPrices: one.hasPrices && other.hasPrices,
    isTold: one.isTold || other.isTold,
    tokens: plus(one.tokens, other.tokens),
  };
}

function plus(one: Tokens | null, other: Tokens | null): Tokens | null {
  if (one === null || other === null) return null;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}

function differs(span: Span, { sum, parts }: { readonly sum: Tokens; readonly parts: Tokens }): string {
  const used = sizeOf(sum) > sizeOf(parts) ? 'so calls are missing, which are counted' : 'which is used';
  return `span "${span.name}" says ${sizeOf(sum)} tokens, the spans below it come to ${sizeOf(parts)}, ${used}`;
}
