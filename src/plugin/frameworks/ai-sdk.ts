import { finishOf } from '../finish-reason.ts';
import type { SessionAgent, SessionTool } from '../session-agent.ts';
import { type FrameworkSession, replyOf, resultText, usageOf } from './framework-session.ts';

/** What is needed of the package `ai`. */
export interface AiSdk<Schema> {
  /** The function of this name of the package `ai`. */
  readonly jsonSchema: (schema: never) => Schema;
}

/** A tool as `generateText` and `ToolLoopAgent` take it. */
export interface AiSdkTool<Schema> {
  /** What the tool does. */
  readonly description: string;
  /** What arguments it takes. */
  readonly inputSchema: Schema;
  /** What it throws reaches the model as the SDK's `tool-error`. */
  readonly execute: (args: unknown) => string;
}

/** A `ToolLoopAgent`, or anything else that generates an answer to messages. */
export interface AiSdkAgent {
  /** `messages` are `ModelMessage`s, of whichever version the SDK is. */
  generate(options: {
    /** The conversation so far. */
    readonly messages: never[];
    /** Ends the call. */
    readonly abortSignal: AbortSignal;
  }): PromiseLike<AiSdkResult>;
}

/** What is read of a result of `generateText`. */
export interface AiSdkResult {
  /** The answer's text. */
  readonly text: string;
  /** The calls of the model that it took. */
  readonly steps: readonly {
    /** Tokens of the call. */
    readonly usage: {
      /** Tokens of the question. */
      readonly inputTokens?: number | undefined;
      /** Tokens of the answer. */
      readonly outputTokens?: number | undefined;
    };
  }[];
  /** Why the last call ended. */
  readonly finishReason?: string;
  /** What the last call came back with. */
  readonly response: {
    /** The model that answered. */
    readonly modelId?: string;
    /** The messages that it added. */
    readonly messages?: readonly unknown[];
  };
  /** In the place of `response.messages` from version 7. */
  readonly responseMessages?: readonly unknown[];
}

/** The tools of a session as those of the Vercel AI SDK, by name. */
export function toAiSdkTools<Schema>(
  tools: readonly SessionTool[],
  { jsonSchema }: AiSdk<Schema>,
): Record<string, AiSdkTool<Schema>> {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, execute }) => [
      name,
      { description, inputSchema: jsonSchema(parameters as never), execute: (args) => resultText(execute(args)) },
    ]),
  );
}

/**
 * An agent on the Vercel AI SDK (`ai`, version 5 and later) for sessions: `create` makes it once for each session. It is given
 * all messages so far and is aborted when the session is over. Tokens are those of all its steps.
 */
export function fromAiSdk<Schema>(
  sdk: AiSdk<Schema>,
  create: (session: FrameworkSession<Record<string, AiSdkTool<Schema>>>) => AiSdkAgent | Promise<AiSdkAgent>,
): SessionAgent {
  return async ({ tools, ...session }) => {
    const agent = await create({ ...session, tools: toAiSdkTools(tools, sdk) });
    let messages: readonly unknown[] = [];
    return async (content) => {
      const asked = [...messages, { role: 'user', content }];
      const result = await agent.generate({ messages: [...asked] as never[], abortSignal: session.signal });
      const { text, steps, finishReason, response, responseMessages = response.messages ?? [] } = result;
      messages = [...asked, ...responseMessages];
      const calls = steps.map(({ usage }) => usageOf(usage.inputTokens, usage.outputTokens));
      return replyOf(text, { calls, model: response.modelId, finish: finishOf(finishReason) ?? null });
    };
  };
}
