import type { Span } from './span.ts';

/** A span with what it is a part of. */
export interface SpanNode<S extends Span = Span> {
  readonly span: S;
  readonly parent: SpanNode<S> | null;
  /** In the order in which they began. */
  readonly children: readonly SpanNode<S>[];
}

export interface SpanTree<S extends Span = Span> {
  /** Every span, each before its parts; parts in the order in which they began, else in that of the file. */
  readonly nodes: readonly SpanNode<S>[];
  /** Those that are part of no other. */
  readonly tops: readonly SpanNode<S>[];
  /** How many name a parent that is not there. */
  readonly orphans: number;
  /** How many spans stand in circles of parents. One of each circle becomes a top. */
  readonly circles: number;
}

interface GrowingNode<S extends Span> extends SpanNode<S> {
  readonly children: GrowingNode<S>[];
  parent: GrowingNode<S> | null;
}

/** The spans of one trace as a tree, in whatever order they come. Ids must differ; no depth is too deep. */
export function spanTree<S extends Span>(spans: readonly S[]): SpanTree<S> {
  const nodes = spans.map((span): GrowingNode<S> => ({ span, parent: null, children: [] }));
  const byId = new Map(nodes.map((node) => [node.span.id, node]));
  const tops: GrowingNode<S>[] = [];
  let orphans = 0;
  for (const node of nodes) {
    const parent = node.span.parent === null ? undefined : byId.get(node.span.parent);
    if (node.span.parent !== null && parent === undefined) orphans++;
    if (parent === undefined) tops.push(node);
    else {
      parent.children.push(node);
      node.parent = parent;
    }
  }
  for (const node of nodes) sortByBegin(node.children);
  sortByBegin(tops);
  const ordered: SpanNode<S>[] = [];
  const seen = new Set<SpanNode<S>>();
  const walk = (from: readonly GrowingNode<S>[]): void => {
    const open = from.toReversed();
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      ordered.push(node);
      for (const child of node.children.toReversed()) open.push(child);
    }
  };
  walk(tops);
  let circles = 0;
  for (const node of nodes) {
    if (seen.has(node)) continue;
    circles++;
    const { parent } = node;
    if (parent !== null) parent.children.splice(parent.children.indexOf(node), 1);
    node.parent = null;
    tops.push(node);
    walk([node]);
  }
  return { nodes: ordered, tops, orphans, circles };
}

/**
 * Sorts spans by their begin. A span without a begin stays behind its predecessor. Where begins are equal, the first to end
 * comes first, then the one that was asked with less history.
 */
function sortByBegin(nodes: SpanNode[]): void {
  let last = Number.NEGATIVE_INFINITY;
  const begins = new Map<SpanNode, number>();
  for (const node of nodes) {
    last = node.span.begin ?? last;
    begins.set(node, last);
  }
  nodes.sort((a, b) => {
    const [one = 0, other = 0] = [begins.get(a), begins.get(b)];
    if (one !== other) return one - other;
    const ends = (a.span.end ?? a.span.begin ?? 0) - (b.span.end ?? b.span.begin ?? 0);
    return ends === 0 ? (a.span.asked?.length ?? 0) - (b.span.asked?.length ?? 0) : ends;
  });
}
