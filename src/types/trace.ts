import type { Json } from './json.ts';
import type { ErrorCategory, Outcome } from './trial.ts';

/** The version of everything below; a change of shape is a new number. */
export const TRACE_VERSION = 2;

/** One trial, step by step. */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly scenario: string;
  readonly trial: number;
  readonly events: readonly TraceEvent[];
}

/** Where an event happened. `walk` is `''` for the top-level walk, else `node[element]/node[element]`. */
export interface TracePlace {
  readonly walk: string;
  readonly node: string;
  /** Visits of this node in this walk so far, from 1. */
  readonly visit: number;
  /** Attempt within the visit, from 1. */
  readonly attempt: number;
  /** Virtual microseconds. */
  readonly atUs: number;
}

export type TraceEvent =
  | (TracePlace & { readonly kind: 'visit'; readonly type: string; readonly inputs: readonly (Json | undefined)[] })
  | (TracePlace & { readonly kind: 'request'; readonly port: string; readonly request: Json })
  | (TracePlace & { readonly kind: 'reply'; readonly port: string; readonly reply: Json; readonly source: string })
  | (TracePlace & {
      readonly kind: 'denial';
      readonly port: string;
      readonly message: string;
      readonly fromModel: boolean;
    })
  | (TracePlace & { readonly kind: 'fault'; readonly fault: string; readonly message: string })
  | (TracePlace & { readonly kind: 'retry'; readonly waitUs: number; readonly message: string })
  | (TracePlace & { readonly kind: 'output'; readonly output: Json; readonly branch: string | null })
  | (TracePlace & { readonly kind: 'edge'; readonly to: string; readonly when: string | null })
  | (TracePlace & { readonly kind: 'error'; readonly category: ErrorCategory; readonly message: string })
  | { readonly kind: 'end'; readonly walk: string; readonly outcome: Outcome };
