import type { ImportedUsage } from '../../plugin/importer-type.ts';
import { isApart, isModelCall, type Span } from './span.ts';
import type { SpanNode } from './span-tree.ts';

/** The spans whose costs count, so that no call is counted twice. */
export interface CountedSpans {
  /** Model calls that count, in place of the calls within them. */
  readonly calls: ReadonlySet<SpanNode>;
  /** Spans with sums, where no span below them has costs. */
  readonly sums: ReadonlySet<SpanNode>;
  /** Spans whose sums are at least those of the spans below them, calls without costs included. */
  readonly wholes: ReadonlySet<SpanNode>;
  /** Tokens by which sums exceed the spans below them: some calls have no span. */
  readonly missing: readonly { readonly node: SpanNode; readonly usage: Tokens }[];
  /** The sentence about the outermost span whose sum differs; null: all agree. */
  readonly difference: string | null;
}

type Tokens = Required<Pick<ImportedUsage, 'promptTokens' | 'completionTokens'>>;

/** The calls and tokens of some spans. */
interface SpanCounts {
  readonly calls: number;
  readonly hasTokens: boolean;
  readonly hasPrices: boolean;
  /** At least one has tokens or a price. */
  readonly isTold: boolean;
  /** Null: a span that has some counts lacks others. */
  readonly tokens: Tokens | null;
}

const NONE: Tokens = { promptTokens: 0, completionTokens: 0 };
const NOTHING: SpanCounts = { calls: 0, hasTokens: true, hasPrices: true, isTold: false, tokens: NONE };

/** Null: a count is missing. */
export function tokensOf(usage: ImportedUsage | undefined): Tokens | null {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return null;
  return { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens };
}

export function sizeOf({ promptTokens, completionTokens }: Tokens): number {
  return promptTokens + completionTokens;
}

/**
 * Finds the spans that count. A call within a call is the same call, traced by a framework and by the client below it: the
 * inner one counts where it has as many facts. A call below a tool or an agent is another one. Counts of all other spans are
 * sums. `nodes`: parents first.
 */
export function countedSpans(nodes: readonly SpanNode[]): CountedSpans {
  const calls = new Set<SpanNode>();
  const sums = new Set<SpanNode>();
  const wholes = new Set<SpanNode>();
  const missing: { readonly node: SpanNode; readonly usage: Tokens }[] = [];
  let difference: string | null = null;
  // Of each span: its own model calls, and the costs of the agents and tools that it called.
  const countsByNode = new Map<SpanNode, readonly [own: SpanCounts, apart: SpanCounts]>();
  // Backwards, children come before their parents.
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

/** A failed call without counts took nothing. */
function isSilentFailure({ error, usage, usd }: Span): boolean {
  return error !== null && usage === undefined && usd === undefined;
}

/** Whether the inner calls have as many facts as the outer one. */
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
