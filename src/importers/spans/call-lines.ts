import type { ImportedCost } from '../../plugin/importer-type.ts';
import { countedSpans } from './counted-spans.ts';
import { isApart, isModelCall, type Span } from './span.ts';
import type { SpanRole } from './span-roles.ts';
import type { SpanNode } from './span-tree.ts';

export interface CallLines {
  readonly lines: readonly ImportedCost[];
  /** The sentence about a span whose sum differs from that of the spans below it; null: all sums agree. */
  readonly difference: string | null;
}

/**
 * A line for each call of a model, of judges and of the subject, in order, and for each tool with a price; then for calls that
 * are missing. `nodes`: each before its parts.
 */
export function callLines(nodes: readonly SpanNode[], roles: ReadonlyMap<SpanNode, SpanRole>): CallLines {
  const { calls, sums, wholes, missing, difference } = countedSpans(nodes);
  const kindOf = (node: SpanNode): ImportedCost['kind'] => (roles.get(node)?.judges === true ? 'judge' : 'model');
  /** What counts for the spans below: a sum counts for all of them, a call for what it asked itself. */
  const covers = new Map<SpanNode, 'all' | 'own'>();
  const inWhole = new Set<SpanNode>();
  const lines: ImportedCost[] = [];
  for (const node of nodes) {
    const { span, parent } = node;
    const above = parent === null ? undefined : covers.get(parent);
    const isCovered = above === 'all' || (above === 'own' && !isApart(span));
    if (isCovered) covers.set(node, above);
    else if (sums.has(node)) covers.set(node, 'all');
    else if (calls.has(node)) covers.set(node, 'own');
    if (parent !== null && (wholes.has(parent) || inWhole.has(parent))) inWhole.add(node);
    if (isCovered) continue;
    const isTold = span.usage !== undefined || span.usd !== undefined;
    if (sums.has(node) || (calls.has(node) && (isTold || !inWhole.has(node)))) lines.push(lineOf(span, kindOf(node)));
    else if (span.kind === 'tool' && span.usd !== undefined && span.usage === undefined) {
      lines.push({ kind: 'tool', name: span.name, usd: span.usd });
    }
  }
  for (const { node, usage } of missing) {
    lines.push({ kind: kindOf(node), name: node.span.model ?? 'model', usage });
  }
  return { lines, difference };
}

function lineOf(span: Span, kind: ImportedCost['kind']): ImportedCost {
  const { model = 'model', units = 1, usage = {}, usd } = span;
  return {
    kind,
    name: model,
    // A sum does not say how many calls it is of.
    ...(isModelCall(span) && { units }),
    // Missing tokens make the line's tokens unknown, not zero.
    usage,
    ...(usd !== undefined && { usd }),
  };
}
