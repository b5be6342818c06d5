import { draw, hashText, STREAM } from '../random/draw.ts';
import type { ErrorCategory } from '../types/trial.ts';
import type { GraphNode } from './graph.ts';
import type { WalkState } from './walk-state.ts';

const TRANSIENT: readonly ErrorCategory[] = ['tool', 'intelligence', 'mcp'];

/**
 * How long to wait before the attempt after `attempt`, in microseconds; null: the error stands.
 * Linear: back-off × attempt, times a factor in [1 − jitter, 1 + jitter]. Denials are never retried.
 */
export function retryWaitUs(walk: WalkState, node: GraphNode, category: ErrorCategory, attempt: number): number | null {
  const { retry } = node;
  if (retry === null || attempt >= retry.maxAttempts || !retriesOn(node, category)) return null;
  const waitUs = retry.backoffMs * 1000 * attempt;
  if (retry.jitter <= 0) return waitUs;
  const jitter = Math.min(retry.jitter, 0.5);
  const { trialState } = walk;
  const key = hashText(`${walk.name()}:${node.id}`);
  const drawn = draw(trialState.rules.words, trialState.trial, STREAM.jitter, key, walk.address.visit * 1024 + attempt);
  return Math.round(waitUs * (1 - jitter + 2 * jitter * (drawn / 0x100000000)));
}

/** True when a node's first attempt is followed by another after an error of this category. */
export function retriesOn({ retry }: GraphNode, category: ErrorCategory): boolean {
  if (retry === null || retry.maxAttempts <= 1 || category === 'policy') return false;
  return retry.on === 'any' || TRANSIENT.includes(category);
}
