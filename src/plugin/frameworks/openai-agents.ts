import { answerFinish } from '../finish-reason.ts';
import { isRecord } from '../../values/is-json.ts';
import type { SessionAgent, SessionTool } from '../session-agent.ts';
import { type FrameworkSession, isToolError, replyOf, resultText, usageOf } from './framework-session.ts';

/** What is needed of `@openai/agents`. */
export interface OpenAiAgents<Tool> {
  /** The function of this name of the package `@openai/agents`. */
  readonly tool: (options: never) => Tool;
  /** `run`, or that of a `Runner` of one's own. */
  readonly run: (agent: never, input: never, options: never) => PromiseLike<OpenAiAgentsResult>;
}

/** What is read of a result of `run`. */
export interface OpenAiAgentsResult {
  /** The answer. */
  readonly finalOutput?: unknown;
  /** The conversation with what the agent has added. */
  readonly history: readonly unknown[];
  /** The agent that answers from now on, where one has handed over to another. */
  readonly lastAgent?: unknown;
  /** The calls of the model that it took. */
  readonly rawResponses: readonly {
    /** Tokens of the call. */
    readonly usage: {
      /** Tokens of the question. */
      readonly inputTokens: number;
      /** Tokens of the answer. */
      readonly outputTokens: number;
    };
    /** What the provider says of the answer. */
    readonly providerData?: Readonly<Record<string, unknown>> | undefined;
  }[];
}

/** The tools of a session as those of the OpenAI Agents SDK. */
export function toOpenAiAgentsTools<Tool>(
  tools: readonly SessionTool[],
  { tool }: Pick<OpenAiAgents<Tool>, 'tool'>,
): Tool[] {
  return tools.map(({ name, description, parameters, execute }) => {
    const options = {
      name,
      description,
      parameters,
      // Strict schemas know no optional arguments.
      strict: false,
      execute: (args: unknown) => resultText(execute(args)),
      // By itself the SDK keeps the message from the model.
      errorFunction: (_: unknown, error: unknown) => {
        if (!isToolError(error)) throw error;
        return `Error: ${error.message}`;
      },
    };
    return tool(options as never);
  });
}

/**
 * An agent on the OpenAI Agents SDK for sessions: `create` makes it once for each session. It is given the history so far and
 * is aborted when the session is over. Tokens are those of all answers of models, handed over or not.
 */
export function fromOpenAiAgents<Tool>(
  sdk: OpenAiAgents<Tool>,
  create: (session: FrameworkSession<Tool[]>) => unknown,
): SessionAgent {
  return async ({ tools, ...session }) => {
    let agent = await create({ ...session, tools: toOpenAiAgentsTools(tools, sdk) });
    let history: readonly unknown[] = [];
    return async (content) => {
      const input = [...history, { role: 'user', content }];
      const result = await sdk.run(agent as never, input as never, { signal: session.signal } as never);
      history = result.history;
      agent = result.lastAgent ?? agent;
      const { finalOutput, rawResponses } = result;
      if (finalOutput === undefined || finalOutput === null) {
        throw new TypeError('its run ended without a final output.');
      }
      const text = typeof finalOutput === 'string' ? finalOutput : JSON.stringify(finalOutput);
      const last = rawResponses.at(-1)?.providerData;
      return replyOf(text, {
        calls: rawResponses.map(({ usage }) => callUsage(usage)),
        finish: answerFinish(last),
        model: last?.['model'] ?? (isRecord(agent) ? agent['model'] : null),
      });
    };
  };
}

/** The SDK writes 0 where a provider says nothing, and no prompt has 0 tokens. */
function callUsage({ inputTokens, outputTokens }: OpenAiAgentsResult['rawResponses'][number]['usage']) {
  return usageOf(inputTokens === 0 ? null : inputTokens, outputTokens);
}
