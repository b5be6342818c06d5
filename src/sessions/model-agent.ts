import type { AnswerUsage } from '../types/agent.ts';
import type { FinishReason, Message, MessagePart, TokenUsage, ToolCallPart } from '../types/message.ts';
import { textOf, textParts } from '../values/message-text.ts';
import type { AgentInSession, AgentMove, AnswerSource, DialogueCall, Tools } from './agent-moves.ts';
import { MOST_CONVERSATION, TOO_MUCH } from './outside-agent.ts';

/** What a model answered, or why it gave no answer, which is its own failure. */
export type ModelAnswer =
  | {
      readonly kind: 'answer';
      readonly parts: readonly MessagePart[];
      readonly usage: TokenUsage | null;
      /** Why it ended; null: unknown. */
      readonly finish: FinishReason | null;
    }
  /** `usage`: what it took all the same; absent: nothing, or nobody knows. */
  | { readonly kind: 'error'; readonly message: string; readonly usage?: TokenUsage };

/** Asks the model for the next message. Rejects where nobody could ask it, which says nothing about the agent. */
export type AskModel = (messages: readonly Message[]) => Promise<ModelAnswer>;

export interface ModelAgentParts {
  readonly ask: AskModel;
  /** What it is told before anything else; null: nothing. */
  readonly system: string | null;
  /** What the model is called by its provider; null: nobody says. */
  readonly model: string | null;
}

/**
 * An agent that is a model: calls that come back are carried out in the world, their results go to it, and so on until it says
 * something. It is bounded by the calls that a session allows, since each round makes one at least.
 */
export class ModelAgentInSession implements AgentInSession {
  private readonly parts: ModelAgentParts;
  private readonly messages: Message[] = [];
  private length = 0;

  constructor(parts: ModelAgentParts) {
    this.parts = parts;
    if (parts.system !== null) this.takes({ role: 'system', parts: textParts(parts.system) });
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    if (!this.takes({ role: 'user', parts: textParts(message) })) return this.stops(TOO_MUCH, []);
    const usages: (TokenUsage | null)[] = [];
    for (;;) {
      const answer = await this.parts.ask([...this.messages]);
      if (answer.kind === 'error') {
        if (answer.usage !== undefined) usages.push(answer.usage);
        return this.stops(`It gave no answer: ${answer.message}`, usages);
      }
      const { parts, usage, finish } = answer;
      usages.push(usage);
      if (!this.takes({ role: 'assistant', parts })) return this.stops(TOO_MUCH, usages);
      const calls = parts.filter((part) => part.kind === 'tool_call');
      if (calls.length === 0) {
        const ended = finish === null ? {} : { finish };
        return { kind: 'says', text: textOf(parts), ...this.source(usages), ...ended };
      }
      const spent = sumOf(usages);
      if (spent !== null && !tools.affords(spent)) return this.stops('No more tokens are allowed.', usages);
      const done = tools.call(calls.map(askedCall));
      if (done === null) return this.stops('No more calls are allowed.', usages);
      const results = done.map((call, at) => resultPart(call, calls[at]?.id ?? ''));
      if (!this.takes({ role: 'tool', parts: results })) return this.stops(TOO_MUCH, usages);
    }
  }

  private stops(reason: string, usages: readonly (TokenUsage | null)[]): AgentMove {
    return { kind: 'stops', reason, ...(usages.length > 0 && this.source(usages)) };
  }

  private source(usages: readonly (TokenUsage | null)[]): AnswerSource {
    const { model } = this.parts;
    const usage = sumOf(usages);
    return {
      modelCalls: usages.length,
      ...(usage !== null && { usage }),
      ...(model !== null && { model }),
    };
  }

  /** False: there is no room for it. */
  private takes(message: Message): boolean {
    this.length += JSON.stringify(message.parts).length;
    this.messages.push(message);
    return this.length <= MOST_CONVERSATION;
  }
}

function askedCall({ name, args, problem }: ToolCallPart): Parameters<Tools['call']>[0][number] {
  return { name, args, ...(problem !== undefined && { malformed: problem }) };
}

function resultPart({ name, result, problem }: DialogueCall, id: string): MessagePart {
  return {
    kind: 'tool_result',
    id,
    name,
    result: problem ?? result,
    ...(problem !== null && { isError: true as const }),
  };
}

/** Null: not every answer tells its tokens. */
function sumOf(usages: readonly (TokenUsage | null)[]): AnswerUsage | null {
  let [promptTokens, completionTokens] = [0, 0];
  for (const usage of usages) {
    if (usage === null) return null;
    promptTokens += usage.promptTokens;
    completionTokens += usage.completionTokens;
  }
  return { promptTokens, completionTokens };
}
