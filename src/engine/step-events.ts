import type { Json } from '../types/json.ts';
import type { TraceEvent } from '../types/trace.ts';
import type { WalkState } from './walk-state.ts';

// What every visit records. Each is one object literal: spreading a place into it costs several times as much.

/** A node begins with these inputs, which are copied. */
export function visitEvent(walk: WalkState, type: string, inputs: readonly (Json | undefined)[]): TraceEvent {
  const { node, visit, attempt } = walk.address;
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'visit', type, inputs: inputs.slice() };
}

/** A node gave this output. */
export function outputEvent(walk: WalkState, output: Json, branch: string | null): TraceEvent {
  const { node, visit, attempt } = walk.address;
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'output', output, branch };
}

/** The walk goes on to another node. */
export function edgeEvent(walk: WalkState, to: string, when: string | null): TraceEvent {
  const { node, visit, attempt } = walk.address;
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'edge', to, when };
}
