import type { ImportedCall, ImportedMessage, ImportedRun } from '../../plugin/importer-type.ts';
import { jsonText } from '../../values/json-text.ts';
import { conversationOf } from './span-conversation.ts';
import { calledName } from './span.ts';
import { type RunTotals, spanCosts } from './span-costs.ts';
import { spanRoles, type SpanRole } from './span-roles.ts';
import type { SpanNode, SpanTree } from './span-tree.ts';
import { rounded } from './moment.ts';

/** The parts of a run that come from the spans of its trace. */
export type ToldBySpans = Pick<ImportedRun, 'messages' | 'calls' | 'costs' | 'durationMs' | 'documents'> & {
  readonly unsaid: Readonly<Record<string, string>>;
};

export interface TraceFacts {
  /** The totals of the whole run, where the source has them. */
  readonly totals?: RunTotals;
  /** Why steps of it cannot be read, one reason a step. */
  readonly lost?: readonly string[];
  /** The messages of the run, for traces whose model calls have none. */
  readonly said?: () => readonly ImportedMessage[];
}

/**
 * Builds a run from spans: the conversation from the model calls, tool calls from the tools, costs from the model calls, each
 * counted once. Spans of judges are left out, because the subject did not make them.
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

/** The tool calls of the run; null: its messages hold all of them. */
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

/** Two tracers may trace one call: a tool within a tool of the same name, with equal or missing arguments, is that call. */
function isCallTwice({ span, parent }: SpanNode): boolean {
  const outer = parent?.span;
  if (outer?.kind !== 'tool' || calledName(outer) !== calledName(span)) return false;
  if (outer.args === undefined || span.args === undefined) return true;
  return jsonText(outer.args) === jsonText(span.args);
}

/** Milliseconds; a text: why they are unknown; null: the source has no times. */
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

/** Why the times cannot be used: a clock went back; null: none did. */
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
