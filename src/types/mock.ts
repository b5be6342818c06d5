import type { Json, JsonObject } from './json.ts';

/** A test of one text: exactly this, or what must be in it. */
export type TextMatch =
  | string
  | {
      /** Text that it must contain. */
      readonly contains?: string;
      /** Pattern that it must match (RE2 syntax). */
      readonly matches?: string;
    };

/** Tests of a body; all that are there must hold. */
export interface BodyMatch {
  /** The whole body. */
  readonly equals?: string;
  /** Text that the body must contain. */
  readonly contains?: string;
  /** RE2 syntax. */
  readonly matches?: string;
  /** The body is JSON and holds this: objects may have more keys, lists must be as long. */
  readonly json?: Json;
}

/** HTTP requests of one kind. What is left out fits any. */
export interface HttpMatch {
  /** Upper case; empty: any. */
  readonly methods: readonly string[];
  /** Exact, a beginning that ends with `*`, or with `*` for whole segments and parts of them. */
  readonly url?: string;
  /** RE2 syntax, over the canonical URL. */
  readonly urlMatches?: string;
  /** Parameters that must be there with all these values, in any order; with it, `url` is compared without its query. */
  readonly query?: Readonly<Record<string, readonly TextMatch[]>>;
  /** By name without regard to case. */
  readonly headers: Readonly<Record<string, TextMatch>>;
  /** What the body must match. */
  readonly body: BodyMatch;
}

/** Runs of programs. What is left out fits any. */
export interface ProcessMatch {
  /** Canonical paths are compared. */
  readonly command?: string;
  /** All arguments, one by one. */
  readonly args?: readonly TextMatch[];
  /** Each is among the arguments. */
  readonly argsContain: readonly TextMatch[];
}

/** Calls to MCP servers. What is left out fits any. */
export interface McpMatch {
  /** The name of the server; absent: any. */
  readonly server?: string;
  /** The name of the tool; absent: any. */
  readonly tool?: string;
  /** URI. */
  readonly resource?: string;
  /** Held by the arguments, as `BodyMatch.json` is by a body. */
  readonly args?: Json | undefined;
}

/** How often a mock answers in one trial, and with what. */
export interface MockReplies<R> {
  /** First call, second call, …; at least one. */
  readonly replies: readonly R[];
  /** What comes after the last: it again, or a failure of the connection. */
  readonly afterLast: 'repeat' | 'error';
  /** Requests of one trial it answers before the next mock that fits does; null or absent: all. */
  readonly times?: number | null;
}

/** What goes wrong on the way to an HTTP server. */
export const HTTP_ERRORS = ['refused', 'timeout', 'reset', 'dns', 'tls', 'truncated', 'malformed'] as const;
export type HttpError = (typeof HTTP_ERRORS)[number];

/** What keeps a program from starting. */
export const PROCESS_ERRORS = ['not_found', 'not_executable'] as const;
export type ProcessError = (typeof PROCESS_ERRORS)[number];

/** What goes wrong on the way to an MCP server. */
export const MCP_ERRORS = ['down', 'timeout'] as const;
export type McpError =
  | (typeof MCP_ERRORS)[number]
  | {
      /** The JSON-RPC error code. */
      readonly code: number;
      /** The message of the error. */
      readonly message: string;
    };

export interface MockHttp extends MockReplies<HttpReply> {
  /** What a request must match. */
  readonly match: HttpMatch;
}

export interface HttpReply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly body: string;
  /** How long the reply takes, in milliseconds of virtual time. */
  readonly delayMs: number;
  /** Instead of a reply. */
  readonly error?: HttpError;
}

export interface MockProcess extends MockReplies<ProcessReply> {
  /** What a request must match. */
  readonly match: ProcessMatch;
}

export interface ProcessReply {
  /** The exit code. */
  readonly exitCode: number;
  /** The number of the signal that ended it. */
  readonly signal?: number;
  /** What the program writes to standard output. */
  readonly stdout: string;
  /** What the program writes to standard error. */
  readonly stderr: string;
  /** How long the reply takes, in milliseconds of virtual time. */
  readonly delayMs: number;
  /** It never ends by itself. */
  readonly hangs: boolean;
  /** It does not start. */
  readonly error?: ProcessError;
}

export interface MockMcpServer {
  /** The name of the server. */
  readonly name: string;
  /** Nothing at all answers there. */
  readonly error?: McpError;
  /** In declared order, by tool. */
  readonly tools: Readonly<Record<string, readonly MockMcpTool[]>>;
  /** In declared order, by URI. */
  readonly resources: Readonly<Record<string, readonly MockMcpResource[]>>;
  /** What the user answers to questions of the real server, in declared order; absent: nobody is there to be asked. */
  readonly elicitations?: readonly MockElicitation[];
}

export interface MockElicitation extends MockReplies<ElicitationReply> {
  /** A test of the question; absent: any. */
  readonly message?: TextMatch;
}

/** What a user can do with a form. */
export const ELICITATION_ACTIONS = ['accept', 'decline', 'cancel'] as const;

export interface ElicitationReply {
  /** What the user does with the question. */
  readonly action: (typeof ELICITATION_ACTIONS)[number];
  /** What the form is filled with; null: nothing. */
  readonly content: JsonObject | null;
  /** How long the reply takes, in milliseconds of virtual time. */
  readonly delayMs: number;
}

export interface MockMcpTool extends MockReplies<McpToolReply> {
  /** Held by the arguments; absent: any. */
  readonly args?: Json;
}

export interface McpToolReply {
  /** The content blocks of the result. */
  readonly content: Json;
  /** The structured content of the result. */
  readonly structured: Json;
  /** True: the tool reports an error. */
  readonly isError: boolean;
  /** How long the reply takes, in milliseconds of virtual time. */
  readonly delayMs: number;
  /** The error in place of a result; absent: there is none. */
  readonly error?: McpError;
}

export type MockMcpResource = MockReplies<McpResourceReply>;

export interface McpResourceReply {
  /** The contents of the resource. */
  readonly contents: Json;
  /** How long the reply takes, in milliseconds of virtual time. */
  readonly delayMs: number;
  /** The error in place of a result; absent: there is none. */
  readonly error?: McpError;
}
