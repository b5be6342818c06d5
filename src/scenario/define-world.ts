import type { Json } from '../types/json.ts';
import type { HttpError, McpError, ProcessError, TextMatch } from '../types/mock.ts';

/** What stands in for the outside world. */
export interface WorldDefinition {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<
    Record<string, string | { readonly content: string } | { readonly dir: true } | { readonly link: string }>
  >;
  readonly http?: readonly HttpMockDefinition[];
  readonly processes?: readonly ProcessMockDefinition[];
  readonly mcp?: readonly McpMockDefinition[];
  readonly approvals?: Readonly<
    Record<string, 'resume' | 'pause' | { readonly decision: 'resume' | 'pause'; readonly afterMs?: number }>
  >;
}

/** Method, URL and query of HTTP requests. */
export interface HttpTargetDefinition {
  readonly method?: string | readonly string[];
  readonly url?: string;
  readonly urlMatches?: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
}

/** Headers and body of HTTP requests. */
export interface HttpContentDefinition {
  readonly headers?: Readonly<Record<string, TextMatch>>;
  readonly body?: string;
  readonly bodyContains?: string;
  readonly bodyMatches?: string;
  readonly bodyJson?: Json;
}

/** Arguments of programs. */
export interface ArgsDefinition {
  readonly args?: readonly TextMatch[];
  readonly argsContain?: readonly TextMatch[];
}

type QueryValue = TextMatch | number | boolean;

/** A reply with how often it is given, or several in order. */
type Served<R> = R & {
  readonly times?: number;
  readonly replies?: readonly R[];
  readonly afterLast?: 'repeat' | 'error';
};

interface HttpReplyDefinition {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs?: number;
  readonly error?: HttpError;
}

type HttpMockDefinition = HttpTargetDefinition & {
  readonly request?: HttpContentDefinition;
} & Served<HttpReplyDefinition>;

interface ProcessReplyDefinition {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly delayMs?: number;
  readonly hangs?: boolean;
  readonly error?: ProcessError;
}

type ProcessMockDefinition = { readonly command: string } & ArgsDefinition & Served<ProcessReplyDefinition>;

interface ToolReplyDefinition {
  readonly content?: unknown;
  readonly structured?: unknown;
  readonly isError?: boolean;
  readonly delayMs?: number;
  readonly error?: McpError;
}

type ToolDefinition = { readonly args?: Json } & Served<ToolReplyDefinition>;

interface ResourceReplyDefinition {
  readonly contents?: unknown;
  readonly delayMs?: number;
  readonly error?: McpError;
}

interface McpMockDefinition {
  readonly name: string;
  readonly error?: McpError;
  readonly tools?: Readonly<Record<string, ToolDefinition | readonly ToolDefinition[]>>;
  readonly resources?: Readonly<Record<string, unknown>>;
  readonly reads?: readonly ({ readonly uri: string } & Served<ResourceReplyDefinition>)[];
  readonly elicitations?: readonly ({ readonly message?: TextMatch } & Served<ElicitationReplyDefinition>)[];
}

interface ElicitationReplyDefinition {
  readonly action?: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
  readonly delayMs?: number;
}
