import { answerFinish } from '../finish-reason.ts';
import type { SessionAgent, SessionTool } from '../session-agent.ts';
import { type FrameworkSession, isToolError, replyOf, resultText, usageOf } from './framework-session.ts';

/** What is needed of `@langchain/core`. */
export interface LangChain<Tool> {
  /** Of `@langchain/core/tools`. */
  readonly tool: (run: never, fields: never) => Tool;
  /** Of `@langchain/core/messages`. */
  readonly ToolMessage: new (
    fields: never,
  ) => unknown;
}

/** A compiled graph whose state has `messages`, such as that of `createReactAgent` or `createAgent`. */
export interface LangGraph {
  /** `messages` are `BaseMessage`s and the like, of whichever version LangChain is. */
  invoke(
    input: {
      /** The conversation so far. */
      readonly messages: never[];
    },
    config: {
      /** Ends the call. */
      readonly signal: AbortSignal;
      /** What the graph is told of the conversation. */
      readonly configurable: {
        /** What tells the conversation from others. */
        readonly thread_id: string;
      };
    },
  ): PromiseLike<{
    /** The conversation with what the graph has added. */
    readonly messages: readonly LangChainMessage[];
  }>;
}

/** What is read of a message. */
export interface LangChainMessage {
  /** What tells the message from others. */
  readonly id?: string | undefined;
  /** Text, or parts. */
  readonly content: string | readonly unknown[];
  /** What the provider says of the answer. */
  readonly response_metadata?: Readonly<Record<string, unknown>>;
  /** What stands beside the content, such as a refusal. */
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  /** Who speaks. */
  getType(): string;
}

/** The tools of a session as those of LangChain. */
export function toLangChainTools<Tool>(tools: readonly SessionTool[], { tool, ToolMessage }: LangChain<Tool>): Tool[] {
  return tools.map(({ name, description, parameters, execute }) => {
    const run = (args: unknown, config?: { readonly toolCall?: { readonly id?: string } }): unknown => {
      try {
        return resultText(execute(args));
      } catch (error) {
        const id = config?.toolCall?.id;
        // Some of LangChain's agents give a tool's error to the model, and others end with it.
        if (!isToolError(error) || id === undefined) throw error;
        return new ToolMessage({ status: 'error', content: error.message, tool_call_id: id, name } as never);
      }
    };
    return tool(run as never, { name, description, schema: parameters } as never);
  });
}

/**
 * An agent on LangGraph.js for sessions: `create` makes its graph once for each session. The graph is given all messages so
 * far and is aborted when the session is over; a checkpointer that sessions share keeps them apart. Tokens are those of the
 * model's messages that are new.
 */
export function fromLangGraph<Tool>(
  langChain: LangChain<Tool>,
  create: (session: FrameworkSession<Tool[]>) => LangGraph | Promise<LangGraph>,
): SessionAgent {
  return async ({ tools, ...session }) => {
    const graph = await create({ ...session, tools: toLangChainTools(tools, langChain) });
    const { signal, draw } = session;
    // 128 bits that no other trial has.
    const thread_id = [0, 1, 2, 3].map((word) => draw(`thread ${word}`)).join(' ');
    let messages: readonly LangChainMessage[] = [];
    return async (content) => {
      const before = new Set(messages.map(identityOf));
      const input = [...messages, { role: 'user', content }] as never[];
      ({ messages } = await graph.invoke({ messages: input }, { signal, configurable: { thread_id } }));
      const last = messages.at(-1);
      if (last?.getType() !== 'ai') throw new TypeError('the last message of its graph is not one of the model.');
      const made = messages.filter((message) => isOfModel(message) && !before.has(identityOf(message)));
      const finish = refusalOf(last) === null ? answerFinish(last.response_metadata) : 'filtered';
      return replyOf(textOf(last), { calls: made.map(usageIn), model: modelOf(last), finish });
    };
  };
}

/** Graphs give each message an id; the reducer of some does not. */
function identityOf(message: LangChainMessage): unknown {
  return message.id ?? message;
}

/** Nodes write such messages, too, but for what a provider says beside them. */
function isOfModel(message: AnsweredMessage): boolean {
  const { usage_metadata: usage, response_metadata: metadata = {} } = message;
  return message.getType() === 'ai' && (usage !== undefined || Object.keys(metadata).length > 0);
}

type AnsweredMessage = LangChainMessage & { readonly usage_metadata?: Readonly<Record<string, unknown>> };

function usageIn(message: AnsweredMessage) {
  const { usage_metadata: usage } = message;
  return usageOf(usage?.['input_tokens'], usage?.['output_tokens']);
}

/** Providers name the model in one of two keys. */
function modelOf({ response_metadata: metadata }: LangChainMessage): unknown {
  return metadata?.['model_name'] ?? metadata?.['model'];
}

/** What it says. A model that refuses says so beside an empty content. */
function textOf(message: LangChainMessage): string {
  const { content } = message;
  const text = typeof content === 'string' ? content : content.map((part) => (isText(part) ? part.text : '')).join('');
  return text === '' ? (refusalOf(message) ?? '') : text;
}

function refusalOf({ additional_kwargs: beside }: LangChainMessage): string | null {
  const refusal = beside?.['refusal'];
  return typeof refusal === 'string' && refusal !== '' ? refusal : null;
}

function isText(part: unknown): part is { readonly text: string } {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}
