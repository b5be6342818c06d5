import type { Json } from '../types/json.ts';
import type { LiveNode } from '../types/live-node.ts';
import type { NodeType } from './node-type.ts';
import type { ModelRequest } from './request.ts';

/** The name a live node's function is called by. */
export function liveNodeFunction(type: string): string {
  return `node:${type}`;
}

/** The name a live model's function is called by. */
export function liveModelFunction(backend: string): string {
  return `model:${backend}`;
}

/** The name of the function that asks real models. */
export const LIVE_CALL = 'live-model';

/** What that function is asked; plain data. */
export interface LiveCallPayload extends Omit<ModelRequest, 'port' | 'repair'> {
  /** Position in the plan. */
  readonly scenario: number;
  readonly trial: number;
  /** As in an address. */
  readonly walk: string;
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
  readonly call: number;
  /** True: the answer says when what arrived and how often it was asked for; absent: only what it is. */
  readonly inDetail?: true;
}

/** The node type of a live node: one request to the host per visit. */
export function liveNodeType(live: LiveNode): NodeType {
  return {
    kind: 'node',
    type: live.type,
    summary: live.summary,
    needs: () => ['host'],
    labels: () => live.labels,
    create: (config) => ({
      reads: live.reads.map((key) => {
        const path = config[key];
        return { from: 'path', path: typeof path === 'string' ? path : '' };
      }),
      begin: (inputs) => ({
        kind: 'ask',
        request: {
          port: 'host',
          name: liveNodeFunction(live.type),
          payload: { inputs: inputs.map((input) => input ?? null), config },
        },
        state: null,
      }),
      after: (_state, reply) => {
        if (reply.kind === 'error') return { kind: 'error', category: reply.category, message: reply.message };
        if (reply.kind !== 'value') return { kind: 'error', category: 'tool', message: 'the host gave no value' };
        return liveResult(reply.value);
      },
    }),
  };
}

function liveResult(value: Json): ReturnType<NonNullable<ReturnType<NodeType['create']>['after']>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { kind: 'done', output: value };
  const { output, branch } = value as { readonly output?: Json; readonly branch?: Json };
  if (output === undefined) return { kind: 'done', output: value };
  return typeof branch === 'string' ? { kind: 'done', output, branch } : { kind: 'done', output };
}
