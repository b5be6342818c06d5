import type { ImportedCall, ImportedMessage, ImportedRun } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import { jsonText } from '../../values/json-text.ts';
import { Conversation } from './conversation.ts';
import type { Span } from './span.ts';
import { judgedNodes, type RunTotals, spanCosts } from './span-costs.ts';
import { type SpanNode, type SpanTree, spanTree } from './span-tree.ts';

/** What the spans of a trace tell of a run. */
export type ToldBySpans = Pick<ImportedRun, 'messages' | 'calls' | 'costs' | 'durationMs' | 'documents'> & {
  readonly unsaid: Readonly<Record<string, string>>;
};

export interface TraceFacts {
  /** What the source says that the run took in all. */
  readonly totals?: RunTotals;
  /** Why steps of it cannot be read, one reason a step. */
  readonly lost?: readonly string[];
  /** What was said, where no call of a model is told. */
  readonly said?: readonly ImportedMessage[];
}

/**
 * A run from its spans: the conversation from what models were asked and answered, calls from tools, costs from the calls of
 * models, none of them twice. What judges did is no doing of the subject.
 */
export function runOfSpans(spans: readonly Span[], { totals = {}, lost = [], said = [] }: TraceFacts): ToldBySpans {
  const tree = spanTree(spans);
  const judged = judgedNodes(tree.nodes);
  const own = tree.nodes.filter((node) => !judged.has(node));
  const messages = conversationOf(own);
  const shown = messages.length > 0 ? messages : said;
  const calls = callsOf(own, shown);
  const documents = own.flatMap(({ span }) => span.documents ?? []);
  const { costs, unsaid } = spanCosts(tree.nodes, totals, lost.length);
  const durationMs = durationOf(tree);
  const gaps = gapsOf(tree, lost);
  return {
    ...(shown.length > 0 && { messages: shown }),
    ...(calls !== null && { calls }),
    ...(costs !== undefined && { costs }),
    ...(typeof durationMs === 'number' && { durationMs }),
    ...(documents.length > 0 && { documents }),
    unsaid: {
      ...unsaid,
      ...(typeof durationMs === 'string' && { durationMs }),
      ...(gaps !== '' && { messages: gaps, calls: gaps }),
    },
  };
}

function conversationOf(nodes: readonly SpanNode[]): readonly ImportedMessage[] {
  const conversation = new Conversation();
  for (const { span } of shownCalls(nodes)) {
    const latency = span.begin === null || span.end === null ? null : span.end - span.begin;
    const facts = {
      ...(span.model !== undefined && { model: span.model }),
      ...(span.usage !== undefined && { usage: span.usage }),
      ...(latency !== null && latency >= 0 && { latencyMs: rounded(latency) }),
      ...(span.error !== null && { problem: span.error }),
    };
    const given = span.answered ?? [];
    const answered = given.length === 0 && span.error !== null ? [NOTHING] : given;
    const last = answered.findLastIndex(({ role }) => role === 'assistant');
    conversation.add(
      span.asked ?? [],
      answered.map((message, at) => (at === last ? { ...facts, ...message } : message)),
    );
  }
  return conversation.messages;
}

const NOTHING: ImportedMessage = { role: 'assistant', parts: [] };

/** Calls of models in order. Of one within another, which say the same, the outer one; of several within one, these. */
function shownCalls(nodes: readonly SpanNode[]): readonly SpanNode[] {
  const below = new Map<SpanNode, number>();
  for (const node of nodes.toReversed()) {
    const inner = node.children.reduce((sum, child) => sum + (below.get(child) ?? 0), 0);
    below.set(node, inner + (node.span.kind === 'model' ? 1 : 0));
  }
  const covered = new Set<SpanNode>();
  return nodes.filter((node) => {
    const { span, parent } = node;
    if (parent !== null && covered.has(parent)) {
      covered.add(node);
      return false;
    }
    if (span.kind !== 'model') return false;
    const inner = (below.get(node) ?? 1) - 1;
    if (inner === 0) return true;
    const isShown = inner === 1 && (span.answered?.length ?? 0) > 0;
    if (isShown) covered.add(node);
    return isShown;
  });
}

/** Null: messages show all of them. */
function callsOf(nodes: readonly SpanNode[], messages: readonly ImportedMessage[]): readonly ImportedCall[] | null {
  const tools = nodes.filter((node) => node.span.kind === 'tool' && !isCallTwice(node));
  const shown = messages.reduce((sum, { parts }) => sum + parts.filter(({ kind }) => kind === 'tool_call').length, 0);
  if (tools.length === 0 || tools.length < shown) return null;
  const agents = agentsOf(nodes);
  return tools.map((node) => {
    const { name, args = {}, result, error } = node.span;
    const by = agents.get(node);
    return {
      name,
      ...(by !== undefined && { by }),
      args,
      ...(result !== undefined && { result }),
      ...(error !== null && { problem: error }),
    };
  });
}

/** A tool in a tool of the same name with the same arguments is one call, traced by two. */
function isCallTwice({ span, parent }: SpanNode): boolean {
  const outer = parent?.span;
  if (outer?.kind !== 'tool' || outer.name !== span.name) return false;
  return jsonText((outer.args ?? null) as Json) === jsonText((span.args ?? null) as Json);
}

/** Whose step it is, where that is an agent within another. */
function agentsOf(nodes: readonly SpanNode[]): ReadonlyMap<SpanNode, string> {
  const byNode = new Map<SpanNode, string>();
  const isInAgent = new Set<SpanNode>();
  for (const node of nodes) {
    const { span, parent } = node;
    const outer = parent === null ? undefined : byNode.get(parent);
    const isInner = parent !== null && isInAgent.has(parent);
    if (isInner || span.kind === 'agent') isInAgent.add(node);
    const by = span.kind === 'agent' && isInner ? span.name : outer;
    if (by !== undefined) byNode.set(node, by);
  }
  return byNode;
}

/** Milliseconds; a text: why they are not told; null: the source does not say. */
function durationOf({ tops }: SpanTree): number | string | null {
  const begins = tops.flatMap(({ span }) => span.begin ?? []);
  const ends = tops.flatMap(({ span }) => span.end ?? []);
  if (begins.length === 0) return null;
  if (ends.length < tops.length) return 'it has no end';
  const duration = ends.reduce((a, b) => Math.max(a, b)) - begins.reduce((a, b) => Math.min(a, b));
  return duration < 0 ? 'it ends before it begins: its clock went back' : rounded(duration);
}

/** Milliseconds to the microsecond, which is all that doubles of this size hold. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function gapsOf({ orphans, circles }: SpanTree, lost: readonly string[]): string {
  const [first] = lost;
  return [
    ...(first === undefined ? [] : [`${counted(lost.length)} not readable: ${first}`]),
    ...(orphans === 0 ? [] : [`${counted(orphans)} named as part of one that is not there`]),
    ...(circles === 0 ? [] : [`${counted(circles)} named as part of itself`]),
  ].join('; ');
}

function counted(count: number): string {
  return count === 1 ? '1 of its steps is' : `${count} of its steps are`;
}
