import type { ImportedCall, ImportedMessage, ImportedRun } from '../../plugin/importer-type.ts';
import { jsonText } from '../../values/json-text.ts';
import { conversationOf } from './span-conversation.ts';
import { calledName } from './span.ts';
import { type RunTotals, spanCosts } from './span-costs.ts';
import { spanRoles, type SpanRole } from './span-roles.ts';
import type { SpanNode, SpanTree } from './span-tree.ts';
import { rounded } from './moment.ts';

/** What the spans of a trace tell of a run. */
export type ToldBySpans = Pick<ImportedRun, 'messages' | 'calls' | 'costs' | 'durationMs' | 'documents'> & {
  readonly unsaid: Readonly<Record<string, string>>;
};

export interface TraceFacts {
  /** What the source says that the run took in all. */
  readonly totals?: RunTotals;
  /** Why steps of it cannot be read, one reason a step. */
  readonly lost?: readonly string[];
  /** What was said, where no call of a model tells it. */
  readonly said?: () => readonly ImportedMessage[];
}

/**
 * A run from its spans: the conversation from what models were asked and answered, calls from tools, costs from the calls of
 * models, none of them twice. What judges did is no doing of the subject.
 */
export function runOfSpans(tree: SpanTree, { totals = {}, lost = [], said }: TraceFacts): ToldBySpans {
  const roles = spanRoles(tree.nodes);
  const messages = conversationOf(tree.nodes, roles);
  const isSpoken = messages.some(({ parts }) => parts.length > 0);
  const others = isSpoken ? [] : (said?.() ?? []);
  const shown = others.length > 0 ? others : messages;
  const calls = callsOf(tree.nodes, roles, shown);
  const documents = tree.nodes.flatMap((node) => (roles.get(node)?.judges === true ? [] : (node.span.documents ?? [])));
  const { costs, unsaid } = spanCosts(tree.nodes, { roles, totals, lost: lost.length });
  const durationMs = durationOf(tree);
  const clock = clockOf(tree);
  const gaps = gapsOf(tree, lost);
  return {
    ...(shown.length > 0 && { messages: shown }),
    ...(calls !== null && { calls }),
    ...(costs !== undefined && { costs }),
    ...(typeof durationMs === 'number' && { durationMs }),
    ...(documents.length > 0 && { documents }),
    unsaid: {
      ...unsaid,
      ...(clock !== null && { durationMs: clock }),
      ...(typeof durationMs === 'string' && { durationMs }),
      ...((clock !== null || isBack(tree)) && { order: 'its clock went back, so that nobody knows what came first' }),
      ...(gaps !== '' && { messages: gaps, calls: gaps }),
    },
  };
}

/** Null: messages show all of them. */
function callsOf(
  nodes: readonly SpanNode[],
  roles: ReadonlyMap<SpanNode, SpanRole>,
  messages: readonly ImportedMessage[],
): readonly ImportedCall[] | null {
  const tools = nodes.filter((node) => node.span.kind === 'tool' && !roles.get(node)?.judges && !isCallTwice(node));
  const shown = messages.reduce((sum, { parts }) => sum + parts.filter(({ kind }) => kind === 'tool_call').length, 0);
  if (tools.length === 0 || tools.length < shown) return null;
  return tools.map((node) => {
    const { args = null, result, error } = node.span;
    const by = roles.get(node)?.subagent;
    return {
      name: calledName(node.span),
      ...(by !== undefined && { by }),
      args,
      ...(result !== undefined && { result }),
      ...(error !== null && { problem: error }),
    };
  });
}

/** A tool in a tool of the same name, whose arguments are the same or not told, is one call, traced by two. */
function isCallTwice({ span, parent }: SpanNode): boolean {
  const outer = parent?.span;
  if (outer?.kind !== 'tool' || calledName(outer) !== calledName(span)) return false;
  if (outer.args === undefined || span.args === undefined) return true;
  return jsonText(outer.args) === jsonText(span.args);
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

/** True: as a whole it ends before it begins. */
function isBack({ tops }: SpanTree): boolean {
  const begins = tops.flatMap(({ span }) => span.begin ?? []);
  const ends = tops.flatMap(({ span }) => span.end ?? []);
  if (begins.length === 0 || ends.length < tops.length) return false;
  return ends.reduce((a, b) => Math.max(a, b)) < begins.reduce((a, b) => Math.min(a, b));
}

/** Some sources keep ends as whole milliseconds and beginnings more exactly. */
const COARSEST_MS = 1;

/** Null: no clock went back. */
function clockOf({ nodes }: SpanTree): string | null {
  const back = nodes.filter(
    ({ span: { begin, end } }) => begin !== null && end !== null && end < begin - COARSEST_MS,
  ).length;
  if (back === 0) return null;
  return back === 1 ? '1 of its steps ends before it begins' : `${back} of its steps end before they begin`;
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
