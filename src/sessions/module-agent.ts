import type { AgentAnswers, AgentSession, SessionAgent, SessionTool } from '../plugin/session-agent.ts';
import type { JsonObject } from '../types/json.ts';
import type { DeclaredTool } from '../types/sessions/declared-world.ts';
import { isRecord } from '../values/is-json.ts';
import { messageOf } from '../values/message-of.ts';
import type { AgentInSession, AgentMove, Tools } from './agent-moves.ts';
import { copyOf, ToolCalls } from './tool-calls.ts';

/** Characters of an answer. */
const MOST_CHARACTERS = 1024 * 1024;

export interface ModuleAgentParts extends Pick<AgentSession, 'system' | 'draw'> {
  /** Its signal is made when the agent asks for it. */
  readonly ending: Pick<AbortController, 'signal'>;
  readonly create: SessionAgent;
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
      move = moveOf(isInPieces(reply) ? await this.wholeOf(reply) : reply);
    } catch (error) {
      move = { kind: 'stops', reason: `It failed: ${messageOf(error)}` };
    }
    if (this.calls.broken !== null) throw this.calls.broken;
    return move;
  }

  /** Reads the pieces of an answer to their end, or for as long as somebody waits and the text may be longer. */
  private async wholeOf(reply: InPieces): Promise<unknown> {
    let text = '';
    for await (const piece of isStream(reply) ? reply : reply.text) {
      if (typeof piece !== 'string') throw new TypeError('a piece of its answer is no text.');
      text += piece;
      if (text.length > MOST_CHARACTERS || this.parts.ending.signal.aborted) break;
    }
    return isStream(reply) ? text : { ...reply, text };
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
    throw new TypeError('it gave no function that answers messages.');
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

type Stream = AsyncIterable<unknown>;

/** An answer whose text is not whole yet. */
type InPieces = Stream | (Readonly<Record<string, unknown>> & { readonly text: Stream });

function isInPieces(reply: unknown): reply is InPieces {
  return isStream(reply) || (isRecord(reply) && isStream(reply['text']));
}

function isStream(value: unknown): value is Stream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Code of the user is not typed when it runs. */
function moveOf(answer: unknown): AgentMove {
  if (typeof answer === 'string') return said(answer);
  if (!isRecord(answer) || typeof answer['text'] !== 'string') {
    const what = answer === null ? 'null' : Array.isArray(answer) ? 'a list' : typeof answer;
    return { kind: 'stops', reason: `It answered with ${isRecord(answer) ? 'an object without `text`' : what}.` };
  }
  const { usage, model } = answer;
  return {
    ...said(answer['text']),
    ...(isUsage(usage) && { usage: { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens } }),
    ...(typeof model === 'string' && { model }),
  };
}

function said(text: string): AgentMove {
  return text.length <= MOST_CHARACTERS
    ? { kind: 'says', text }
    : { kind: 'stops', reason: `It answered with ${text.length} characters; at most ${MOST_CHARACTERS} are read.` };
}

function isUsage(usage: unknown): usage is { readonly promptTokens: number; readonly completionTokens: number } {
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
  return isRecord(usage) && isCount(usage['promptTokens']) && isCount(usage['completionTokens']);
}
