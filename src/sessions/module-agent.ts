import { errorCost } from '../plugin/answer-metadata.ts';
import { isInPieces, readReply, wholeReply } from '../plugin/read-reply.ts';
import type { AgentAnswers, AgentSession, SessionAgent, SessionTool } from '../plugin/session-agent.ts';
import type { JsonObject } from '../types/json.ts';
import type { DeclaredTool } from '../types/sessions/declared-world.ts';
import { messageOf } from '../values/message-of.ts';
import { thrownIn } from '../values/thrown-at.ts';
import type { AgentInSession, AgentMove, Tools } from './agent-moves.ts';
import { copyOf, ToolCalls } from './tool-calls.ts';

export interface ModuleAgentParts extends Pick<AgentSession, 'system' | 'draw'> {
  /** Its signal is made when the agent asks for it. */
  readonly ending: Pick<AbortController, 'signal'>;
  readonly create: SessionAgent;
  /** Its `file:` URL; null: it is a function of the program that runs passk. */
  readonly url: string | null;
  readonly tools: readonly DeclaredTool[];
}

/** An agent whose code is a module, in one session. What it throws and what it gives that is no answer is its own failure. */
export class ModuleAgentInSession implements AgentInSession {
  private readonly parts: ModuleAgentParts;
  /** Null: it has not begun. */
  private answers: AgentAnswers | null = null;
  private readonly calls = new ToolCalls();

  constructor(parts: ModuleAgentParts) {
    this.parts = parts;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    let move: AgentMove;
    // All in one function: where code of the user runs, Node follows each promise.
    try {
      this.answers ??= await this.begin(tools);
      const reply: unknown = await this.answers(message);
      move = moveOf(isInPieces(reply) ? await wholeReply(reply, this.parts.ending.signal) : reply);
    } catch (error) {
      if (error instanceof NoAgentError) throw error;
      const { url } = this.parts;
      const place = url === null ? null : thrownIn(error, url);
      const { usage, modelCalls } = errorCost(error);
      const reason = `It failed${place === null ? '' : ` at ${place}`}: ${messageOf(error)}`;
      move = {
        kind: 'stops',
        reason,
        ...(usage !== null && { usage }),
        ...(modelCalls !== null && { modelCalls }),
      };
    }
    if (this.calls.broken !== null) throw this.calls.broken;
    return move;
  }

  private async begin(tools: Tools): Promise<AgentAnswers> {
    const { create, system, ending, draw } = this.parts;
    const answers = await create({
      system,
      get signal() {
        return ending.signal;
      },
      draw,
      tools: this.parts.tools.map((tool) => this.asFunction(tool, tools)),
    });
    if (typeof answers === 'function') return answers;
    const what =
      answers === null ? 'null' : typeof answers === 'undefined' ? 'nothing' : `a value of type ${typeof answers}`;
    throw new NoAgentError(
      `The agent gave ${what} for a session, and no function that answers messages: a session calls it once, with \`{ system, tools, … }\`, and asks the function that it gives, as in \`(session) => (message) => …\`.`,
    );
  }

  private asFunction({ name, description, parameters }: DeclaredTool, tools: Tools): SessionTool {
    let own: JsonObject | null = null;
    return {
      name,
      description,
      // A copy for each session that looks at it: frameworks complete schemas in place.
      get parameters() {
        own ??= copyOf(parameters);
        return own;
      },
      execute: (args) => this.calls.execute(tools, name, args),
    };
  }
}

/** The module is no agent of sessions, which says nothing about how well the agent does. */
class NoAgentError extends Error {}

function moveOf(answer: unknown): AgentMove {
  const reply = readReply(answer);
  return 'problem' in reply ? { kind: 'stops', reason: reply.problem } : { kind: 'says', ...reply };
}
