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
  /** What became of the trial. */
  readonly result: TrialResult;
  /** Null: no workflow was tried; the record says what was asked and answered. */
  readonly trace: Trace | null;
  /** The trial as checks and judges see it. */
  readonly record: TrialRecord;
}

/** One trial, step by step. */
export interface Trace {
  /** Names the shape of the events. */
  readonly version: typeof TRACE_VERSION;
  /** The scenario's name. */
  readonly scenario: string;
  /** Number of the trial. */
  readonly trial: Count;
  /** What happened, in order. */
  readonly events: readonly TraceEvent[];
}

/** Where an event happened. `walk` is `''` for the top-level walk, else `node[element]/node[element]`. */
export interface TracePlace {
  /** The walk: `''` for that of the scenario, else where its parents call it. */
  readonly walk: string;
  /** The node. */
  readonly node: string;
  /** Visits of this node in this walk so far, from 1. */
  readonly visit: Count;
  /** Attempt within the visit, from 1. */
  readonly attempt: Count;
  /** Virtual microseconds. */
  readonly atUs: Amount;
}

/** Something that happened in a trial, told apart by `kind`. */
export type TraceEvent =
  | {
      readonly kind: 'prompt';
      /** The walk that ends. */
      readonly walk: '';
      /** What a model made of the prompt of the trial, before it began. */
      readonly text: string;
      /** The prompt as the file has it. */
      readonly intended: string;
    }
  | (TracePlace & {
      readonly kind: 'visit';
      /** The node's type. */
      readonly type: string;
      /** What it read; undefined: the path leads nowhere. */
      readonly inputs: readonly (Json | undefined)[];
    })
  | (TracePlace & {
      readonly kind: 'request';
      /** Which part of the outside world was asked. */
      readonly port: string;
      /** What was asked. */
      readonly request: Json;
    })
  | (TracePlace & {
      readonly kind: 'reply';
      /** Which part of the outside world was asked. */
      readonly port: string;
      /** What came back. */
      readonly reply: Json;
      /** Who answered. */
      readonly source: string;
    })
  | (TracePlace & {
      readonly kind: 'denial';
      /** Which part of the outside world was asked. */
      readonly port: string;
      /** Why, in a sentence. */
      readonly message: string;
      /** True: the model failed, and not passk. */
      readonly fromModel: boolean;
    })
  | (TracePlace & {
      readonly kind: 'fault';
      /** The fault's type. */
      readonly fault: string;
      /** Why, in a sentence. */
      readonly message: string;
    })
  | (TracePlace & {
      readonly kind: 'retry';
      /** Virtual microseconds until the next attempt. */
      readonly waitUs: Amount;
      /** Why, in a sentence. */
      readonly message: string;
    })
  | (TracePlace & {
      readonly kind: 'output';
      /** What the node gave. */
      readonly output: Json;
      /** The branch label that it gave; null: none. */
      readonly branch: string | null;
    })
  | (TracePlace & {
      readonly kind: 'edge';
      /** The node that it leads to. */
      readonly to: string;
      /** The label of the edge; null: it has none. */
      readonly when: string | null;
    })
  | (TracePlace & {
      readonly kind: 'error';
      /** What kind of error it is. */
      readonly category: ErrorCategory;
      /** Why, in a sentence. */
      readonly message: string;
    })
  | {
      readonly kind: 'end';
      /** The walk that ends. */
      readonly walk: string;
      /** How the run ended. */
      readonly outcome: Outcome;
    };

/** Where the spans of one trial hang, in whatever system traces are kept. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** The span that all others are below: 16 hexadecimal digits. */
  readonly span: string;
}
