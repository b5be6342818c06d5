import type { Json } from '../types/json.ts';
import type { Strike } from '../types/record.ts';
import type { SessionEnd, SessionLimits } from '../types/session.ts';
import type { PlayedUser, UserInSession, UserMove } from './user/user-in-session.ts';
import type { AssertionFacts } from '../types/sessions/assertion.ts';
import type { AgentInSession, AgentMove, AgentSays, DialogueEvent } from './agent-moves.ts';
import type { AssertionWatch } from './assertions.ts';
import { SessionTools } from './session-tools.ts';
import type { GoalWatch, ReachedGoals } from './watch-goals.ts';
import type { World } from './world/open-world.ts';

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
    this.tools = new SessionTools(world, { events: this.events, limits, watch, assertions });
  }

  /**
   * Leads it to its end at once, where nobody waits for anything. Throws `WorldError` where the world is wrong, and
   * `UnknownTokens`.
   */
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
      let message: string | null = next.text;
      let move: AgentMove | null = null;
      while (message !== null) {
        const answered: AgentMove | Promise<AgentMove> = agent.answer(message, tools);
        move = answered instanceof Promise ? yield* whenThere(answered) : answered;
        const wasOver = tools.isOver;
        tools.spend(move);
        if (tools.isOver || move.kind === 'stops') {
          this.unheard(move);
          message = null;
        } else message = this.refused(move);
        if (!wasOver && tools.isSpent) return this.end('token_limit');
      }
      if (tools.failure !== null) return this.end('assertion_failed', tools.failure);
      if (tools.isOver || move === null) return this.end('call_limit');
      if (move.kind === 'stops') return this.end('agent_stopped', move.reason);
      tools.watch?.said(move.text, this.events.length);
      this.events.push({ ...move, kind: 'agent' });
      heard = user.hear(move.text, said >= limits.messages);
    }
  }

  /** Keeps what an answer took that nobody hears. */
  private unheard({ usage, model, modelCalls, ...move }: AgentMove): void {
    if (usage === undefined && modelCalls === undefined) return;
    this.events.push({
      kind: 'draft',
      text: move.kind === 'says' ? move.text : '',
      ...(usage !== undefined && { usage }),
      ...(model !== undefined && { model }),
      ...(modelCalls !== undefined && { modelCalls }),
    });
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
