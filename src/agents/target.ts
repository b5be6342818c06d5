import type { AgentCall, AgentReset, MessageInSession } from '../types/agent.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import type { TraceHeaders } from '../values/trace-context.ts';
import type { Grants } from './agent-wire.ts';
import type { AnswerMetadata } from '../plugin/answer-metadata.ts';
import type { AgentResponse } from './read-answer.ts';
import type { AgentPlace } from './unusable.ts';

/** The way to an agent of one kind. Calls of one transport must not overlap. */
export interface Transport {
  /** Where its requests go, for agents behind HTTP: what faults are matched against; null: nobody sees the way to it. */
  readonly url: string | null;
  /** One answer; the agent's failure is in it. Throws when passk could not ask, or the signal is aborted. */
  call(prompt: string, options: CallOptions): Promise<TargetAnswer>;
  /** Calls a function of the agent without arguments, as `reset` names it; null: there is no way to. */
  readonly invoke: ((reset: ResetFunction, signal: AbortSignal) => Promise<void>) | null;
  /** What stays between calls, of which a start is no part; absent: nothing stays. */
  readonly resident?: {
    /** False: the next call has it started first. */
    isReady(): boolean;
    /** Rejects where it cannot be started. */
    start(signal: AbortSignal): Promise<void>;
    /** True: the time of a process was up in its first call. */
    readonly wasLateAtFirst: boolean;
  };
  /** How often it was started anew, without what it remembered; absent: it does not stay between calls. */
  readonly restarts?: () => number;
  /** Leaves no process and no connection behind. */
  close(): Promise<void>;
}

/** A subject that is no workflow, ready to be asked. */
export interface Target extends Omit<Transport, 'invoke'> {
  /** Brings it back to its first state; null: nothing does. Throws when that did not work. */
  readonly reset: ((signal: AbortSignal) => Promise<void>) | null;
}

export type ResetFunction = Extract<AgentReset, { readonly kind: 'function' }>;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** A response that comes instead of the agent's own, which is then not asked; only where there is a `url`. */
  readonly instead?: AgentResponse;
  /** Absent: the prompt belongs to no session. */
  readonly session?: MessageInSession;
  /** What tells the agent which trial asks it, as headers; absent: it is not told. */
  readonly traceHeaders?: TraceHeaders | undefined;
}

export interface TargetAnswer {
  readonly text: string;
  /** Why there is no answer; null: there is. Never empty. */
  readonly error: string | null;
  /** Tries and waits included. */
  readonly latencyMs: number;
  /** How often it was asked until something came; absent: once. */
  readonly tries?: number;
  /** True: nobody is there to answer; absent: somebody is. */
  readonly unreached?: true;
  /** True: nothing was where `response_path` leads, so that the text was found without it; absent: no path led astray. */
  readonly isAstray?: true;
  /** True: a response that says it is JSON is none, so that all of it is the text; absent: it is. */
  readonly isUnreadable?: true;
  /** True: the response is an HTML page, and all of it is the text; absent: it is none. */
  readonly isPage?: true;
  /** True: the response is a stream in which no text was found, and all of it is the text; absent: it is none. */
  readonly isUnknownStream?: true;
  /** What the answer says of itself; absent: nobody asked. */
  readonly metadata?: AnswerMetadata;
}

/** What the user grants an agent, and where it is. */
export interface TargetOptions extends Grants, AgentPlace, HasProcessCode {
  /** Absolute folder of the contract's file, which relative names of the agent start from. */
  readonly folder: string;
  /** Absolute folder of the suite. */
  readonly root: string;
  /** What an agent that passk starts is pointed at; null: its own calls are out of sight. */
  readonly proxy: Pick<TrialProxy, 'url'> | null;
}

/**
 * What agents that passk starts are pointed at, so that their own calls can be seen and broken. One trial at a time.
 */
export interface TrialProxy {
  /** Where it listens, such as `http://127.0.0.1:8123`. */
  readonly url: string;
  /** The calls that follow belong to this trial; null: to none, in a world without chaos. */
  begin(at: { readonly plan: ScenarioPlan; readonly trial: number } | null): void;
  /** What was seen since the trial began, or since it was last asked: for one answer. */
  seen(): SeenCalls;
  /** Ends the trial: how often each declared fault fired, in the order of `faultLabels`. */
  end(): readonly number[];
  close(): Promise<void>;
}

/** Tokens of an agent's calls to models, as the answers tell; null: there was none, or not every answer told. */
export interface SeenTokens {
  readonly tokens: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

export interface SeenCalls extends SeenTokens {
  /** Kinds of faults that struck them, as a sum of `KIND_BITS`. */
  readonly struck: number;
  /** In the order in which they were made. */
  readonly calls: readonly AgentCall[];
  /** Why calls were refused, each once: what they reach for is not granted. */
  readonly refused: readonly string[];
  /** Why calls were not made under replay, each once: no answer of them was recorded. */
  readonly missed: readonly string[];
}
