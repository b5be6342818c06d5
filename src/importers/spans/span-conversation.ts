import type { ImportedMessage } from '../../plugin/importer-type.ts';
import { Conversation } from './conversation.ts';
import { rounded } from './moment.ts';
import { isApart, type Span } from './span.ts';
import type { SpanRole } from './span-roles.ts';
import type { SpanNode } from './span-tree.ts';

/** The conversation of the outermost agent; where its spans keep no messages, that of the other spans. `nodes`: parents first. */
export function conversationOf(
  nodes: readonly SpanNode[],
  roles: ReadonlyMap<SpanNode, SpanRole>,
): readonly ImportedMessage[] {
  const calls = shownCalls(nodes).filter((node) => roles.get(node)?.judges !== true);
  const outermost = calls.filter((node) => roles.get(node)?.isOutermost === true);
  const messages = messagesOf(outermost);
  if (outermost.length === calls.length || messages.some(({ parts }) => parts.length > 0)) return messages;
  return messagesOf(calls);
}

function messagesOf(calls: readonly SpanNode[]): readonly ImportedMessage[] {
  const conversation = new Conversation();
  for (const { span } of calls) conversation.add(span.asked ?? [], answersOf(span));
  return conversation.messages;
}

/** Facts about the whole answer stand on its last message. */
function answersOf(span: Span): readonly ImportedMessage[] {
  const { answered = [], error, model, usage } = span;
  const messages = answered.length === 0 && error !== null ? [NOTHING] : answered;
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const last = messages[at];
  if (last === undefined) return messages;
  const latency = span.begin === null || span.end === null ? null : span.end - span.begin;
  return messages.with(at, {
    role: last.role,
    parts: last.parts,
    model: last.model ?? model,
    usage: last.usage ?? usage,
    latencyMs: last.latencyMs ?? (latency !== null && latency >= 0 ? rounded(latency) : undefined),
    finish: last.finish,
    problem: last.problem ?? error ?? undefined,
  });
}

const NOTHING: ImportedMessage = { role: 'assistant', parts: [] };

/** Model calls in order. Of a call that wraps one call, the outer counts; of a call that wraps several, the inner ones do. */
function shownCalls(nodes: readonly SpanNode[]): readonly SpanNode[] {
  // Calls with messages below each span, itself included.
  const speaking = new Map<SpanNode, number>();
  for (const node of nodes.toReversed()) {
    const inner = node.children.reduce((sum, child) => sum + (isApart(child.span) ? 0 : (speaking.get(child) ?? 0)), 0);
    speaking.set(node, inner + (isSpeaking(node.span) ? 1 : 0));
  }
  const covered = new Set<SpanNode>();
  return nodes.filter((node) => {
    const { span, parent } = node;
    if (parent !== null && covered.has(parent) && !isApart(span)) {
      covered.add(node);
      return false;
    }
    if (span.kind !== 'model') return false;
    const inner = (speaking.get(node) ?? 0) - (isSpeaking(span) ? 1 : 0);
    const isShown = inner === 0 || (inner === 1 && (span.answered?.length ?? 0) > 0);
    if (isShown) covered.add(node);
    return isShown;
  });
}

function isSpeaking({ kind, asked = [], answered = [], error }: Span): boolean {
  return kind === 'model' && (asked.length > 0 || answered.length > 0 || error !== null);
}
