// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** Tries the node again after an error; denials are never retried. */
export interface RetryDefinition {
  /** Attempts in all; 0 counts as 1. */
  readonly maxAttempts: number;
  /** Milliseconds before attempt k + 1 is this times k; default 100. */
  readonly backoffMs?: number;
  /** `transient`: tool, model and MCP errors only; default `any`. */
  readonly on?: 'any' | 'transient';
  /** Spread of the wait, 0 to 0.5. */
  readonly jitter?: number;
}

/** A place where runs begin. */
export interface StartNodeDefinition {
  /** The name a trigger starts it by. */
  readonly name: string;
  /** What kind of trigger it is meant for. */
  readonly source: 'event' | 'http' | 'manual';
  /** First node; left out: the only node without incoming edges. */
  readonly entryNode?: string;
}

/** A connection between two nodes. */
export interface EdgeDefinition {
  /** Node it leaves. */
  readonly from: string;
  /** Node it leads to. */
  readonly to: string;
  /** Branch label it answers; left out: followed when the node gives none. */
  readonly when?: string;
  /** Makes it a loop edge that can be followed this often in one run. */
  readonly maxIterations?: number;
}

/** An MCP server: a `command` or a `url`. */
export interface McpServerDefinition {
  /** The name nodes use. */
  readonly name: string;
  /** Program and arguments that start the server. */
  readonly command?: readonly string[];
  /** Where the server speaks streamable HTTP, instead of `command`. */
  readonly url?: string;
  /** Headers for the `url`; values may hold {{secret:NAME}}. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Tools that may be called. */
  readonly allowTools?: readonly string[];
  /** Resources that may be read. */
  readonly allowResources?: readonly string[];
  /** The model backend that answers when the server asks for one; default: none does. */
  readonly sampling?: string;
  /** Environment of the program; values may hold {{secret:NAME}}. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Caps over a whole run. */
export interface BudgetDefinition {
  /** Parsed; not enforced in trials. */
  readonly maxMemoryMb?: number;
  /** Parsed; not enforced in trials. */
  readonly maxCpuSecs?: number;
  /** Seconds a run may take; the limit of the trial, where that is shorter. */
  readonly maxRunTimeSecs?: number;
  /** Megabytes a run may write. */
  readonly maxFsWriteMb?: number;
  /** Tokens a run may spend. */
  readonly maxLlmTokens?: number;
}

/** Model backends; trials answer them from `[[intel.turns]]`. */
export interface IntelligenceDefinition {
  /** Model backends. */
  readonly backends?: readonly {
    /** The name nodes use. */
    readonly name: string;
    /** The provider's protocol. */
    readonly provider: 'openai' | 'openai-responses' | 'openai-compatible' | 'anthropic' | 'gemini';
    /** The provider's model name. */
    readonly model?: string;
    /** Environment variable with the key. */
    readonly apiKeyEnv?: string;
    /** Address of the endpoint. */
    readonly baseUrl?: string;
    /** Cap per answer. */
    readonly maxTokens?: number;
  }[];
}
