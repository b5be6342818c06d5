import type { SaidMessage, SessionAnswer } from '../types/agent.ts';
import type { AgentInSession, AgentMove } from './dialogue.ts';

/** Characters of a conversation as JSON: a trial holds no more, and servers mostly take a megabyte. */
export const MOST_CONVERSATION = 900_000;

/** Asks the agent for its answer to the last message. `session` null: it is asked for the first time. */
export type AskOutside = (session: string | null, messages: readonly SaidMessage[]) => Promise<SessionAnswer>;

/** An agent outside of the process, in one session. It is given what was said so far, which it may not remember itself. */
export class OutsideAgentInSession implements AgentInSession {
  private readonly ask: AskOutside;
  private readonly said: SaidMessage[] = [];
  private session: string | null = null;
  private length = 0;

  constructor(ask: AskOutside) {
    this.ask = ask;
  }

  async answer(message: string): Promise<AgentMove> {
    if (!this.takes('user', message)) return tooMuch();
    const { session, text, error, usage, model } = await this.ask(this.session, this.said);
    this.session = session;
    if (error !== null) return { kind: 'stops', reason: `It gave no answer: ${error}` };
    if (!this.takes('assistant', text)) return tooMuch();
    return { kind: 'says', text, ...(usage !== null && { usage }), ...(model !== null && { model }) };
  }

  /** False: there is no room for it. */
  private takes(role: SaidMessage['role'], content: string): boolean {
    this.length += JSON.stringify(content).length;
    this.said.push({ role, content });
    return this.length <= MOST_CONVERSATION;
  }
}

function tooMuch(): AgentMove {
  return { kind: 'stops', reason: `The conversation has more than ${MOST_CONVERSATION} characters.` };
}
