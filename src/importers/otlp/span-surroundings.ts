import type { ImportedUsage } from '../../plugin/importer-type.ts';
import { firstText, kindOf, type SpanKind, usageOf } from './span-facts.ts';
import type { TraceSpan } from './trace-spans.ts';

/** What a span stands for and in. */
export interface Surroundings {
  readonly kind: SpanKind;
  /** Tokens that it tells, counted elsewhere or not; null: none. */
  readonly usage: ImportedUsage | null;
  /** It judges the run, or is below a span that does. */
  readonly judges: boolean;
  /** How many agents are above it. */
  readonly agentsAbove: number;
  /** The agent that is nearest above it, where that is not the outermost one; ''. */
  readonly subagent: string;
  /** A tool is above it. */
  readonly isBelowTool: boolean;
  /** The model's span that is around it, without a tool or an agent in between; null: there is none. */
  readonly outerModel: TraceSpan | null;
}

const OUTSIDE: Surroundings = {
  kind: 'other',
  usage: null,
  judges: false,
  agentsAbove: 0,
  subagent: '',
  isBelowTool: false,
  outerModel: null,
};

/** What is below these was called, and asks models by itself. */
export function isApart(kind: SpanKind): boolean {
  return kind === 'tool' || kind === 'agent' || kind === 'judge';
}

/** What each span stands for and in. `spans`: each before its children. */
export function surroundingsOf(spans: readonly TraceSpan[]): ReadonlyMap<TraceSpan, Surroundings> {
  const all = new Map<TraceSpan, Surroundings>();
  for (const span of spans) {
    const { parent } = span;
    const above = (parent === null ? undefined : all.get(parent)) ?? OUTSIDE;
    const isInAgent = above.kind === 'agent';
    const kind = kindOf(span);
    all.set(span, {
      kind,
      usage: usageOf(span, kind),
      judges: above.judges || kind === 'judge',
      agentsAbove: above.agentsAbove + (isInAgent ? 1 : 0),
      subagent: isInAgent && parent !== null && above.agentsAbove > 0 ? nameOf(parent) : above.subagent,
      isBelowTool: above.isBelowTool || above.kind === 'tool',
      outerModel: above.kind === 'model' ? parent : isApart(above.kind) ? null : above.outerModel,
    });
  }
  return all;
}

/** What is called here: a tool or an agent, by its own name. */
export function nameOf({ attributes, name }: TraceSpan): string {
  const own = firstText(attributes, [
    'gen_ai.tool.name',
    'tool.name',
    'gen_ai.agent.name',
    'agent.name',
    'traceloop.entity.name',
  ]);
  return own === '' ? name : own;
}
