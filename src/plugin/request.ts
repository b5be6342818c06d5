import type { McpQuestion, McpRequest } from './mcp-request.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type {
  FinishReason,
  Message,
  MessagePart,
  OutputFormat,
  TokenUsage,
  ToolChoice,
  ToolDeclaration,
} from '../types/message.ts';
import type { WrittenRequest } from '../types/model-endpoint.ts';
import type { ErrorCategory } from '../types/trial.ts';

/** What a step can ask for: all that is outside it. */
export const PORTS = ['model', 'http', 'file', 'env', 'process', 'mcp', 'client', 'children', 'host'] as const;
/** A part of the outside world that nodes ask. */
export type Port = (typeof PORTS)[number];

/** What a step asks of a port. Plain data, so that it can be traced, matched and replayed. */
export type Request =
  | ModelRequest
  | FileRequest
  | EnvRequest
  | HttpRequest
  | ProcessRequest
  | McpRequest
  | ClientRequest
  | ChildrenRequest
  | HostRequest;

/** A question to a model. */
export interface ModelRequest {
  readonly port: 'model';
  /** The backend that the node names. */
  readonly backend: string;
  /** The conversation so far. */
  readonly messages: readonly Message[];
  /** Cap for the answer; null: none. */
  readonly maxTokens: number | null;
  /** True for a request that repairs a rejected answer; counted as `repairs`. */
  readonly repair: boolean;
  /** Tools that the model may call; absent: none. */
  readonly tools?: readonly ToolDeclaration[];
  /** Absent: `auto`. */
  readonly toolChoice?: ToolChoice;
  /** Absent: any text. */
  readonly output?: OutputFormat;
  /** What an agent wrote for its provider, which a real model gets in place of all this; absent: nothing. */
  readonly written?: WrittenRequest;
}

export interface FileRequest {
  readonly port: 'file';
  /** What is done to the file. */
  readonly op: 'read' | 'write' | 'mkdir';
  /** The node type it is done for, used in denial and error texts. */
  readonly as: string;
  /** As the subject gave it. */
  readonly path: string;
  /** Present for writes. */
  readonly content?: string;
  /** What is wrong with the rest of the request; told only after policy has allowed the target. */
  readonly invalid?: string;
}

export interface EnvRequest {
  readonly port: 'env';
  /** The name of the variable. */
  readonly key: string;
}

export interface HttpRequest {
  readonly port: 'http';
  /** Upper case. */
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** The headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null: the request has none. */
  readonly body: string | null;
  /** What is wrong with the rest of the request; told only after policy has allowed the target. */
  readonly invalid?: string;
}

export interface ProcessRequest {
  readonly port: 'process';
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The time limit, in milliseconds. */
  readonly timeoutMs: number;
  /** What is wrong with the rest of the request; told only after policy has allowed the target. */
  readonly invalid?: string;
}

/** What a client of MCP does besides calling: it answers for the user, and looks what tools there are. */
export type ClientRequest =
  | {
      readonly port: 'client';
      readonly op: 'elicitation';
      /** Null: the only declared server. */
      readonly server: string | null;
      /** What the server asks. */
      readonly message: string;
      /** JSON Schema of the form. */
      readonly schema: Json;
    }
  | {
      readonly port: 'client';
      readonly op: 'tools';
      /** The name of the server. */
      readonly server: string;
    };

export interface ChildrenRequest {
  readonly port: 'children';
  /** The child runs to start. */
  readonly runs: readonly ChildRun[];
  /** How many overlap; later ones start when a whole group has ended. */
  readonly maxConcurrent: number;
}

/** A run of a child workflow. */
export interface ChildRun {
  /** Key in the scenario's `children`. */
  readonly workflow: string;
  /** Absent: the child's first start node. */
  readonly start?: string;
  /** What triggers the child. */
  readonly input: Json;
}

/** A call to a function that lives with the user of the library. */
export interface HostRequest {
  readonly port: 'host';
  /** The name of the host function. */
  readonly name: string;
  /** What the function is called with. */
  readonly payload: Json;
}

/** What a port answers. */
export type Reply =
  | ModelReply
  | {
      readonly kind: 'value';
      /** What came back. */
      readonly value: Json;
    }
  | {
      readonly kind: 'children';
      /** One for each child, in their order. */
      readonly results: readonly ChildResult[];
    }
  | AskedReply
  | ErrorReply;

/** A server asks back: the request goes on when it comes again with `resume`. */
export interface AskedReply {
  readonly kind: 'asked';
  /** Without `resume`. */
  readonly request: McpRequest;
  /** The questions of the server. */
  readonly questions: readonly McpQuestion[];
  /** What the server wants back with the answers. */
  readonly state: Json;
}

/** A model's answer. */
export interface ModelReply {
  readonly kind: 'model';
  /** The answer in parts. */
  readonly parts: readonly MessagePart[];
  /** Null: the model did not say. */
  readonly finish: FinishReason | null;
  /** Null: the model did not say. */
  readonly usage: TokenUsage | null;
  /** The answer to a `written` request as the provider wrote it; absent: there is none. */
  readonly body?: JsonObject;
}

/** The outside world answered with an error. */
export interface ErrorReply {
  readonly kind: 'error';
  /** What kind of error it is. */
  readonly category: ErrorCategory;
  /** Without the category's prefix. */
  readonly message: string;
  /** True exactly when the subject's policy refused; then nothing has happened anywhere. */
  readonly denied: boolean;
  /** What a model took although it gave no answer, as one that was withheld; absent: nothing, or nobody knows. */
  readonly usage?: TokenUsage;
  /** The run's token budget is used up, so no request was made. */
  readonly spent?: true;
}

/** How a child workflow ended. */
export type ChildResult =
  | {
      readonly kind: 'completed';
      /** The child's final value. */
      readonly value: Json;
    }
  | {
      readonly kind: 'failed';
      /** Why it ended. */
      readonly reason: string;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'paused' }
  | {
      readonly kind: 'error';
      /** What kind of error it was. */
      readonly category: ErrorCategory;
      /** What went wrong. */
      readonly message: string;
    };

/** Where a request comes from. Valid during the call only: drivers reuse the object. */
export interface Address {
  /** Number of the trial. */
  readonly trial: number;
  /** The walk of the trial, as in traces: `''`, or the nodes and elements that lead to it. */
  readonly walk: string;
  /** The node that asks. */
  readonly node: string;
  /** Visits of the node in its walk, from 1. */
  readonly visit: number;
  /** Attempts within the visit, from 1. */
  readonly attempt: number;
  /** Model requests of this trial so far, this one included. */
  readonly call: number;
  /** True when the request's target derives from a model's answer. */
  readonly fromModel: boolean;
}

/** A reply and what it took. Constant answers are shared between trials, so nobody mutates one. */
export interface Answer {
  /** What came back. */
  readonly reply: Reply | BrokenReply;
  /** Virtual microseconds it took. */
  readonly delayUs: number;
  /** Who answered. */
  readonly source: 'policy' | 'turn' | 'mock' | 'memory' | 'effect' | 'host' | 'fault' | 'none';
  /** The fault that fired on it; null: none. */
  readonly fault: string | null;
}

/** The harness could not answer: the trial is broken, which says nothing about the subject. Steps never see it. */
export interface BrokenReply {
  readonly kind: 'broken';
  /** What was asked for, and how to declare or allow it. */
  readonly message: string;
}

/** Everything outside the steps of one trial; one order for all: policy, fault, then mock, memory or effect. */
export interface Ports {
  /**
   * What becomes of a request before it is noted down and asked; called once for each, right before `ask`. Absent: it
   * stays as it is.
   */
  readonly prepare?: ((request: Request) => Request) | undefined;
  /**
   * `signal`: the answer is not wanted any more, since its time is up or the trial is over; of no meaning after an answer at
   * once. Absent: answers at once.
   */
  ask(request: Request, at: Address, signal?: AbortSignal): Answer | Promise<Answer>;
  /**
   * True: only the outside world answers it, so it may be under way while an earlier child of the trial still runs.
   * False: the plan has a say, such as its turns, which are taken in declared order. Absent: always false.
   */
  readonly overlaps?: ((request: Request) => boolean) | undefined;
}
