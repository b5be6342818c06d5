import {
  type AgentAnswers,
  type AgentReply,
  type AgentSession,
  type SessionAgent,
  type SessionTool,
  ToolError,
} from '../plugin/session-agent.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { DeclaredTool } from '../types/session.ts';
import { isJsonArray, isJsonObject, isRecord } from '../values/is-json.ts';
import { messageOf } from '../values/message-of.ts';
import { plainCopy } from '../values/plain-json.ts';
import type { AgentInSession, AgentMove, Tools } from './dialogue.ts';
import { WorldError } from './world/state-place.ts';

/** Characters of an answer, and of the arguments of a call. */
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
  /** Null: it has not been asked yet. */
  private answers: Promise<AgentAnswers> | null = null;
  /** Where the world itself was wrong, which is no failure of the agent, whatever it does with the error. */
  private broken: WorldError | null = null;

  constructor(parts: ModuleAgentParts) {
    this.parts = parts;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    const move = await this.move(message, tools);
    if (this.broken !== null) throw this.broken;
    return move;
  }

  private async move(message: string, tools: Tools): Promise<AgentMove> {
    try {
      this.answers ??= this.begin(tools);
      const answers = await this.answers;
      return moveOf(await answers(message));
    } catch (error) {
      return { kind: 'stops', reason: `It failed: ${messageOf(error)}` };
    }
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
      execute: (args) => this.execute(name, args, tools),
    };
  }

  private execute(name: string, given: unknown, tools: Tools): Json {
    const args = plainCopy(given ?? {}, { maxLength: MOST_CHARACTERS, leavesOutUndefined: true });
    if (!args.ok) throw new ToolError(`The arguments of ${name} are no JSON: ${args.reason}.`);
    try {
      const done = tools.call([{ name, args: args.value }])?.[0];
      if (done === undefined) throw new ToolError('The session is over: no more calls are carried out.');
      if (done.problem !== null) throw new ToolError(done.problem);
      // What the agent does to it must not reach the world.
      return copyOf(done.result);
    } catch (error) {
      if (error instanceof WorldError) this.broken = error;
      throw error;
    }
  }
}

/** A copy of plain data, in a fraction of what `structuredClone` takes. */
function copyOf<T extends Json>(value: T): T;
function copyOf(value: Json): Json {
  if (isJsonArray(value)) return value.map((part) => copyOf(part));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    // Assigned, this key would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...OWN, value: copyOf(part) });
    else copy[key] = copyOf(part);
  }
  return copy;
}

const OWN = { writable: true, enumerable: true, configurable: true };

function moveOf(reply: AgentReply): AgentMove {
  // Code of the user is not typed when it runs.
  const given: unknown = reply;
  if (typeof given === 'string') return said(given);
  if (!isRecord(given) || typeof given['text'] !== 'string') {
    const what = given === null ? 'null' : Array.isArray(given) ? 'a list' : typeof given;
    return { kind: 'stops', reason: `It answered with ${isRecord(given) ? 'an object without `text`' : what}.` };
  }
  const { usage, model } = given;
  return {
    ...said(given['text']),
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
