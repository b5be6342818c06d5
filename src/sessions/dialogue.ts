import type { Json } from '../types/json.ts';
import type { SessionEnd, SessionLimits } from '../types/session.ts';
import { jsonText } from '../values/json-text.ts';
import type { UserInSession } from './user/scripted-user.ts';
import type { World } from './world/declared-world.ts';
import { WorldError } from './world/state-place.ts';

/** Characters of what one call gives, as JSON. */
const MOST_RESULT = 1024 * 1024;

/** One call of a tool, as it came out. */
export interface DialogueCall {
  readonly name: string;
  readonly args: Json;
  readonly result: Json;
  /** What the agent was told went wrong; null: nothing. */
  readonly problem: string | null;
  /** False: no such tool, or arguments that do not fit it. */
  readonly isValid: boolean;
}

/** What was said and done in a session, in order. */
export type DialogueEvent =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly DialogueCall[] }
  | { readonly kind: 'agent'; readonly text: string };

/** What an agent does when the user has said something: it says something, or cannot. */
export type AgentMove =
  | { readonly kind: 'says'; readonly text: string }
  | { readonly kind: 'stops'; readonly reason: string };

/** An agent in one session. */
export interface AgentInSession {
  /** Answers a message of the user; on the way it may call tools. */
  answer(message: string, tools: Tools): AgentMove;
}

/** The tools of a session, in the hands of its agent. */
export interface Tools {
  readonly names: readonly string[];
  /** Carries out calls that belong together, one after the other; null: a limit ends the session here. */
  call(calls: readonly { readonly name: string; readonly args: Json }[]): readonly DialogueCall[] | null;
}

/** A session that has ended. */
export interface Dialogue {
  readonly events: readonly DialogueEvent[];
  readonly state: Json;
  readonly end: SessionEnd;
  /** Of an agent that could not answer: why; null: it could. */
  readonly problem: string | null;
}

export interface DialogueParts {
  readonly world: World;
  readonly user: UserInSession;
  readonly agent: AgentInSession;
  readonly limits: SessionLimits;
}

/** Leads a dialogue to its end. Throws `WorldError` where the world is wrong. */
export function holdDialogue({ world, user, agent, limits }: DialogueParts): Dialogue {
  const events: DialogueEvent[] = [];
  const tools = new SessionTools(world, { events, most: limits.calls });
  const ended = (end: SessionEnd, problem: string | null = null): Dialogue => ({
    events,
    state: tools.state,
    end,
    problem,
  });
  let message = user.opening;
  for (let said = 1; ; said++) {
    events.push({ kind: 'user', text: message });
    const move = agent.answer(message, tools);
    if (tools.isOver) return ended('call_limit');
    if (move.kind === 'stops') return ended('agent_stopped', move.reason);
    events.push({ kind: 'agent', text: move.text });
    const next = user.hear(move.text);
    if (next.kind === 'leaves') return ended(next.why);
    if (said >= limits.messages) return ended('message_limit');
    message = next.text;
  }
}

class SessionTools implements Tools {
  state: Json;
  /** True: a call was refused because there were too many. */
  isOver = false;
  private readonly world: World;
  private readonly events: DialogueEvent[];
  private left: number;

  constructor(world: World, { events, most }: { readonly events: DialogueEvent[]; readonly most: number }) {
    this.world = world;
    this.state = world.state;
    this.events = events;
    this.left = most;
  }

  get names(): readonly string[] {
    return this.world.tools;
  }

  call(calls: readonly { readonly name: string; readonly args: Json }[]): readonly DialogueCall[] | null {
    const done: DialogueCall[] = [];
    for (const { name, args } of calls) {
      if (this.left === 0) break;
      this.left--;
      done.push(this.callOne(name, args));
    }
    if (done.length > 0) this.events.push({ kind: 'calls', calls: done });
    this.isOver = done.length < calls.length;
    return this.isOver ? null : done;
  }

  private callOne(name: string, args: Json): DialogueCall {
    const { state, result, problem, isValid } = this.world.call(this.state, name, args);
    if (jsonText(result).length > MOST_RESULT) {
      throw new WorldError(`The tool ${JSON.stringify(name)} gave more than ${MOST_RESULT} characters.`);
    }
    this.state = state;
    return { name, args, result, problem, isValid };
  }
}
