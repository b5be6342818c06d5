import type { ChaosState } from '../../faults/chaos/chaos-state.ts';
import type { AgentCall } from '../../types/agent.ts';
import type { SeenCalls, SeenTokens } from '../target.ts';
import { addTokens, type SeenAnswer, UNKNOWN_TOKENS } from './dialects/dialect.ts';
import type { Forwarder } from './forward.ts';
import { hostNames } from './proxy-route.ts';

/** One call through the proxy. */
export interface ProxyCall {
  /** Whether a model or a tool was called. */
  readonly kind: 'model' | 'tool';
  /** The host that was meant, with the tool's name where one is declared. */
  readonly name: string;
  /** Labels of the faults that fired on it. */
  readonly fired: readonly string[];
}

/** One stretch of calls that belong together: what strikes them, and what was seen of them. */
export interface Session {
  readonly state: ChaosState | null;
  readonly forwarder: Forwarder;
  /** Aborted when another stretch begins, or the proxy is closed. */
  readonly signal: AbortSignal;
  /** Names of tools whose own calls are in sight. */
  readonly tools: ReadonlySet<string>;
  /** Results of tools as they were told first, by call. */
  readonly firstResults: Map<string, string>;
  /** What was seen since it was last taken. */
  seen: Sight;
}

interface Sight {
  readonly calls: AgentCall[];
  /** What the models' answers took; null: none has come. */
  used: SeenTokens | null;
  readonly refused: Set<string>;
  readonly missed: Set<string>;
}

export interface SessionOptions extends Pick<Session, 'state' | 'forwarder' | 'signal' | 'tools'> {}

export function openSession(options: SessionOptions): Session {
  return { ...options, firstResults: new Map(), seen: noSight() };
}

/** What was seen since the last time. */
export function takeSight(session: Session): SeenCalls {
  const { calls, used, refused, missed } = session.seen;
  session.seen = noSight();
  return {
    ...(used ?? UNKNOWN_TOKENS),
    calls,
    refused: [...refused],
    missed: [...missed],
    struck: session.state?.takeStruck() ?? 0,
  };
}

function noSight(): Sight {
  return { calls: [], used: null, refused: new Set(), missed: new Set() };
}

/** A model was asked at this address. */
export function noteModelCall({ seen }: Session, url: URL): void {
  seen.calls.push({ port: 'model', names: hostNames(url), struckBy: [] });
}

/** A tool of these names was called, whatever came of it. */
export function noteToolCall({ seen }: Session, names: readonly string[]): void {
  seen.calls.push({ port: 'tool', names, struckBy: [] });
}

/**
 * A model answered. The tools that it asks for are called by the agent itself, unless their own calls are in sight. An
 * answer that does not tell its tokens leaves the sum unknown: less than all must not look like all.
 */
export function noteAnswer(session: Session, { used, tools }: SeenAnswer): void {
  const { seen } = session;
  seen.used = seen.used === null ? used : addTokens(seen.used, used);
  for (const name of tools) if (!session.tools.has(name)) noteToolCall(session, [name]);
}

/** Labels of what fired more often than before. */
export function firedSince(state: ChaosState | null, before: readonly number[]): readonly string[] {
  if (state === null) return [];
  return state.labels.filter((_, at) => (state.fired[at] ?? 0) > (before[at] ?? 0));
}
