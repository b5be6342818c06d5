import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { ErrorCategory, HttpResponse } from '../types/trial.ts';
import type { Port, Reply, Request } from './request.ts';

/** Where a step's input comes from. */
export type Read =
  /** A dotted context path: the first segment is a node id or `trigger`. */
  | { readonly from: 'path'; readonly path: string }
  /** The raw trigger payload, without `kind` and without the `input` wrapper. */
  | { readonly from: 'payload' };

/**
 * A kind of workflow node. Recognised by `kind`, never by identity. Its TOML schema stands in a sibling file,
 * which only the main thread imports.
 */
export interface NodeType<C = JsonObject> {
  readonly kind: 'node';
  /** The word in the TOML file. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Ports its requests go to; [] means pure. Decides driver, permissions and coverage. */
  needs(config: C): readonly Port[];
  /** Branch labels it can give; [] means it never gives one. */
  labels(config: C): readonly string[] | 'any';
  /** Problems that the schema cannot express. */
  check?(config: C, node: NodeView): readonly Issue[];
  /** Pure: no state, no clock, no I/O. What must be remembered inside a trial travels in `state`. */
  create(config: C, node: NodeView): Step;
}

/** What a node may know of its surroundings when it is compiled. */
export interface NodeView {
  readonly id: string;
  readonly workflow: string;
  /** Known model backends, `default` first. */
  readonly backends: readonly string[];
  readonly mcpServers: readonly string[];
  /** Makes a validator of a JSON Schema that was checked at load: a value's violations, [] when there are none. */
  readonly compileSchema: SchemaCompiler;
}

/** Turns a JSON Schema into a function that lists a value's violations as short texts. Neither throws. */
export type SchemaCompiler = (schema: Json) => (value: Json) => readonly string[];

/** A compiled node: a reducer. The same inputs and replies always give the same moves. */
export interface Step {
  /** One input for each, in this order. */
  readonly reads: readonly Read[];
  /** Position of the read that names the target of the effect; −1: none does; absent: the first. */
  readonly target?: number;
  /** `undefined` inputs were not found. Must not mutate or keep them. */
  begin(inputs: readonly (Json | undefined)[]): Move;
  /** Goes on after a reply; `state` is what the last `ask` carried. */
  after?(state: Json, reply: Reply): Move;
}

/** What a step wants to happen next. Outputs are frozen by convention: nobody mutates them. */
export type Move =
  | DoneMove
  | { readonly kind: 'end'; readonly status: 'completed' | 'failed'; readonly reason?: string }
  | ErrorMove
  | { readonly kind: 'pause'; readonly reason?: string }
  | { readonly kind: 'ask'; readonly request: Request; readonly state: Json };

export interface DoneMove {
  readonly kind: 'done';
  readonly output: Json;
  /** Absent: the unlabelled edge is followed. */
  readonly branch?: string;
  /** The reply to the trigger; the last one of a completed run counts. */
  readonly response?: HttpResponse;
}

export interface ErrorMove {
  readonly kind: 'error';
  readonly category: ErrorCategory;
  /** Without the category's prefix, unless it is `verbatim`. */
  readonly message: string;
  /** The message is a child's whole text and gets no prefix. */
  readonly verbatim?: boolean;
}
