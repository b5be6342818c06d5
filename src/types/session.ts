import type { DeclaredWorld, WorldCode } from './sessions/declared-world.ts';
import type { Agent, AnswerUsage } from './agent.ts';
import type { Json, JsonObject } from './json.ts';
import type { TextMatch } from './mock.ts';
import type { MessageMutation } from './mutations/mutation.ts';
import type { ModelEndpoint } from './model-endpoint.ts';
import type { Count } from './numbers.ts';
import type { Policy } from './policy.ts';
import type { Divergence, TrajectoryTerms } from './recordings/gold-expectation.ts';
import type { AssertionFacts, SessionAssertion } from './sessions/assertion.ts';
import type { AttackChannel, AttackFacts, CrossedSession } from './sessions/attack.ts';
import type { ScriptedUser, SimulatedUser, UserModel } from './sessions/session-user.ts';
import type { StateValue, ValueTest } from './value-test.ts';

/** A dialogue of an agent with a user, in a world that the agent's tools change. */
export interface SessionSubject {
  readonly kind: 'session';
  /** Without state and tools where it is a module, until that is loaded. */
  readonly world: DeclaredWorld;
  /** The code that the world is; absent: it is declared. */
  readonly worldCode?: WorldCode;
  /** The user. */
  readonly user: ScriptedUser | UserModel;
  /** The agent. */
  readonly agent: CannedAgent | FunctionAgent | ModuleAgent | OutsideAgent | ModelAgent;
  /** The calls that are right, in their order; null: the file names none. */
  readonly gold: readonly ToolCall[] | null;
  /** How calls are compared with them; absent: every gold call must be there. */
  readonly goldTerms?: TrajectoryTerms;
  /** The limits of a session. */
  readonly limits: SessionLimits;
  /** What the agent may call; absent: every tool. */
  readonly policy?: Policy;
  /** What a session should reach on its way; absent: nothing in particular. */
  readonly goals?: readonly SessionGoal[];
  /** What the agent must do as it goes; absent: nothing. */
  readonly assertions?: readonly SessionAssertion[];
  /** How messages of the user are mutated on their way to the agent; absent: they come as they were meant. */
  readonly mutation?: MessageMutation;
  /** Where it stands in user tasks × attacks; absent: its file has no attacks. */
  readonly crossed?: CrossedSession;
}

/** A sub-goal of a task, which tells how far a session got; its verdict rests on other things. */
export interface SessionGoal {
  /** Unique in the task. */
  readonly name: string;
  /** When the goal is reached. */
  readonly test: GoalTest;
}

/** What reaches a sub-goal. */
export type GoalTest =
  /** A call of a tool that did what it was asked to, with at least these arguments, which pass these tests. */
  | {
      readonly kind: 'call';
      /** The name of the tool. */
      readonly tool: string;
      /** The arguments. */
      readonly args: JsonObject;
      /** Values that arguments must have. */
      readonly where: readonly StateValue[];
    }
  /** A state that passes a test; it may be lost again. */
  | {
      readonly kind: 'state';
      /** The place in the state, as a dotted path. */
      readonly at: string;
      /** What it must be. */
      readonly test: ValueTest;
    }
  /** A message to the user. */
  | {
      readonly kind: 'says';
      /** The text that must be said. */
      readonly text: TextMatch;
    };

/** A call of a tool by its name. */
export interface ToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** The arguments. */
  readonly args: Json;
}

/** Where a session ends that nobody else ends. */
export interface SessionLimits {
  /** Messages of the user. */
  readonly messages: Count;
  /** Calls of tools. */
  readonly calls: Count;
  /** Tokens that the agent says its answers took, together; absent: as many as it likes. */
  readonly tokens?: Count;
}

/** An agent whose model has canned answers. It calls the tools that they call, and says to the user what they say. */
export interface CannedAgent {
  readonly kind: 'canned';
  /** The canned answers, in order. */
  readonly turns: readonly AgentTurn[];
  /** Channels by which an attacker gets it to do what he wants; absent: none. */
  readonly obeys?: readonly AttackChannel[];
}

/** An agent that is a function of the program that made the scenario. It is called on the calling thread. */
export interface FunctionAgent {
  readonly kind: 'function';
  /** The name that the scenario has for it. */
  readonly code: string;
  /** What the scenario tells it, such as a policy; null: nothing. */
  readonly system: string | null;
}

/** An agent whose code is a module of the user, which is loaded where trials run. */
export interface ModuleAgent {
  readonly kind: 'module';
  /** Relative to the suite's root. */
  readonly file: string;
  /** The name of the export. */
  readonly exported: string;
  /** What the file tells it, such as a policy; null: nothing. */
  readonly system: string | null;
}

/** An agent behind an address, or one that passk starts. The host asks it each message. */
export interface OutsideAgent {
  readonly kind: 'outside';
  /** How the agent is asked. */
  readonly agent: Agent;
  /** True: the tools of its sessions are served to it over MCP; absent: it is not told of them. */
  readonly servesTools?: true;
  /** The model that it asks through passk; absent: it asks its own, out of sight. */
  readonly model?: AgentsModel;
  /** What the file tells it, such as a policy; null: nothing. */
  readonly system: string | null;
}

/** The model of an agent, at an address that passk serves. */
export interface AgentsModel {
  /** As `[models]` and `--model` call it. */
  readonly name: string;
  /** Canned answers, which stand for it in runs without `--live`; []: there are none. */
  readonly turns: readonly AgentTurn[];
}

/** An agent that is a model, with the tools of the world as functions. passk leads its part of the dialogue. */
export interface ModelAgent {
  readonly kind: 'model';
  /** As `[models]` and `--model` call it, or as the file's own endpoint is called. */
  readonly model: string;
  /** Where the file itself says that it is; null: the configuration says. */
  readonly endpoint: ModelEndpoint | null;
  /** What the file tells it, such as a policy; null: nothing. */
  readonly system: string | null;
}

/** One answer of its model, or several variants of it. */
export interface AgentTurn {
  /** True: it is given again and again; all turns behind it are never reached. */
  readonly repeat: boolean;
  /** At least one. */
  readonly variants: readonly AgentVariant[];
}

export interface AgentVariant {
  /** Relative chance, above 0. */
  readonly weight: number;
  /** Called in this order before anything is said; with a call and no `says`, the next turn goes on. */
  readonly calls: readonly ToolCall[];
  /** What the user is told; null: nothing yet. */
  readonly says: string | null;
  /** True: it says the user's last message in place of `says`; absent: it does not. */
  readonly echoes?: true;
  /** Tokens that it is said to take; absent: nobody says. */
  readonly usage?: AnswerUsage;
}

/** Kinds of answers with which a session may pass although they are no whole ones. */
export const ODD_ANSWERS = ['emptyAnswers', 'cutAnswers', 'filteredAnswers'] as const;
export type OddAnswers = (typeof ODD_ANSWERS)[number];

/** How a session came to its end. */
export const SESSION_ENDS = [
  'user_done',
  'user_gave_up',
  'user_failed',
  'message_limit',
  'call_limit',
  'token_limit',
  'agent_stopped',
  'timeout',
  'assertion_failed',
] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** What only sessions have. */
export interface SessionFacts {
  /** How the session ended. */
  readonly end: SessionEnd;
  /** The tools that could be called. */
  readonly tools: readonly string[];
  /** Calls that fit a tool and its schema, whatever came of them; all calls beside it are those of the record. */
  readonly validCalls: Count;
  /** Answers without a word that the user heard; absent: none. */
  readonly emptyAnswers?: Count;
  /** Answers that the user heard and that were cut at a cap of tokens, as they say themselves; absent: none. */
  readonly cutAnswers?: Count;
  /** Answers that the user heard and that are refusals, or were cut by a filter, as they say themselves; absent: none. */
  readonly filteredAnswers?: Count;
  /** The calls that are right; null: nobody says which. */
  readonly gold: readonly ToolCall[] | null;
  /** Where its calls first leave the gold ones; absent: they do not, or nobody names any. */
  readonly divergence?: Divergence & {
    /** The same in words. */
    readonly text: string;
  };
  /** How far it got; absent: its task has no sub-goals. */
  readonly progress?: GoalProgress;
  /** What programs said that are checks, in the order of the file; absent: there are none. */
  readonly commands?: readonly {
    /** The name of the check. */
    readonly check: string;
    /** Null: nothing is wrong. */
    readonly problem: string | null;
  }[];
  /** The user that a model played; absent: the user followed a script. */
  readonly user?: SimulatedUser;
  /** What became of each assertion, in the order of the file; absent: there are none. */
  readonly assertions?: readonly AssertionFacts[];
  /** Messages of the user that a mutation changed; absent: none is declared. */
  readonly mutated?: Count;
  /** What became of the attack; absent: there is none. */
  readonly attack?: AttackFacts;
}

/** The sub-goals that a session reached. */
export interface GoalProgress {
  /** In the order of the file. */
  readonly goals: readonly {
    /** The name of the goal. */
    readonly name: string;
    /** Position of the turn at which it was first reached; null: never. */
    readonly turn: Count | null;
  }[];
  /** The most of them that held at one time: what counts as the progress of the session (AgentBoard's progress rate). */
  readonly most: Count;
}

/** What the state must be when a session has ended. */
export interface StateExpectation {
  /** The state that the gold calls make of a fresh world; absent: nothing is asked of it as a whole. */
  readonly gold?: JsonObject;
  /** Places of lists whose order does not count. */
  readonly unordered: readonly (readonly string[])[];
  /** What values of the state must be. */
  readonly values: readonly StateValue[];
  /** JSON Schema that it must fit; absent: none. */
  readonly schema?: JsonObject;
}
