import type { ChaosState } from '../../faults/chaos/chaos-state.ts';
import type { SeenTokens } from '../target.ts';
import type { Forwarder } from './forward.ts';

/** One call through the proxy. */
export interface ProxyCall {
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
  /** Results of tools as they were told first, by call. */
  readonly told: Map<string, string>;
  /** What the models' answers took; null: none has come. */
  used: SeenTokens | null;
  tools: string[];
}

export function openSession(state: ChaosState | null, forwarder: Forwarder, signal: AbortSignal): Session {
  return { state, forwarder, signal, told: new Map(), used: null, tools: [] };
}

/** Labels of what fired more often than before. */
export function firedSince(state: ChaosState | null, before: readonly number[]): readonly string[] {
  if (state === null) return [];
  return state.labels.filter((_, at) => (state.fired[at] ?? 0) > (before[at] ?? 0));
}
