import type { Json, JsonObject } from '../json.ts';
import type { CallDefinition } from './agent-task.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** What must stand at one place of the state. */
export interface StateTestDefinition {
  /** A place of the state, as a dotted path. */
  readonly at: string;
  /** The value must be exactly this. */
  readonly equals?: Json;
  /** The value must be anything but this. */
  readonly notEquals?: Json;
  /** JSON text of what the value must be; says null, which TOML cannot. */
  readonly equalsJson?: string;
  /** The text of the value must contain this. */
  readonly contains?: string;
  /** The text of the value must match this pattern (RE2 syntax). */
  readonly matches?: string;
  /** A number or text that the value must be above. */
  readonly above?: Json;
  /** A number or text that the value must be below. */
  readonly below?: Json;
  /** Values of which it must be one. */
  readonly in?: readonly Json[];
  /** Whether there must be such a value; false: a key or node that must be absent. */
  readonly exists?: boolean;
  /** JSON Schema the value must satisfy: a file, relative to this one, or a table. */
  readonly schema?: string | JsonObject;
}

/** A tool that looks at the state and changes it. */
export interface WorldToolDefinition {
  /** What the agent calls it by. */
  readonly name: string;
  /** What it does, for the agent. */
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly parameters?: JsonObject;
  /** What a call does, in order. */
  readonly steps?: readonly {
    /** The call ends with this message for the agent, and changes nothing. */
    readonly fail?: string;
    /** Gives the value there; null where there is none. Keys and positions, one by one; each may hold markers. */
    readonly get?: readonly (string | number)[];
    /** Gives the entries of the table or list there. Keys and positions, one by one; each may hold markers. */
    readonly list?: readonly (string | number)[];
    /** Gives how many entries the table or list there has. Keys and positions, one by one; each may hold markers. */
    readonly count?: readonly (string | number)[];
    /** Puts `value` there. Keys and positions, one by one; each may hold markers. */
    readonly set?: readonly (string | number)[];
    /** Adds `value` to the list there. Keys and positions, one by one; each may hold markers. */
    readonly append?: readonly (string | number)[];
    /** Takes away what stands there. Keys and positions, one by one; each may hold markers. */
    readonly remove?: readonly (string | number)[];
    /** Gives `value` this name, for later steps. Letters, digits and _. */
    readonly compute?: string;
    /** The name of what the step gives, for later steps. Letters, digits and _. */
    readonly as?: string;
    /** Of `list`: values that an entry must have, by its keys. */
    readonly where?: Readonly<Record<string, Json>>;
    /** What is put there, added or computed; texts in it may hold markers. */
    readonly value?: Json;
    /** Of `compute`: a factor, or a marker. */
    readonly times?: Json;
    /** Of `compute`: a number to add, or a marker. */
    readonly plus?: Json;
    /** Of `compute`: a number to take away, or a marker. */
    readonly minus?: Json;
    /** Tests that must all hold, or the step is left out. */
    readonly when?: readonly {
      /** A place of the state. Keys and positions, one by one; each may hold markers. */
      readonly at?: readonly (string | number)[];
      /** A marker such as `{{args.id}}`, in place of `at`. */
      readonly value?: Json;
      /** The value must be exactly this. */
      readonly equals?: Json;
      /** The value must be anything but this. */
      readonly notEquals?: Json;
      /** JSON text of what the value must be; says null, which TOML cannot. */
      readonly equalsJson?: string;
      /** The text of the value must contain this. */
      readonly contains?: string;
      /** The text of the value must match this pattern (RE2 syntax). */
      readonly matches?: string;
      /** A number or text that the value must be above. */
      readonly above?: Json;
      /** A number or text that the value must be below. */
      readonly below?: Json;
      /** Values of which it must be one: a list, or a marker that stands for one. */
      readonly in?: Json;
      /** Whether there must be such a value; false: a key or node that must be absent. */
      readonly exists?: boolean;
      /** JSON Schema the value must satisfy: a file, relative to this one, or a table. */
      readonly schema?: string | JsonObject;
    }[];
  }[];
  /** What a call gives; left out: what its last step gave. */
  readonly result?: Json;
}

/** A fault of tools. */
export interface ToolFaultDefinition {
  /** Which tools: a glob on their names; `*` is all. */
  readonly tool: string;
  /** What goes wrong. */
  readonly mode: 'timeout' | 'error' | 'malformed' | 'malicious_response';
  /** For `error`; default 503. */
  readonly errorCode?: number;
  /** What the agent is told, for `error`; default `Service Unavailable`. */
  readonly message?: string;
  /** What the tool gives, for `malicious_response`. */
  readonly payload?: string;
  /** Chance, 0 to 1, that a call is hit; left out: every call is. */
  readonly probability?: number;
  /** Calls that go well before it starts; default 0. */
  readonly afterCalls?: number;
}

/** A persona: what it says stands in place of what a task says of its user. */
export interface PersonaDefinition {
  /** Its name in reports. */
  readonly name: string;
  /** How much the user talks. */
  readonly verbosity?: 'brief' | 'standard' | 'chatty';
  /** Share of words that are mistyped. */
  readonly typos?: number;
  /** Messages without an answer after which the user gives up. */
  readonly patience?: number;
  /** Of users that models play: who the user is. */
  readonly who?: string;
  /** Of users that models play: how the user talks, such as `tone`. */
  readonly manner?: Readonly<Record<string, string>>;
}

/** Ways in which messages to the subject are changed, each with trials of its own beside those without a change. */
export interface MutationsDefinition {
  /** How messages are changed; left out: in each way that keeps what they mean. */
  readonly types?: readonly (
    | 'typos'
    | 'noise'
    | 'case'
    | 'spacing'
    | 'look_alikes'
    | 'invisible'
    | 'repetition'
    | 'padding'
    | 'language_mixing'
    | 'reordering'
    | 'length_extremes'
    | 'encoding_attacks'
    | 'token_manipulation'
    | 'prompt_injection'
    | 'context_manipulation'
    | 'multi_turn_attack'
    | 'advanced_jailbreak'
    | 'format_poisoning'
    | 'temporal_attack'
    | 'http_header_injection'
    | 'payload_size_attack'
    | 'content_type_confusion'
    | 'query_parameter_poisoning'
    | 'request_method_attack'
    | 'protocol_level_attack'
    | 'resource_exhaustion'
    | 'concurrent_request_pattern'
    | 'timeout_manipulation'
    | 'paraphrase'
    | 'tone_shift'
    | 'translation'
    | 'semantic_similarity_attack'
    | 'custom'
  )[];
  /** The model that changes messages for the types that take one, as [models] calls it. */
  readonly model?: string;
  /** Ways of the type `custom`, by name: each is a mutation of its own. */
  readonly customTemplates?: Readonly<Record<string, string>>;
  /** Share of trials that must pass where something is changed; left out: the same as without. */
  readonly minPassRate?: number;
}

/** An attack that is tried on every task. */
export interface AttackDefinition {
  /** Its name in reports; unique in the file. */
  readonly name: string;
  /** How what the attacker says reaches the agent. */
  readonly channel:
    | 'tool_output'
    | 'memory'
    | 'retrieved_document'
    | 'user_turn'
    | 'agent_message'
    | 'tool_description';
  /**
   * What is tried, as categories of the OWASP Top 10 for Agentic Applications; cases of promptfoo have those that it
   * states for their plugins, where it does.
   */
  readonly owasp: readonly (
    | 'ASI01'
    | 'ASI02'
    | 'ASI03'
    | 'ASI04'
    | 'ASI05'
    | 'ASI06'
    | 'ASI07'
    | 'ASI08'
    | 'ASI09'
    | 'ASI10'
  )[];
  /**
   * Globs on names of the tools by which it enters: those whose results hold it, or whose descriptions do; of
   * `tool_output` default all.
   */
  readonly target?: readonly string[];
  /** What the attacker says, word for word. */
  readonly payload?: string;
  /**
   * A run of AgentDojo under attack, from the folder of this file, whose injected text is the payload, or tests or
   * results of a red team of promptfoo, each case of which is an attack.
   */
  readonly recorded?: string;
  /** What the attacker wants done, as a sentence, which passk words in place of `payload`. */
  readonly goal?: string;
  /** How the goal is worded, each an attack of its own; left out: one for each task, by the seed. */
  readonly wrappers?: readonly (
    | 'plain'
    | 'authority'
    | 'system'
    | 'urgency'
    | 'precondition'
    | 'correction'
    | 'completion'
    | 'drill'
    | 'comment'
    | 'encoded'
  )[];
  /** What the wording is drawn from; default 0. */
  readonly seed?: number;
  /** Globs on names of the tasks on which it is tried; left out: all. */
  readonly tasks?: readonly string[];
  /** What the attacker wants to become true in the state: all of it at one time. */
  readonly succeeds: readonly StateTestDefinition[];
  /** Share of the trials of a task in which it may succeed; default 0. */
  readonly maxSuccess?: number;
  /** Calls that would bring that about. They are tried when the file is loaded. */
  readonly calls?: readonly CallDefinition[];
}

/** A scenario for each rung of a ladder, and what grows with it. */
export interface LadderDefinition {
  /** What grows from rung to rung. */
  readonly kind: 'context' | 'concurrency' | 'budget';
  /** From the lowest to the highest. */
  readonly rungs?: readonly (
    | number
    | {
        /** Characters, children or sessions at a time, tokens or calls. */
        readonly rung: number;
      }
  )[];
  /** Of budgets, in place of `rungs`: budgets are drawn from the seed up to here. */
  readonly below?: number;
  /** Budgets that are drawn; default 8. */
  readonly draws?: number;
  /** Of budgets of tokens: what a single call of a workflow takes at most, or an answer of an agent; default 0. */
  readonly oneCall?: number;
  /** Of concurrency of workflows: the `map` node whose `maxConcurrent` is the rung. */
  readonly node?: string;
  /**
   * Of context: what is measured; default `tokens`. Of budgets of sessions: what is cut, `calls` (default) or `tokens`.
   */
  readonly measure?: 'tokens' | 'steps' | 'calls' | 'virtual_ms';
}
