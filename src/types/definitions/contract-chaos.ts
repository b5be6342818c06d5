// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** What goes wrong around the subject. */
export interface ChaosDefinition {
  /** A built-in profile or a file with one, whose chaos comes before what stands here. */
  readonly profile?: string;
  /** Faults of tools; the first that strikes wins. */
  readonly toolFaults?: readonly BrokenToolDefinition[];
  /** Faults of models, applied one after the other. */
  readonly llmFaults?: readonly BrokenModelDefinition[];
  /** Which trials prove something: `struck`, the default, those that a fault struck; `in_force`, all of them. */
  readonly evidence?: 'struck' | 'in_force';
  /** Attacks, as a list or as a table by type. */
  readonly contextAttacks?:
    | readonly ContextAttackDefinition[]
    | {
        /** The attack of this type. */
        readonly memoryPoisoning?: AttackSettings;
        /** The attack of this type. */
        readonly indirectInjection?: AttackSettings;
        /** The attack of this type. */
        readonly overflow?: AttackSettings;
        /** The attack of this type. */
        readonly conflictingContext?: AttackSettings;
        /** The attack of this type. */
        readonly injectionViaContext?: AttackSettings;
      };
}

/** A column of the matrix. */
export interface ColumnDefinition {
  /** Name of the column. */
  readonly name?: string;
  /** A built-in profile or a file with one, whose chaos comes before what stands here. */
  readonly profile?: string;
  /** Faults of tools; the first that strikes wins. */
  readonly toolFaults?: readonly BrokenToolDefinition[];
  /** Faults of models, applied one after the other. */
  readonly llmFaults?: readonly BrokenModelDefinition[];
  /** Which trials prove something: `struck`, the default, those that a fault struck; `in_force`, all of them. */
  readonly evidence?: 'struck' | 'in_force';
  /** Attacks, as a list or as a table by type. */
  readonly contextAttacks?:
    | readonly ContextAttackDefinition[]
    | {
        /** The attack of this type. */
        readonly memoryPoisoning?: AttackSettings;
        /** The attack of this type. */
        readonly indirectInjection?: AttackSettings;
        /** The attack of this type. */
        readonly overflow?: AttackSettings;
        /** The attack of this type. */
        readonly conflictingContext?: AttackSettings;
        /** The attack of this type. */
        readonly injectionViaContext?: AttackSettings;
      };
}

/** A fault of tools. */
export interface BrokenToolDefinition {
  /** Which tools: a glob on the name of a node, a program, an MCP tool or a host; `*` is all. */
  readonly tool?: string;
  /** What goes wrong. */
  readonly mode?: 'timeout' | 'slow' | 'error' | 'malformed' | 'malicious_response';
  /** A glob on the whole URL, which then decides instead of `tool`. */
  readonly matchUrl?: string;
  /** For `timeout` (default 30000) and `slow` (default 5000). */
  readonly delayMs?: number;
  /** HTTP status, for `error`; default 503. */
  readonly errorCode?: number;
  /** Body of the answer, for `error`; default `Service Unavailable`. */
  readonly message?: string;
  /** Body of the answer, for `malicious_response`. */
  readonly payload?: string;
  /** Chance, 0 to 1, that a call is hit; left out: every call is. */
  readonly probability?: number;
  /** Calls that go well before it starts; default 0. */
  readonly afterCalls?: number;
}

/** A fault of models. */
export interface BrokenModelDefinition {
  /** What goes wrong. */
  readonly mode?: 'timeout' | 'truncated_response' | 'rate_limit' | 'empty' | 'garbage' | 'response_drift';
  /** Words that are left, for `truncated_response`; default 10. */
  readonly maxTokens?: number;
  /** How long nothing comes, for `timeout`; default 300000. */
  readonly delayMs?: number;
  /** How answers change, for `response_drift`; default `json_field_rename`. */
  readonly driftType?: 'json_field_rename' | 'verbosity_shift' | 'format_change' | 'refusal_rephrase' | 'tone_shift';
  /** How much they change; default `subtle`. */
  readonly severity?: 'subtle' | 'moderate' | 'significant';
  /** For `verbosity_shift`; default `expand`. */
  readonly direction?: 'expand' | 'compress';
  /** For `verbosity_shift`; default 2. */
  readonly factor?: number;
  /** Chance, 0 to 1, that a call is hit; left out: every call is. */
  readonly probability?: number;
  /** Calls that go well before it starts; default 0. */
  readonly afterCalls?: number;
}

/** An attack by way of what the subject reads. */
export interface ContextAttackDefinition {
  /** What is done to the context. */
  readonly type?:
    | 'memory_poisoning'
    | 'indirect_injection'
    | 'overflow'
    | 'conflicting_context'
    | 'injection_via_context';
  /** Texts of which one is drawn each time it strikes. */
  readonly payloads?: readonly string[];
  /** The only text. */
  readonly payload?: string;
  /** Where the text goes; default `append`. */
  readonly strategy?: 'append' | 'prepend' | 'replace';
  /** Chance, 0 to 1, that it strikes; default 0.3 for `indirect_injection`, 1 for the others. */
  readonly triggerProbability?: number;
  /** Words of filler that `overflow` adds; default 5000. */
  readonly injectTokens?: number;
  /** The call it strikes, from 1; left out: every call. */
  readonly injectAt?: number;
}

/** The attack of this type. */
export interface AttackSettings {
  /** False: it is left out. */
  readonly enabled?: boolean;
  /** Texts of which one is drawn each time it strikes. */
  readonly payloads?: readonly string[];
  /** The only text. */
  readonly payload?: string;
  /** Where the text goes; default `append`. */
  readonly strategy?: 'append' | 'prepend' | 'replace';
  /** Chance, 0 to 1, that it strikes; default 0.3 for `indirect_injection`, 1 for the others. */
  readonly triggerProbability?: number;
  /** Words of filler that `overflow` adds; default 5000. */
  readonly injectTokens?: number;
  /** The call it strikes, from 1; left out: every call. */
  readonly injectAt?: number;
}
