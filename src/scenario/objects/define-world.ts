import type { Json } from '../../types/json.ts';
import type { HttpError, McpError, ProcessError, TextMatch } from '../../types/mock.ts';

/** What stands in for the outside world. */
export interface WorldDefinition {
  /** Environment variables; anything else reads as unset. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files in memory by path. */
  readonly files?: Readonly<
    Record<
      string,
      | string
      | {
          /** The text of the file. */
          readonly content: string;
        }
      | {
          /** Makes it a folder. */
          readonly dir: true;
        }
      | {
          /** Where the link leads. */
          readonly link: string;
        }
    >
  >;
  /** HTTP replies; the first that fits answers. */
  readonly http?: readonly HttpMockDefinition[];
  /** Programs; the first that fits answers. */
  readonly processes?: readonly ProcessMockDefinition[];
  /** MCP servers. */
  readonly mcp?: readonly McpMockDefinition[];
  /** Decisions by pause node; left out: the run stays paused. */
  readonly approvals?: Readonly<
    Record<
      string,
      | 'resume'
      | 'pause'
      | {
          /** What the human decides. */
          readonly decision: 'resume' | 'pause';
          /** Virtual milliseconds until then; default 0. */
          readonly afterMs?: number;
        }
    >
  >;
}

/** Method, URL and query of HTTP requests. */
export interface HttpTargetDefinition {
  /** Method, or a list of methods; left out: any. */
  readonly method?: string | readonly string[];
  /** Exact URL, a beginning that ends with *, or with * for segments of its path and parts of them. */
  readonly url?: string;
  /** Pattern that the URL must match (RE2 syntax). */
  readonly urlMatches?: string;
  /** Parameters that must be there, in any order; url is then compared without its query. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
}

/** Headers and body of HTTP requests. */
export interface HttpContentDefinition {
  /** Headers that must be sent. */
  readonly headers?: Readonly<Record<string, TextMatch>>;
  /** The whole body. */
  readonly body?: string;
  /** Text that the body must contain. */
  readonly bodyContains?: string;
  /** Pattern that the body must match (RE2 syntax). */
  readonly bodyMatches?: string;
  /** What the body must hold as JSON: tables may have more keys, lists must be as long. */
  readonly bodyJson?: Json;
}

/** Arguments of programs. */
export interface ArgsDefinition {
  /** All arguments, one by one; left out: any. */
  readonly args?: readonly TextMatch[];
  /** Each is among the arguments. */
  readonly argsContain?: readonly TextMatch[];
}

type QueryValue = TextMatch | number | boolean;

/** A reply with how often it is given, or several in order. */
type Served<R> = R & {
  /** Requests of a trial that it answers before the next entry that fits does. */
  readonly times?: number;
  /** First call, second call, and so on; instead of the keys of a single reply. */
  readonly replies?: readonly R[];
  /** After the last of `replies`: it again (`repeat`, the default), or a failed connection. */
  readonly afterLast?: 'repeat' | 'error';
};

interface HttpReplyDefinition {
  /** Status of the reply; default 200. */
  readonly status?: number;
  /** Headers of the reply. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the reply; what is not text is sent as JSON. */
  readonly body?: unknown;
  /** Virtual milliseconds until it answers; default 0. */
  readonly delayMs?: number;
  /** What goes wrong on the way, instead of a reply. */
  readonly error?: HttpError;
}

type HttpMockDefinition = HttpTargetDefinition & {
  /** What headers and body of the request must be. */
  readonly request?: HttpContentDefinition;
} & Served<HttpReplyDefinition>;

interface ProcessReplyDefinition {
  /** Exit code; default 0. */
  readonly exitCode?: number;
  /** Number of the signal that ends it. */
  readonly signal?: number;
  /** What it prints. */
  readonly stdout?: string;
  /** What it prints as errors. */
  readonly stderr?: string;
  /** Virtual milliseconds until it answers; default 0. */
  readonly delayMs?: number;
  /** It never ends by itself: it is killed at the limit of its node. */
  readonly hangs?: boolean;
  /** What keeps it from starting. */
  readonly error?: ProcessError;
}

type ProcessMockDefinition = {
  /** Absolute path of the program that it stands in for. */
  readonly command: string;
} & ArgsDefinition &
  Served<ProcessReplyDefinition>;

interface ToolReplyDefinition {
  /** The tool's content. */
  readonly content?: unknown;
  /** The tool's structured content. */
  readonly structured?: unknown;
  /** The tool says that it failed. */
  readonly isError?: boolean;
  /** Virtual milliseconds until it answers; default 0. */
  readonly delayMs?: number;
  /** `down`, `timeout`, or the error that the server answers. */
  readonly error?: McpError;
}

type ToolDefinition = {
  /** What the arguments must hold: tables may have more keys, lists must be as long. */
  readonly args?: Json;
} & Served<ToolReplyDefinition>;

interface ResourceReplyDefinition {
  /** The contents. */
  readonly contents?: unknown;
  /** Virtual milliseconds until it answers; default 0. */
  readonly delayMs?: number;
  /** `down`, `timeout`, or the error that the server answers. */
  readonly error?: McpError;
}

interface McpMockDefinition {
  /** Name of the MCP server it stands in for. */
  readonly name: string;
  /** `down`, `timeout`, or the error the server answers: {code = …, message = …}. */
  readonly error?: McpError;
  /** Answers by tool name. */
  readonly tools?: Readonly<Record<string, ToolDefinition | readonly ToolDefinition[]>>;
  /** Contents by resource URI. */
  readonly resources?: Readonly<Record<string, unknown>>;
  /** Reads of resources that take time, fail or change; they come before resources. */
  readonly reads?: readonly ({
    /** URI of the resource. */
    readonly uri: string;
  } & Served<ResourceReplyDefinition>)[];
  /** The model backend that answers when the real server asks for one; before what the workflow says of it. */
  readonly sampling?: string;
  /** Answers to questions that the server asks its user. */
  readonly elicitations?: readonly ({
    /** What the question must be; left out: any. */
    readonly message?: TextMatch;
  } & Served<ElicitationReplyDefinition>)[];
}

interface ElicitationReplyDefinition {
  /** What the user does. */
  readonly action?: 'accept' | 'decline' | 'cancel';
  /** What the user fills in. */
  readonly content?: Readonly<Record<string, unknown>>;
  /** Virtual milliseconds until the answer; default 0. */
  readonly delayMs?: number;
}
