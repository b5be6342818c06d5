import type { FaithfulExpectation } from './faithfulness/faithful-expectation.ts';
import type { Preference } from './judges/judge.ts';
import type { Json } from './json.ts';

/** How much an invariant weighs: critical 3, high 2, medium 1, low 1; one critical failure fails the contract. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** In which columns of the matrix an invariant is judged; by what the column declares, not by what fired. */
export const WHENS = ['always', 'tool_faults_active', 'llm_faults_active', 'any_chaos_active', 'no_chaos'] as const;
export type When = (typeof WHENS)[number];

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
  /** Case does not matter for the first two. */
  | { readonly type: 'contains'; readonly value: string }
  | { readonly type: 'contains_any'; readonly values: readonly string[] }
  /** Each is a pattern where it compiles, else literal text; case does not matter. */
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
  /** `baseline` null: the subject's own answer to the same prompt in a world without chaos. */
  | { readonly type: 'behavior_unchanged'; readonly baseline: string | null; readonly threshold: number }
  | { readonly type: 'json_schema'; readonly schema: Json }
  | { readonly type: 'max_tokens'; readonly max: number }
  /** Nano-USD. `price` absent: nobody has said yet what a token costs, and nothing obeys. */
  | { readonly type: 'max_cost'; readonly maxNanoUsd: number; readonly price?: TokenPrice }
  /** `tool` is a glob on the tool's name. */
  | { readonly type: 'tool_called'; readonly tool: string; readonly atLeast: number }
  | { readonly type: 'tool_not_called'; readonly tool: string }
  /** At least one denial by the subject's policy; `target` is a part of its text. */
  | { readonly type: 'policy_denied'; readonly target?: string }
  | { readonly type: 'stopped_by'; readonly stop: string }
  /** A judge of the configuration finds every criterion met, by the whole trial. */
  | { readonly type: 'judge'; readonly judge: string }
  /** A judge that compares prefers the trial to one that ends with another answer. */
  | ({ readonly type: 'prefers' } & Preference)
  /** Contexts support what the subject said in the whole trial. */
  | ({ readonly type: 'faithful' } & FaithfulExpectation);

/** What one token costs, in nano-USD, down to thousandths. */
export interface TokenPrice {
  readonly inputNanoUsd: number;
  readonly outputNanoUsd: number;
}
