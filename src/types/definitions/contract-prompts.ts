import type { Json } from '../json.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** Ways in which prompts are changed, each a column of a matrix of its own. */
export interface PromptMutationsDefinition {
  /**
   * How prompts are changed; left out: in each way that keeps what they mean, in YAML as Flakestorm does. Those that
   * take a model are made where `model` names one.
   */
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
  /** Mutants of each prompt, shared among the types, at least one of each; default 10. */
  readonly count?: number;
  /** How much types weigh in the score of mutations. */
  readonly weights?: Readonly<Record<string, number>>;
  /** The model that changes messages for the types that take one, as [models] calls it. */
  readonly model?: string;
  /** Ways of the type `custom`, by name: each is a mutation of its own. */
  readonly customTemplates?: Readonly<Record<string, string>>;
  /** Share of trials that must pass where something is changed; left out: the same as without. */
  readonly minPassRate?: number;
}

/** Recorded sessions that the contract is held to once more. */
export interface ReplaysDefinition {
  /** Recorded sessions, each in a file or written here. */
  readonly sessions?: readonly {
    /** A file with the session. */
    readonly file?: string;
    /** What reports call it; unique in the file. */
    readonly id?: string;
    /** What it is, in words. */
    readonly name?: string;
    /** Where it comes from; default `manual`. */
    readonly source?: string;
    /** When it was recorded. */
    readonly capturedAt?: Json;
    /** What the subject was asked. */
    readonly input?: string;
    /** What was said before; it is not told to the subject. */
    readonly context?: Json;
    /** What calls of tools were answered, in their order; left out: tools are called. */
    readonly toolResponses?: readonly {
      /** A name that calls of the tool go by. */
      readonly tool?: string;
      /** What it answered: a text, a table, or nothing. */
      readonly response?: Json;
      /** As HTTP has it, default 200; 0: no answer came. */
      readonly status?: number;
      /** How long it took; default 0. */
      readonly latencyMs?: number;
    }[];
    /** What went wrong when it was recorded. */
    readonly expectedFailure?: string;
    /** The name of the contract of this file, or a file with one; default: that of this file. */
    readonly contract?: string;
  }[];
  /** Exports with more of them. */
  readonly sources?: readonly {
    /** All runs of a project, or one run. */
    readonly type?: 'langsmith' | 'langsmith_run';
    /** An export of LangSmith with its runs (JSON or JSON Lines); passk fetches none. */
    readonly file?: string;
    /** The project, by its name or id. */
    readonly project?: string;
    /** The run, by the id of its root. */
    readonly runId?: string;
    /** Whether the reference fetches runs again each time. */
    readonly autoImport?: boolean;
    /** Which runs. */
    readonly filter?: {
      /** Runs that failed (default), in which a tool failed, or all. */
      readonly status?: 'error' | 'warning' | 'all';
      /** Has no effect: a file has the runs that it has. */
      readonly dateRange?: string;
      /** Only runs that took so long. */
      readonly minLatencyMs?: number;
    };
  }[];
}
