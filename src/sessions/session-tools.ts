import type { AnswerUsage } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import type { Strike } from '../types/record.ts';
import type { SessionLimits } from '../types/session.ts';
import type { AgentMove, AskedCall, DialogueCall, DialogueEvent, Tools } from './agent-moves.ts';
import type { AssertionWatch } from './assertions.ts';
import type { GoalWatch } from './watch-goals.ts';
import type { OpenWorld, World } from './world/open-world.ts';
import type { ToolReply } from './world/tool-reply.ts';

/** The session has a limit of tokens, and nobody can say whether an answer passed it. */
export class UnknownTokens extends Error {
  override readonly name = 'UnknownTokens';

  constructor() {
    super('The session has a limit of tokens, and the agent does not tell what its answers take.');
  }
}

export interface SessionToolsParts {
  readonly events: DialogueEvent[];
  readonly limits: SessionLimits;
  /** Watches the sub-goals; absent: there are none. */
  readonly watch: ((state: Json) => GoalWatch) | undefined;
  /** Says what the agent must do as it goes; absent: nothing. */
  readonly assertions: (() => AssertionWatch) | undefined;
}

/** The world of a session, as its agent reaches it: within the limits, and under the eyes of goals and assertions. */
export class SessionTools implements Tools {
  /** True: no call is carried out any more. */
  isOver = false;
  /** Why an assertion failed for good; null: none did. */
  failure: string | null = null;
  readonly watch: GoalWatch | null;
  readonly assertions: AssertionWatch | null;
  private readonly world: OpenWorld;
  private readonly events: DialogueEvent[];
  /** Calls. */
  private left: number;
  /** Null: as many as it likes. */
  private tokensLeft: number | null;

  constructor(world: World, { events, limits, watch, assertions }: SessionToolsParts) {
    this.world = world.open();
    this.events = events;
    this.left = limits.calls;
    this.tokensLeft = limits.tokens ?? null;
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

  /** The answers so far took more tokens than are allowed. */
  get isSpent(): boolean {
    return this.tokensLeft !== null && this.tokensLeft < 0;
  }

  /** Takes what an answer took from what is left. Throws `UnknownTokens`. */
  spend({ kind, usage }: AgentMove): void {
    if (this.tokensLeft === null) return;
    if (usage !== undefined) this.tokensLeft -= tokensOf(usage);
    // One that stops may have had no answer.
    else if (kind === 'says' && !this.isOver) throw new UnknownTokens();
    this.isOver ||= this.isSpent;
  }

  affords(usage: AnswerUsage): boolean {
    return this.tokensLeft === null || tokensOf(usage) <= this.tokensLeft;
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

function tokensOf({ promptTokens, completionTokens }: AnswerUsage): number {
  return promptTokens + completionTokens;
}

function unreadable(name: string, why: string): ToolReply {
  return { result: null, problem: `The arguments of ${name} cannot be read: ${why}.`, isValid: false };
}
