import type { Json } from '../types/json.ts';
import type { Strike } from '../types/record.ts';
import type { SessionEnd, SessionLimits, ToolCall } from '../types/session.ts';
import type { PlayedUser, UserInSession, UserMove } from './user/user-in-session.ts';
import type { AssertionFacts } from '../types/sessions/assertion.ts';
import type { AssertionWatch } from './assertions.ts';
import type { GoalWatch, ReachedGoals } from './watch-goals.ts';
import type { OpenWorld, World } from './world/open-world.ts';
import type { ToolReply } from './world/tool-reply.ts';

/** One call of a tool, as it came out. */
export interface DialogueCall extends ToolCall {
  readonly result: Json;
  /** What the agent was told went wrong; null: nothing. */
  readonly problem: string | null;
  /** False: no such tool, or arguments that do not fit it. */
  readonly isValid: boolean;
  /** What struck the call, so that it was not carried out; absent: nothing did. */
  readonly struckBy?: string;
  /** True: the policy refused, so that nothing was done; absent: it did not. */
  readonly isDenied?: true;
  /** As `ToolReply` has it. */
  readonly isPoisoned?: true;
  /** As `ToolReply` has it. */
  readonly aim?: { readonly before: Json; readonly after: Json };
}

/** What an agent says to the user, with what is known of how it came about. */
export interface AgentSays {
  readonly kind: 'says';
  readonly text: string;
  /** Tokens behind it; absent: unknown. */
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
  /** Absent: unknown. */
  readonly model?: string;
  /** Calls of the model behind it; absent: they are out of sight, and count as one. */
  readonly modelCalls?: number;
}

/** What was said and done in a session, in order. */
export type DialogueEvent =
  /** `meant`: what the user meant to say, where it was mutated; absent: the same. */
  | { readonly kind: 'user'; readonly text: string; readonly meant?: string }
  | { readonly kind: 'calls'; readonly calls: readonly DialogueCall[] }
  | ({ readonly kind: 'agent' } & Omit<AgentSays, 'kind'>)
  /** An answer that an assertion refused, so that the user never heard it. */
  | ({ readonly kind: 'draft' } & Omit<AgentSays, 'kind'>)
  /** What the agent was told of it. */
  | { readonly kind: 'feedback'; readonly text: string };

/** What an agent does when the user has said something: it says something, or cannot. */
export type AgentMove = AgentSays | { readonly kind: 'stops'; readonly reason: string };

/** An agent in one session. */
export interface AgentInSession {
  /** Answers a message of the user; on the way it may call tools. A promise where it waits for something. */
  answer(message: string, tools: Tools): AgentMove | Promise<AgentMove>;
  /** Called once when the session is over; absent: nothing is left behind. */
  leave?(): void;
}

/** A call that an agent wants. */
export interface AskedCall extends ToolCall {
  /** What is wrong with its arguments as a text, so that nothing can be done with them; absent: they are data. */
  readonly malformed?: string;
}

/** The tools of a session, in the hands of its agent. */
export interface Tools {
  /** Carries out calls that belong together, one after the other; null: a limit ends the session here, or it has ended. */
  call(calls: readonly AskedCall[]): readonly DialogueCall[] | null;
}

/** A session that has ended. */
export interface EndedDialogue {
  readonly events: readonly DialogueEvent[];
  readonly state: Json;
  readonly end: SessionEnd;
  /** Of an agent that could not answer, and of a user that broke its rules: why; null: neither. */
  readonly problem: string | null;
  /** What was reached of its sub-goals; null: there are none. */
  readonly reached: ReachedGoals | null;
  /** Declared faults that struck; null: none is declared. */
  readonly struck: readonly Strike[] | null;
  /** The user that a model played; absent: it followed a script. */
  readonly user?: PlayedUser;
  /** What became of the assertions; absent: there are none. */
  readonly assertions?: readonly AssertionFacts[];
}

export interface DialogueParts {
  readonly world: World;
  /** Watches the sub-goals; absent: there are none. */
  readonly watch?: (state: Json) => GoalWatch;
  /** Says what the agent must do as it goes; absent: nothing. */
  readonly assertions?: () => AssertionWatch;
  readonly user: UserInSession;
  readonly agent: AgentInSession;
  readonly limits: SessionLimits;
}

/** One session: the user speaks, the agent acts and answers, and so on until one of them, or a limit, ends it. */
export class Dialogue {
  private readonly parts: DialogueParts;
  private readonly events: DialogueEvent[] = [];
  private readonly tools: SessionTools;
  private waitsForUser = false;

  constructor(parts: DialogueParts) {
    this.parts = parts;
    const { world, limits, watch, assertions } = parts;
    this.tools = new SessionTools(world, { events: this.events, most: limits.calls, watch, assertions });
  }

  /** Leads it to its end at once, where nobody waits for anything. Throws `WorldError` where the world is wrong. */
  hold(): EndedDialogue {
    const step = this.steps().next();
    if (step.done !== true) throw new TypeError('A session that is held at once had to wait.');
    return step.value;
  }

  /** The same where agent or user may wait. */
  async holdAsync(): Promise<EndedDialogue> {
    const steps = this.steps();
    let step = steps.next();
    while (step.done !== true) {
      step = steps.next(await step.value);
    }
    return step.value;
  }

  /** Ends it from outside: what the agent calls from now on is refused. */
  end(end: SessionEnd, problem: string | null = null): EndedDialogue {
    this.tools.isOver = true;
    const { state, watch, struck, assertions } = this.tools;
    const { simulated } = this.parts.user;
    return {
      events: [...this.events],
      state,
      end,
      problem,
      reached: watch?.reached ?? null,
      struck,
      ...(simulated !== undefined && { user: simulated }),
      ...(assertions !== null && { assertions: assertions.facts }),
    };
  }

  /** Ends it because its time is up. One that waits for its user tells nothing of the agent. */
  endLate(problem: string): EndedDialogue {
    if (!this.waitsForUser) return this.end('timeout', problem);
    this.parts.user.late?.();
    return this.end('user_failed', `It gave no answer. ${problem}`);
  }

  /** Hands out what has to be waited for, and goes on when that is there. */
  private *steps(): Generator<Promise<unknown>, EndedDialogue, unknown> {
    const { user, agent, limits } = this.parts;
    const { tools } = this;
    let heard: UserMove | Promise<UserMove> = user.begin();
    for (let said = 1; ; said++) {
      this.waitsForUser = heard instanceof Promise;
      const next: UserMove = heard instanceof Promise ? yield* whenThere(heard) : heard;
      this.waitsForUser = false;
      if (next.kind !== 'says') return this.left(next);
      if (said > limits.messages) return this.end('message_limit');
      const { text, meant } = next;
      this.events.push(meant === undefined ? { kind: 'user', text } : { kind: 'user', text, meant });
      let told: string | null = next.text;
      let move: AgentMove | null = null;
      while (told !== null) {
        const answered: AgentMove | Promise<AgentMove> = agent.answer(told, tools);
        move = answered instanceof Promise ? yield* whenThere(answered) : answered;
        told = move.kind === 'says' && !tools.isOver ? this.refused(move) : null;
      }
      if (tools.failure !== null) return this.end('assertion_failed', tools.failure);
      if (tools.isOver || move === null) return this.end('call_limit');
      if (move.kind === 'stops') return this.end('agent_stopped', move.reason);
      tools.watch?.said(move.text, this.events.length);
      this.events.push({ ...move, kind: 'agent' });
      heard = user.hear(move.text, said >= limits.messages);
    }
  }

  /** What the agent is told of an answer that an assertion refuses; null: the user hears it, or the session is over. */
  private refused(move: AgentSays): string | null {
    const ruling = this.tools.assertions?.answered(move.text, this.tools.state);
    if (ruling === undefined || ruling.kind === 'passes') return null;
    this.events.push({ ...move, kind: 'draft' });
    if (ruling.kind === 'fails') {
      this.tools.fail(ruling.reason);
      return null;
    }
    this.events.push({ kind: 'feedback', text: ruling.feedback });
    return ruling.feedback;
  }

  private left(move: Exclude<UserMove, { readonly kind: 'says' }>): EndedDialogue {
    if (move.text !== undefined) this.events.push({ kind: 'user', text: move.text });
    return move.kind === 'leaves' ? this.end(move.why) : this.end('user_failed', move.reason);
  }
}

/** Hands out a promise, and takes what it came to. */
function* whenThere<T>(promise: Promise<T>): Generator<Promise<T>, T, unknown> {
  // Whoever takes the steps gives back what they waited for.
  return (yield promise) as T;
}

interface SessionToolsParts {
  readonly events: DialogueEvent[];
  /** Calls. */
  readonly most: number;
  readonly watch: DialogueParts['watch'];
  readonly assertions: DialogueParts['assertions'];
}

class SessionTools implements Tools {
  /** True: no call is carried out any more. */
  isOver = false;
  /** Why an assertion failed for good; null: none did. */
  failure: string | null = null;
  readonly watch: GoalWatch | null;
  readonly assertions: AssertionWatch | null;
  private readonly world: OpenWorld;
  private readonly events: DialogueEvent[];
  private left: number;

  constructor(world: World, { events, most, watch, assertions }: SessionToolsParts) {
    this.world = world.open();
    this.events = events;
    this.left = most;
    this.watch = watch === undefined ? null : watch(this.world.state);
    this.assertions = assertions?.() ?? null;
  }

  get state(): Json {
    return this.world.state;
  }

  get struck(): readonly Strike[] | null {
    return this.world.struck ?? null;
  }

  /** An assertion does not hold for good: nothing is carried out any more. */
  fail(reason: string): void {
    this.failure = reason;
    this.isOver = true;
  }

  call(calls: readonly AskedCall[]): readonly DialogueCall[] | null {
    if (this.isOver) return null;
    const done: DialogueCall[] = [];
    for (const { name, args, malformed } of calls) {
      if (this.left === 0) break;
      this.left--;
      const ruling = malformed === undefined ? this.assertions?.called({ name, args }) : undefined;
      if (ruling !== undefined && ruling.kind !== 'passes') {
        const problem = ruling.kind === 'fails' ? ruling.reason : ruling.feedback;
        done.push({ name, args, result: null, problem, isValid: true });
        if (ruling.kind === 'again') continue;
        this.fail(ruling.reason);
        break;
      }
      const reply = malformed === undefined ? this.world.call(name, args) : unreadable(name, malformed);
      done.push({ name, args, ...reply });
      // Whoever is struck has been answered, and not served.
      if (reply.problem === null && reply.struckBy === undefined)
        this.watch?.called({ name, args }, this.world.state, this.events.length);
    }
    if (done.length > 0) this.events.push({ kind: 'calls', calls: done });
    this.isOver ||= done.length < calls.length;
    return this.isOver ? null : done;
  }
}

function unreadable(name: string, why: string): ToolReply {
  return { result: null, problem: `The arguments of ${name} cannot be read: ${why}.`, isValid: false };
}
