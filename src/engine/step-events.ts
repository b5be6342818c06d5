import type { Answer, Port } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { TraceEvent } from '../types/trace.ts';
import type { WalkState } from './walk-state.ts';

// What every visit records. Each is one object literal: spreading a place into it costs several times as much.

const NO_INPUTS: readonly (Json | undefined)[] = Object.freeze([]);

/** A node begins with these inputs, which are copied. */
export function visitEvent(walk: WalkState, type: string, values: readonly (Json | undefined)[]): TraceEvent {
  const { node, visit, attempt } = walk.address;
  const inputs = values.length === 0 ? NO_INPUTS : values.slice();
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'visit', type, inputs };
}

/** A node asks a port for something. */
export function requestEvent(walk: WalkState, port: Port, request: Json): TraceEvent {
  const { node, visit, attempt } = walk.address;
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'request', port, request };
}

/** The port has answered. Replies that are kept, and therefore frozen, are shown as they are; others are copied. */
export function replyEvent(walk: WalkState, port: Port, { reply: original, source }: Answer): TraceEvent {
  const { node, visit, attempt } = walk.address;
  const reply = (Object.isFrozen(original) ? original : { ...original }) as unknown as Json;
  return { walk: walk.name(), node, visit, attempt, atUs: walk.clockUs, kind: 'reply', port, reply, source };
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
