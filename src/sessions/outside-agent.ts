import { ToolError } from '../plugin/session-agent.ts';
import type { AnswerUsage, SaidMessage, SessionAnswer, SessionCallPayload } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import type { Count } from '../types/numbers.ts';
import type { AgentInSession, AgentMove, AnswerSource, Tools } from './agent-moves.ts';
import { ToolCalls } from './tool-calls.ts';

/** Characters of a conversation as JSON: a trial holds no more, and servers mostly take a megabyte. */
export const MOST_CONVERSATION = 900_000;
/** Why an agent stops: nobody could go on with what was said. */
export const TOO_MUCH = `The conversation has more than ${MOST_CONVERSATION} characters.`;

/** Carries out a call of the agent. What went wrong is in its answer. */
export type CarryOut = (name: string, args: unknown) => { readonly text: string; readonly isError: boolean };

export interface OutsideAgentParts {
  /** Asks the agent for its answer to the last message. */
  readonly ask: (asked: Pick<SessionCallPayload, 'messages' | 'toolsUrl' | 'modelUrl'>) => Promise<SessionAnswer>;
  /** Serves what the agent needs of the session, until `end` is called; null: it needs nothing. */
  readonly serve: (call: CarryOut) => ServedPlaces | null;
  /** Its model, where that is asked through passk; null: its calls are out of sight. */
  readonly model: SeenModel | null;
}

/** Where an agent finds what is served to it; null: it is not told. */
export interface ServedPlaces {
  readonly toolsUrl: string | null;
  readonly modelUrl: string | null;
  end(): void;
}

/** What is seen of the model of an agent. */
export interface SeenModel {
  /** Whether the agent has asked it yet. */
  readonly wasAsked: boolean;
  /** Why it could not be asked, which says nothing about the agent; null: it could. */
  readonly broken: Error | null;
  /** Asked before each of its answers with what those since the last `take` took; false: it gives no more of them. */
  affords: (usage: AnswerUsage) => boolean;
  /** What it answered since the last `take`; null: nothing. */
  readonly seen: SeenUsage | null;
  /** The same, which is counted from nothing then. */
  take(): SeenUsage | null;
}

export interface SeenUsage {
  readonly calls: Count;
  /** Of all these calls; null: not every answer tells it. */
  readonly usage: AnswerUsage | null;
}

/** An agent outside of the process, in one session. It is given what was said so far, which it may not remember itself. */
export class OutsideAgentInSession implements AgentInSession {
  private readonly parts: OutsideAgentParts;
  private readonly calls = new ToolCalls();
  private readonly said: SaidMessage[] = [];
  private served: ServedPlaces | null = null;
  private length = 0;

  constructor(parts: OutsideAgentParts) {
    this.parts = parts;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    if (!this.takes('user', message)) return { kind: 'stops', reason: TOO_MUCH };
    this.served ??= this.parts.serve((name, args) => this.carryOut(tools, name, args));
    const { toolsUrl = null, modelUrl = null } = this.served ?? {};
    const { model } = this.parts;
    if (model !== null) model.affords = (usage) => tools.affords(usage);
    const answer = await this.parts.ask({ messages: this.said, toolsUrl, modelUrl });
    if (this.calls.broken !== null) throw this.calls.broken;
    if (model !== null && model.broken !== null) throw model.broken;
    const source = sourceOf(answer, model?.take() ?? null);
    if (answer.error !== null) return { kind: 'stops', reason: `It gave no answer: ${answer.error}`, ...source };
    // Whatever it says, nothing is known of its model.
    if (model?.wasAsked === false) throw new Error(NEVER_ASKED);
    if (!this.takes('assistant', answer.text)) return { kind: 'stops', reason: TOO_MUCH, ...source };
    return { kind: 'says', text: answer.text, ...source };
  }

  leave(): void {
    this.served?.end();
  }

  private carryOut(tools: Tools, name: string, args: unknown): ReturnType<CarryOut> {
    const spent = this.parts.model?.seen?.usage ?? null;
    if (spent !== null && !tools.affords(spent)) return { text: 'No more tokens are allowed.', isError: true };
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

const NEVER_ASKED =
  'The agent answered without asking its model at {model_url}. Point it there, or leave `model` away where it has none.';

/** What was seen of its model goes before what the agent says of it. */
function sourceOf({ model, finish, ...reported }: SessionAnswer, seen: SeenUsage | null): AnswerSource {
  const usage = seen?.usage ?? reported.usage;
  const modelCalls = seen?.calls ?? reported.modelCalls;
  return {
    ...(usage !== null && { usage }),
    ...(model !== null && { model }),
    ...(modelCalls !== undefined && { modelCalls }),
    ...(finish !== undefined && { finish }),
  };
}

function resultText(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
