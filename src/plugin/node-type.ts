import type { Json, JsonObject } from '../types/json.ts';
import type { CheckedNode, NodeProblem } from '../types/node-problem.ts';
import type { ErrorCategory, HttpResponse } from '../types/trial.ts';
import type { Port, Reply, Request } from './request.ts';

/** Where a step's input comes from. */
export type Read =
  /** A dotted context path: the first segment is a node id or `trigger`. */
  | {
      readonly from: 'path';
      /** Where the value is found: a node id or `trigger` first. */
      readonly path: string;
    }
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
  /** Calls of the outside that it makes, as far as its config tells; absent: the ports that it needs are all that is known. */
  calls?(config: C): readonly OutsideCall[];
  /** Workflows that it runs; absent: none are known. */
  children?(config: C): readonly ChildUse[];
  /** How often one visit asks a model at most; absent: no bound is known where it needs one. */
  mostRequests?(config: C): number;
  /** Key of its config, in camelCase, that holds a JSON Schema or names a file with one. */
  readonly schemaKey?: string;
  /** Where all that it reads ends up: in its requests alone, or in its output as it is; absent: it may decide anything. */
  readonly passesTo?: 'requests' | 'output';
  /** Its id in the capability matrix, which a visit shows; absent, and for code of the user: none. */
  readonly capability?: string;
  /** True: it ends the run, so that no edge is followed. */
  readonly ends?: true;
  /** True: it always gives a label. */
  readonly alwaysLabelled?: true;
  /** True: the engine itself runs it, so that `retry` means nothing. */
  readonly engineRun?: true;
  /** True: it waits for the decision of a human. */
  readonly pauses?: true;
  /** True: a model chooses its further requests. */
  readonly isLoop?: true;
  /** True: it shapes the reply to the trigger. */
  readonly responds?: true;
  /** All keys that its output can have, where it is always an object; absent: it may be anything. */
  readonly outputKeys?: readonly string[];
  /** What it gives in a dry run, in which it asks nothing; absent: it asks, so that policy judges the request. */
  readonly dryOutput?: Json;
  /** What the schema cannot say of a node. Built-in types have it beside their schema, where workers do not load it. */
  check?(config: C, node: CheckedNode): readonly NodeProblem[];
  /** Pure: no state, no clock, no I/O. What must be remembered inside a trial travels in `state`. */
  create(config: C, node: NodeView): Step;
}

/** A call of the outside as far as a config tells; what is left out is known only when it runs. */
export type OutsideCall =
  | {
      readonly port: 'http';
      /** HTTP method. */
      readonly method?: string;
    }
  | {
      readonly port: 'process';
      /** Path of the program. */
      readonly command?: string;
    }
  | {
      readonly port: 'mcp';
      /** What is done. */
      readonly op: 'tool' | 'resource';
      /** Name of the MCP server. */
      readonly server?: string;
      /** Name of the tool, or address of the resource. */
      readonly target?: string;
    }
  | {
      readonly port: 'file';
      /** What is done. */
      readonly op: 'read' | 'write';
    }
  | {
      readonly port: 'env';
      /** Name of the variable. */
      readonly key?: string;
    };

/** A workflow that a node runs. */
export interface ChildUse {
  /** Where its table stands in the config: keys and positions, in camelCase; []: it is the config. */
  readonly at: readonly (string | number)[];
  /** How it is named there. */
  readonly workflow: string;
  /** How often one visit runs it at most. */
  readonly times: number;
  /** True: every visit runs it, whatever else happens; absent: it may not. */
  readonly always?: true;
}

/** What a node may know of its surroundings when it is compiled. */
export interface NodeView extends CheckedNode {
  /** The backends that answer when servers of MCP ask for a model, by server; absent: none does. */
  readonly mcpSampling?: Readonly<Record<string, string>>;
  /** Backends that models answer, rather than turns; absent: none. */
  readonly liveBackends?: readonly string[];
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
  | {
      readonly kind: 'end';
      /** How the run ends. */
      readonly status: 'completed' | 'failed';
      /** Why it ends. */
      readonly reason?: string;
    }
  | ErrorMove
  | {
      readonly kind: 'pause';
      /** What a person is asked to look at. */
      readonly reason?: string;
    }
  | {
      readonly kind: 'ask';
      /** What is asked of the outside world. */
      readonly request: Request;
      /** What `after` gets beside the reply. */
      readonly state: Json;
    };

/** The node is done and gives its output. */
export interface DoneMove {
  readonly kind: 'done';
  /** What the node gives. */
  readonly output: Json;
  /** Absent: the unlabelled edge is followed. */
  readonly branch?: string;
  /** The reply to the trigger; the last one of a completed run counts. */
  readonly response?: HttpResponse;
}

export interface ErrorMove {
  readonly kind: 'error';
  /** What kind of error it is. */
  readonly category: ErrorCategory;
  /** Without the category's prefix, unless it is `verbatim`. */
  readonly message: string;
  /** The message is a child's whole text and gets no prefix. */
  readonly verbatim?: boolean;
}
