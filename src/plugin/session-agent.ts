import type { Json, JsonObject } from '../types/json.ts';

/**
 * What the module of an agent exports. It is called once for each session, so that whatever it makes belongs to that session
 * alone, and gives what answers the user. What it rejects with is a failure of the agent.
 */
export type SessionAgent = (session: AgentSession) => AgentAnswers | Promise<AgentAnswers>;

/** Answers a message of the user. Messages come one after the other. */
export type AgentAnswers = (message: string) => AgentReply | Promise<AgentReply>;

/** What the user is told, or that with what it took. */
export type AgentReply = AgentText | AgentReplyFacts | AgentReplyStream;

/** A text, or its pieces as they come, such as `textStream` of the AI SDK: these are read to their end. */
export type AgentText = string | AsyncIterable<string>;

/** What models took. */
export interface AgentTokens {
  /** Tokens of the questions. */
  readonly promptTokens: number;
  /** Tokens of the answers. */
  readonly completionTokens: number;
}

/** The same in the words of the AI SDK. */
export interface SdkTokens {
  /** Tokens of the questions; undefined: unknown. */
  readonly inputTokens: number | undefined;
  /** Tokens of the answers; undefined: unknown. */
  readonly outputTokens: number | undefined;
}

/** What an agent says, and what is known of how it came to it. */
export interface AgentReplyFacts {
  /** What the agent says. */
  readonly text: AgentText;
  /** Tokens of all calls of models behind it together; absent: unknown. */
  readonly usage?: AgentTokens | SdkTokens;
  /** The same of a result of the AI SDK, whose `usage` is that of its last step. */
  readonly totalUsage?: SdkTokens;
  /** Calls of models behind it; absent: as many as its usage or its steps tell, or one. */
  readonly modelCalls?: number;
  /** The model that answered, as ledgers name it; absent: unknown. */
  readonly model?: string;
  /** Why its model ended it, such as `length`, in the words of providers or of the AI SDK; absent: unknown. */
  readonly finishReason?: string;
}

/** A result of `streamText` of the AI SDK: its text is read first, and then what it says of it. */
export interface AgentReplyStream {
  /** What the agent says, in pieces. */
  readonly textStream: AsyncIterable<string>;
  /** Tokens of all calls of models behind it together; absent: unknown. */
  readonly totalUsage?: PromiseLike<SdkTokens>;
  /** The calls of models behind it; absent: unknown. */
  readonly steps?: PromiseLike<readonly unknown[]>;
  /** Why its model ended it, where `error` is no answer; absent: unknown. */
  readonly finishReason?: PromiseLike<string>;
}

/** A session as its agent sees it. */
export interface AgentSession {
  /** The file's text for agents, such as a policy; null: it has none. */
  readonly system: string | null;
  /** What the agent may call. */
  readonly tools: readonly SessionTool[];
  /** Aborted when nobody waits for an answer any more. */
  readonly signal: AbortSignal;
  /** A number in [0, 1) that depends on seed, task, trial and key only. */
  draw(key: string): number;
}

/** A tool as a plain function. */
export interface SessionTool {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does. */
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonObject;
  /** Carries out a call. Throws a `ToolError` where the tool fails, and for arguments that do not fit. */
  execute(args: unknown): Json;
}

/** What went wrong with a call, for the agent. */
export class ToolError extends Error {
  /** Always `ToolError`. */
  override readonly name = 'ToolError';
}
