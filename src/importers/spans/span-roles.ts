import { calledName } from './span.ts';
import type { SpanNode } from './span-tree.ts';

/** What a span is among the others of its trace. */
export interface SpanRole {
  /** It judges the run, or is below a span that does. */
  readonly judges: boolean;
  /** It belongs to the outermost agent: neither a tool nor a second agent is above it. */
  readonly isOutermost: boolean;
  /** The nearest agent above it, where that is not the outermost one. */
  readonly subagent?: string;
}

/** The role of each span. `nodes`: each before its parts. */
export function spanRoles(nodes: readonly SpanNode[]): ReadonlyMap<SpanNode, SpanRole> {
  const roles = new Map<SpanNode, SpanRole & { readonly agentsAbove: number }>();
  for (const node of nodes) {
    const { span, parent } = node;
    const above = parent === null ? undefined : roles.get(parent);
    const { judges = false, isOutermost = true, agentsAbove = 0, subagent } = above ?? {};
    const isInAgent = parent?.span.kind === 'agent';
    const agents = agentsAbove + (isInAgent ? 1 : 0);
    const nearest = isInAgent && agents > 1 ? calledName(parent.span) : subagent;
    roles.set(node, {
      judges: judges || span.kind === 'judge',
      isOutermost: isOutermost && agents < 2 && parent?.span.kind !== 'tool',
      agentsAbove: agents,
      ...(nearest !== undefined && { subagent: nearest }),
    });
  }
  return roles;
}
