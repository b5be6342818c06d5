import type { Json } from './json.ts';

/** How much an invariant weighs: critical 3, high 2, medium 1, low 1; one critical failure fails the contract. */
export type Severity = 'critical' | 'high' | 'medium' | 'low';

/** In which cells an invariant holds; by what the cell declares, not by what fired. */
export type When = 'always' | 'tool_faults_active' | 'llm_faults_active' | 'any_chaos_active' | 'no_chaos';

/** A rule that a subject must obey, whatever breaks around it. */
export interface Invariant {
  /** Unique in its contract. */
  readonly id: string;
  readonly description?: string;
  readonly severity: Severity;
  readonly when: When;
  /** The rule must not hold. */
  readonly negate: boolean;
  /** Asked instead of the golden prompts; []: the golden prompts. */
  readonly probes: readonly string[];
  readonly rule: InvariantRule;
}

/** What an invariant looks at, by the word that names it in a file. */
export type InvariantRule =
  /** Case does not matter for the first three. */
  | { readonly type: 'contains'; readonly value: string }
  | { readonly type: 'contains_any'; readonly values: readonly string[] }
  /** Each is a pattern, or literal text where it is none. */
  | { readonly type: 'excludes_pattern'; readonly patterns: readonly string[] }
  | { readonly type: 'regex'; readonly pattern: string }
  /** Milliseconds: virtual in pure trials, real elsewhere. Inclusive. */
  | { readonly type: 'latency'; readonly maxMs: number }
  | { readonly type: 'valid_json' }
  | { readonly type: 'output_not_empty' }
  | { readonly type: 'completes' }
  | { readonly type: 'excludes_pii' }
  | { readonly type: 'refusal_check' }
  | { readonly type: 'similarity'; readonly expected: string; readonly threshold: number }
  /** `baseline` null: the subject's own answer to the same prompt in a cell without chaos. */
  | { readonly type: 'behavior_unchanged'; readonly baseline: string | null; readonly threshold: number }
  | { readonly type: 'json_schema'; readonly schema: Json }
  | { readonly type: 'max_tokens'; readonly max: number }
  /** Nano-USD. */
  | { readonly type: 'max_cost'; readonly maxNanoUsd: number }
  | { readonly type: 'tool_called'; readonly tool: string; readonly atLeast: number }
  | { readonly type: 'tool_not_called'; readonly tool: string }
  /** At least one denial by the subject's policy; `target` is a part of its text. */
  | { readonly type: 'policy_denied'; readonly target?: string }
  | { readonly type: 'stopped_by'; readonly stop: string };

/** When a fault fires: on calls after the first `afterCalls`, each with `probability`. */
interface Trigger {
  /** In [0, 1]; null: always. */
  readonly probability: number | null;
  /** Calls of this door that go well before it starts; null: none. */
  readonly afterCalls: number | null;
}

export interface ToolFault extends Trigger {
  /** A tool, a node, a program, an MCP tool or a URL's host; `*` and globs match several. */
  readonly tool: string;
  /** Glob on the whole URL; absent: `tool` decides. */
  readonly matchUrl?: string;
  readonly mode: 'timeout' | 'slow' | 'error' | 'malformed' | 'malicious_response';
  readonly delayMs: number;
  readonly errorCode: number;
  readonly message: string;
  readonly payload: string;
}

export type DriftType = 'json_field_rename' | 'verbosity_shift' | 'format_change' | 'refusal_rephrase' | 'tone_shift';

export interface LlmFault extends Trigger {
  readonly mode: 'timeout' | 'truncated_response' | 'rate_limit' | 'empty' | 'garbage' | 'response_drift';
  /** Words that are left of a truncated answer. */
  readonly maxTokens: number;
  readonly delayMs: number;
  readonly driftType: DriftType;
  readonly severity: 'subtle' | 'moderate' | 'significant';
  readonly direction: 'expand' | 'compress';
  readonly factor: number;
}

export interface ContextAttack {
  readonly type:
    | 'memory_poisoning'
    | 'indirect_injection'
    | 'overflow'
    | 'conflicting_context'
    | 'injection_via_context';
  /** One is drawn each time; at least one. */
  readonly payloads: readonly string[];
  readonly strategy: 'append' | 'prepend' | 'replace';
  /** In [0, 1]. */
  readonly probability: number;
  /** How much filler `overflow` adds. */
  readonly injectTokens: number;
  /** The call before which it strikes, from 1; null: every call. */
  readonly injectAt: number | null;
}

/** Everything that goes wrong around the subject in one cell. */
export interface Chaos {
  readonly toolFaults: readonly ToolFault[];
  readonly llmFaults: readonly LlmFault[];
  readonly contextAttacks: readonly ContextAttack[];
}

/** One column of the matrix. */
export interface ChaosScenario extends Chaos {
  readonly name: string;
}

/** A named set of invariants and the ways in which the world breaks while they must hold. */
export interface Contract {
  readonly name: string;
  readonly description?: string;
  /** Relative to the suite root, with `/`. */
  readonly file: string;
  readonly invariants: readonly Invariant[];
  readonly matrix: readonly ChaosScenario[];
  /** Golden prompts, in order. */
  readonly prompts: readonly string[];
  /** Chaos of the whole file; null: none. In cells only where `stack` says so. */
  readonly chaos: Chaos | null;
  readonly stack: boolean;
  /** Trials of each cell. */
  readonly trials: number;
}
