import { ToolError } from '../plugin/session-agent.ts';
import type { SaidMessage, SessionAnswer, SessionCallPayload } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import type { AgentInSession, AgentMove, Tools } from './dialogue.ts';
import { ToolCalls } from './tool-calls.ts';

/** Characters of a conversation as JSON: a trial holds no more, and servers mostly take a megabyte. */
export const MOST_CONVERSATION = 900_000;

/** Carries out a call of the agent. What went wrong is in its answer. */
export type CarryOut = (name: string, args: unknown) => { readonly text: string; readonly isError: boolean };

export interface OutsideAgentParts {
  /** Asks the agent for its answer to the last message. */
  readonly ask: (asked: Omit<SessionCallPayload, 'scenario'>) => Promise<SessionAnswer>;
  /** Serves the tools of the session until `end` is called; null: the agent is not told of them. */
  readonly serve: ((call: CarryOut) => { readonly url: string; readonly end: () => void }) | null;
}

/** An agent outside of the process, in one session. It is given what was said so far, which it may not remember itself. */
export class OutsideAgentInSession implements AgentInSession {
  private readonly parts: OutsideAgentParts;
  private readonly calls = new ToolCalls();
  private readonly said: SaidMessage[] = [];
  private served: { readonly url: string; readonly end: () => void } | null = null;
  private session: string | null = null;
  private length = 0;

  constructor(parts: OutsideAgentParts) {
    this.parts = parts;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    if (!this.takes('user', message)) return tooMuch();
    this.served ??= this.parts.serve?.((name, args) => this.carryOut(tools, name, args)) ?? null;
    const toolsUrl = this.served?.url ?? null;
    const { session, text, error, usage, model } = await this.parts.ask({
      session: this.session,
      messages: this.said,
      toolsUrl,
    });
    if (this.calls.broken !== null) throw this.calls.broken;
    this.session = session;
    if (error !== null) return { kind: 'stops', reason: `It gave no answer: ${error}` };
    if (!this.takes('assistant', text)) return tooMuch();
    return { kind: 'says', text, ...(usage !== null && { usage }), ...(model !== null && { model }) };
  }

  leave(): void {
    this.served?.end();
  }

  private carryOut(tools: Tools, name: string, args: unknown): ReturnType<CarryOut> {
    try {
      return { text: resultText(this.calls.execute(tools, name, args)), isError: false };
    } catch (error) {
      if (error instanceof ToolError) return { text: error.message, isError: true };
      // Told when the agent has answered: the trial is broken then, whatever it makes of this.
      return { text: 'The tool does not work.', isError: true };
    }
  }

  /** False: there is no room for it. */
  private takes(role: SaidMessage['role'], content: string): boolean {
    this.length += JSON.stringify(content).length;
    this.said.push({ role, content });
    return this.length <= MOST_CONVERSATION;
  }
}

function resultText(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** The agent stops: nobody could go on with what was said. */
export function tooMuch(): AgentMove {
  return { kind: 'stops', reason: `The conversation has more than ${MOST_CONVERSATION} characters.` };
}
