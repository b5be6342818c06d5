import type { AnswerUsage } from '../types/agent.ts';
import type { FinishReason } from '../types/message.ts';
import type { ToolCall } from '../types/session.ts';
import type { ToolReply } from './world/tool-reply.ts';

/** One call of a tool, as it came out. */
export interface DialogueCall extends ToolCall, ToolReply {}

/** What is known of how an answer came about. */
export interface AnswerSource {
  /** Tokens behind it; absent: unknown. */
  readonly usage?: AnswerUsage;
  /** Absent: unknown. */
  readonly model?: string;
  /** Calls of the model behind it; absent: they are out of sight, and count as one. */
  readonly modelCalls?: number;
  /** Why its model ended it; absent: unknown. */
  readonly finish?: FinishReason;
}

/** What an agent says to the user. */
export interface AgentSays extends AnswerSource {
  readonly kind: 'says';
  readonly text: string;
}

/** What was said and done in a session, in order. */
export type DialogueEvent =
  /** `meant`: what the user meant to say, where it was mutated; absent: the same. */
  | { readonly kind: 'user'; readonly text: string; readonly meant?: string }
  | { readonly kind: 'calls'; readonly calls: readonly DialogueCall[] }
  | ({ readonly kind: 'agent' } & Omit<AgentSays, 'kind'>)
  /** An answer that the user never heard: an assertion refused it, or the session ended at it. */
  | ({ readonly kind: 'draft' } & Omit<AgentSays, 'kind'>)
  /** What the agent was told of one that an assertion refused. */
  | { readonly kind: 'feedback'; readonly text: string };

/** What an agent does when the user has said something: it says something, or cannot. */
export type AgentMove = AgentSays | (AnswerSource & { readonly kind: 'stops'; readonly reason: string });

/** An agent in one session. */
export interface AgentInSession {
  /** Answers a message of the user; on the way it may call tools. A promise where it waits for something. */
  answer(message: string, tools: Tools): AgentMove | Promise<AgentMove>;
  /** Called once when the session is over; absent: nothing is left behind. */
  leave?(): void;
}

/** A call that an agent wants. */
export interface AskedCall extends ToolCall {
  /** What is wrong with its arguments as a text, so that nothing can be done with them; absent: they are data. */
  readonly malformed?: string;
}

/** The tools of a session, in the hands of its agent. */
export interface Tools {
  /** Carries out calls that belong together, one after the other; null: a limit ends the session here, or it has ended. */
  call(calls: readonly AskedCall[]): readonly DialogueCall[] | null;
  /** Whether the session goes on when an answer has taken this much so far; false: the limit of tokens ends it. */
  affords(usage: AnswerUsage): boolean;
}
