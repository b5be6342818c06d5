import type { Json, JsonObject } from './json.ts';
import type { Amount, Count } from './numbers.ts';
import type { TrialRecord } from './record.ts';
import type { ErrorCategory, Outcome, TrialResult } from './trial.ts';

/** The version of everything below; a change of shape is a new number. */
export const TRACE_VERSION = 2;

/** A trial that was run again, as JSON. */
export interface TraceDocument {
  /** As it was loaded; its shape is not promised. */
  readonly scenario: JsonObject;
  readonly result: TrialResult;
  /** Null: no workflow was tried; the record says what was asked and answered. */
  readonly trace: Trace | null;
  readonly record: TrialRecord;
}

/** One trial, step by step. */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly scenario: string;
  readonly trial: Count;
  readonly events: readonly TraceEvent[];
}

/** Where an event happened. `walk` is `''` for the top-level walk, else `node[element]/node[element]`. */
export interface TracePlace {
  readonly walk: string;
  readonly node: string;
  /** Visits of this node in this walk so far, from 1. */
  readonly visit: Count;
  /** Attempt within the visit, from 1. */
  readonly attempt: Count;
  /** Virtual microseconds. */
  readonly atUs: Amount;
}

export type TraceEvent =
  | {
      readonly kind: 'prompt';
      readonly walk: '';
      /** What a model made of the prompt of the trial, before it began. */
      readonly text: string;
      /** The prompt as the file has it. */
      readonly intended: string;
    }
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
  | (TracePlace & { readonly kind: 'retry'; readonly waitUs: Amount; readonly message: string })
  | (TracePlace & { readonly kind: 'output'; readonly output: Json; readonly branch: string | null })
  | (TracePlace & { readonly kind: 'edge'; readonly to: string; readonly when: string | null })
  | (TracePlace & { readonly kind: 'error'; readonly category: ErrorCategory; readonly message: string })
  | { readonly kind: 'end'; readonly walk: string; readonly outcome: Outcome };

/** Where the spans of one trial hang, in whatever system traces are kept. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** The span that all others are below: 16 hexadecimal digits. */
  readonly span: string;
}
