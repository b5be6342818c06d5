import type { AgentInSession, AgentMove, AskedCall, Tools } from '../../sessions/agent-moves.ts';
import type { Json } from '../../types/json.ts';
import { isCount } from '../../values/is-count.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { isFinish } from '../read-model-answer.ts';
import type { SessionTape } from './session-tape.ts';

/** One thing that an agent did: calls that belong together, what it said in the end, or why it could not be asked. */
type Act = { readonly calls: readonly AskedCall[] } | { readonly move: AgentMove } | { readonly broken: string };

/** An agent whose calls and answers go on a tape as they come. */
export class RecordedAgent implements AgentInSession {
  private readonly agent: AgentInSession;
  private readonly tape: SessionTape;
  private readonly acts = new ActQueue();
  private tools: Tools | null = null;
  /** The same for all messages: an agent may hold on to it. */
  private readonly heard: Tools = {
    call: (calls) => {
      this.acts.put({ calls });
      return this.tools?.call(calls) ?? null;
    },
    // What it decides shows in the calls and answers that follow.
    affords: (usage) => this.tools?.affords(usage) ?? true,
  };

  constructor(agent: AgentInSession, tape: SessionTape) {
    this.agent = agent;
    this.tape = tape;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    this.tools = tools;
    void this.doneOn(message).then((act) => this.acts.put(act));
    for (;;) {
      const act = actOf(await this.tape.act(message, () => this.acts.next()));
      if ('move' in act) return act.move;
    }
  }

  leave(): void {
    this.agent.leave?.();
  }

  private async doneOn(message: string): Promise<Act> {
    try {
      return { move: await this.agent.answer(message, this.heard) };
    } catch (error) {
      return { broken: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** An agent that does what is on a tape. */
export class ReplayedAgent implements AgentInSession {
  private readonly tape: SessionTape;

  constructor(tape: SessionTape) {
    this.tape = tape;
  }

  async answer(message: string, tools: Tools): Promise<AgentMove> {
    for (;;) {
      const act = actOf(await this.tape.act(message, nobody));
      if ('move' in act) return act.move;
      tools.call(act.calls);
    }
  }
}

function nobody(): never {
  throw new TypeError('Nobody is there who does anything.');
}

/** Throws where the agent could not be asked, and where the cassette holds something else. */
function actOf(data: Json): Exclude<Act, { readonly broken: string }> {
  if (isJsonObject(data)) {
    const { calls, move, broken } = data;
    if (typeof broken === 'string') throw new Error(broken);
    if (isJsonArray(calls) && calls.every(isCall)) return { calls: calls as unknown as readonly AskedCall[] };
    if (isMove(move)) return { move: move as unknown as AgentMove };
  }
  throw new Error('The cassette holds nothing that an agent does where that should be.');
}

function isCall(call: Json): boolean {
  return (
    isJsonObject(call) &&
    typeof call['name'] === 'string' &&
    call['args'] !== undefined &&
    isTextOrNone(call['malformed'])
  );
}

function isMove(move: Json | undefined): boolean {
  if (!isJsonObject(move)) return false;
  const { usage, modelCalls, model, finish } = move;
  const counts = [usage === undefined || isUsage(usage), modelCalls === undefined || isCount(modelCalls)];
  const says = move['kind'] === 'says' && typeof move['text'] === 'string';
  const stops = move['kind'] === 'stops' && typeof move['reason'] === 'string';
  return (says || stops) && isTextOrNone(model) && isFinish(finish ?? null) && counts.every(Boolean);
}

function isUsage(usage: Json): boolean {
  return isJsonObject(usage) && isCount(usage['promptTokens']) && isCount(usage['completionTokens']);
}

function isTextOrNone(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string';
}

/** What was done and not yet taken down, in order. */
class ActQueue {
  private readonly acts: Json[] = [];
  private wake: () => void = () => undefined;

  put(act: Act): void {
    // Calls and answers are plain data.
    this.acts.push(act as unknown as Json);
    this.wake();
  }

  async next(): Promise<Json> {
    for (;;) {
      const act = this.acts.shift();
      if (act !== undefined) return act;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
