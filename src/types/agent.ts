import type { FinishReason } from './message.ts';
import type { Count } from './numbers.ts';

/** A subject that is not a workflow; what passk may start or reach is granted by the user only. */
export interface Agent {
  /** Where the agent is, and how it is called. */
  readonly target: AgentTarget;
  /** For one call in all, retries included. */
  readonly timeoutMs: number;
  /** Further tries after a call that did not get through; a refusal or an HTTP status is an answer. */
  readonly retries: number;
  /** What brings it back to its first state; null: nothing does. */
  readonly reset: AgentReset | null;
  /** How many calls it takes at a time; null: one, in declared order, because it may keep state from call to call. */
  readonly atOnce: number | null;
  /** When it is brought back: before each trial, or before the first trial of each column and list of prompts. */
  readonly isolation: 'cell' | 'trial';
  /** Where its model and tool calls go through, so that they can be seen and broken; null: they are out of sight. */
  readonly proxy: AgentProxy | null;
}

/** Where an agent is, and how it is called. */
export type AgentTarget =
  | {
      readonly kind: 'http';
      /** Address that prompts are sent to. */
      readonly url: string;
      /** Upper case. */
      readonly method: string;
      /** Headers of each request. */
      readonly headers: Readonly<Record<string, string>>;
      /** Parameters that are added to the address. */
      readonly query: Readonly<Record<string, string>>;
      /** With `{prompt}` and `{field}` places; null: `{"input": prompt}`. */
      readonly requestTemplate: string | null;
      /** Such as `$.choices[0].message.content`; null: looked for in the usual places. */
      readonly responsePath: string | null;
      /** Whether lines such as `field: value` of a prompt fill places of the template. */
      readonly parseStructuredInput: boolean;
    }
  /** Gets the prompt on standard input, answers on standard output. */
  | {
      readonly kind: 'command';
      /** Program and arguments. */
      readonly command: readonly string[];
      /** In sessions: what it gets, with places; absent: the message. */
      readonly requestTemplate?: string;
      /** In sessions: where in the JSON that it prints its answer is; absent: all that it prints is the answer. */
      readonly responsePath?: string;
    }
  /** A function, or an object with `invoke`, exported by a JavaScript module. */
  | {
      readonly kind: 'module';
      /** The module's file. */
      readonly file: string;
      /** Name of the export that is called. */
      readonly exported: string;
      /** Key of the object that the prompt is put into, as chains of prompts want it; null: it is given as text. */
      readonly inputKey: string | null;
    }
  /** `module:attribute`, run by a Python interpreter. */
  | {
      readonly kind: 'python';
      /** Name of the Python module. */
      readonly module: string;
      /** Name in the module that is called. */
      readonly attribute: string;
      /** True: it is called as runnables of LangChain are. */
      readonly langchain: boolean;
      /** Key of the map that a prompt is put into; null: the one that the runnable asks for. */
      readonly inputKey: string | null;
      /** In sessions: what it is called with, with places; absent: the message. */
      readonly requestTemplate?: string;
    }
  /** A function of the program that made the contract. It is asked on the calling thread. */
  | {
      readonly kind: 'function';
      /** The name that the contract has for it. */
      readonly code: string;
    };

/** How an agent is told to forget everything. */
export type AgentReset =
  | {
      readonly kind: 'http';
      /** Address that is requested to forget everything. */
      readonly url: string;
    }
  /** As the target names functions: of the module, or of Python. */
  | {
      readonly kind: 'function';
      /** Module that holds the function. */
      readonly module: string;
      /** Name of the function in the module. */
      readonly attribute: string;
    }
  /** A function of the program that made the contract. */
  | {
      readonly kind: 'code';
      /** The name that the contract has for it. */
      readonly code: string;
    };

/** Where an agent's own calls to models and tools pass through passk. */
export interface AgentProxy {
  /** The port the agent is pointed at; 0: any free one, told to agents that passk starts. */
  readonly port: number;
  /** Where model calls are passed on to, such as `https://models.example/v1`; null: to the provider whose format they have. */
  readonly upstream: string | null;
  /** Tools that the agent reaches as `/tools/NAME/…` of the proxy, with the address that stands behind each. */
  readonly tools: Readonly<Record<string, string>>;
}

/** The name of the host's function that asks agents. */
export const AGENT_CALL = 'agent';

/** What that function is asked; plain data. It answers with an `AgentRun`. */
export interface AgentCallPayload {
  /** Position in the plan. */
  readonly scenario: number;
  readonly trial: number;
  /** In place of those of the plan; absent: these. */
  readonly prompts?: readonly string[];
}

/** What calling an agent once for each prompt of a list gave. */
export interface AgentRun {
  /** One for each prompt, in their order. */
  readonly answers: readonly AgentAnswer[];
  /** How often each declared fault fired, in the order of `faultLabels`. */
  readonly fired: readonly number[];
}

/** What an agent gave for one prompt. */
export interface AgentAnswer {
  /** What the agent was asked. */
  readonly prompt: string;
  /** What it was asked after attacks on the prompt; null: the prompt as it is. */
  readonly sent: string | null;
  /** Labels of the faults that struck on the way to it and back; those of its own calls are with the calls. */
  readonly struckBy: readonly string[];
  /** False: a fault came before the agent was asked, so that `text` and `error` are not its own. */
  readonly asked: boolean;
  /** Kinds of faults that struck on the way to this answer, as a sum of `KIND_BITS`. */
  readonly struck: number;
  /** What it answered. */
  readonly text: string;
  /** Why there is no answer; null: there is. */
  readonly error: string | null;
  /** Milliseconds until the answer was there. */
  readonly latencyMs: number;
  /** Of all its calls to models together; null: not to be seen from outside. */
  readonly tokens: number | null;
  /** The same, of prompts and of answers alone; null: not every call told them apart. */
  readonly promptTokens: number | null;
  /** Tokens of answers alone; null: not every call told them apart. */
  readonly completionTokens: number | null;
  /** Its calls of models and tools, in order; null: not to be seen from outside. */
  readonly calls: readonly AgentCall[] | null;
  /** Its answer to the same prompt in a world without chaos; null: not asked for, or there was none. */
  readonly baseline: string | null;
}

/** A call that an agent made, as its proxy saw it. */
export interface AgentCall {
  /** Whether a model or a tool is called. */
  readonly port: 'model' | 'tool';
  /** What it goes by: of a tool its own name, of an address its host without and with the port. */
  readonly names: readonly string[];
  /** Labels of the faults that fired on it. */
  readonly struckBy: readonly string[];
}

/** The name of the host's function that asks agents in sessions. */
export const SESSION_CALL = 'session-agent';
/** Has room for a session with its agent, from when there is some until nobody waits for it any more. */
export const SESSION_HOLD = 'session-hold';
/** Answers with the name of a session that is held, once its agent is ready and in its first state. */
export const SESSION_BEGIN = 'session-begin';

/** What the latter two are given; plain data. */
export interface SessionPayload {
  /** Position in the plan. */
  readonly scenario: number;
  readonly trial: number;
}

/** What the function that asks is given; plain data. It answers with a `SessionAnswer`. */
export interface SessionCallPayload extends SessionPayload {
  /** What tells this session from all others that the agent ever sees. */
  readonly session: string;
  /** What was said so far, in order; the last is what the user says now. */
  readonly messages: readonly SaidMessage[];
  /** Where the tools of the session are served; null: they are not. */
  readonly toolsUrl: string | null;
  /** Where the model of the agent is asked; null: the agent is not told. */
  readonly modelUrl: string | null;
}

/** What one side of a session said to the other. */
export interface SaidMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The session that a message belongs to, as far as its agent is told. */
export interface MessageInSession {
  readonly id: string;
  /** Null: the file tells agents nothing. */
  readonly system: string | null;
  /** What was said so far, in order; the last is the message. */
  readonly messages: readonly SaidMessage[];
  /** Where its tools are served; null: they are not. */
  readonly toolsUrl: string | null;
  /** Where its model is asked; null: it is not told. */
  readonly modelUrl: string | null;
}

export interface SessionAnswer {
  readonly text: string;
  /** Why there is no answer; null: there is. */
  readonly error: string | null;
  readonly usage: AnswerUsage | null;
  /** Calls of models behind it; absent: the answer does not say. */
  readonly modelCalls?: Count;
  /** Null: the answer does not say. */
  readonly model: string | null;
  /** Why its model ended it; absent: the answer does not say. */
  readonly finish?: FinishReason;
}

/** Tokens of all calls of models behind an answer together. */
export interface AnswerUsage {
  /** Tokens of the prompt. */
  readonly promptTokens: Count;
  /** Tokens of the completion. */
  readonly completionTokens: Count;
}
