import type { FaithfulExpectation } from './faithfulness/faithful-expectation.ts';
import type { Preference } from './judges/judge.ts';
import type { Json } from './json.ts';
import type { JudgingFunction, JudgingModule, JudgingPlugin } from './scenarios/code-check.ts';

/** How much an invariant weighs: critical 3, high 2, medium 1, low 1; one critical failure fails the contract. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
/** How much an invariant counts. */
export type Severity = (typeof SEVERITIES)[number];

/** In which columns of the matrix an invariant is judged; by what the column declares, not by what fired. */
export const WHENS = ['always', 'tool_faults_active', 'llm_faults_active', 'any_chaos_active', 'no_chaos'] as const;
/** In which columns an invariant must hold. */
export type When = (typeof WHENS)[number];

/** A rule that a subject must obey, whatever breaks around it. */
export interface Invariant {
  /** Unique in its contract. */
  readonly id: string;
  /** What it is for. */
  readonly description?: string;
  /** How much it counts. */
  readonly severity: Severity;
  /** In which columns it must hold. */
  readonly when: When;
  /** The rule must not hold. */
  readonly negate: boolean;
  /** Asked instead of the golden prompts; []: the golden prompts. */
  readonly probes: readonly string[];
  /** What must hold of the answers. */
  readonly rule: InvariantRule;
}

/** What an invariant looks at, by the word that names it in a file. */
export type InvariantRule =
  /** Case does not matter for the first two. */
  | {
      readonly type: 'contains';
      /** The text that is looked for. */
      readonly value: string;
    }
  | {
      readonly type: 'contains_any';
      /** Texts that are looked for. */
      readonly values: readonly string[];
    }
  /** Each is a pattern where it compiles, else literal text; case does not matter. */
  | {
      readonly type: 'excludes_pattern';
      /** Regular expressions that are looked for. */
      readonly patterns: readonly string[];
    }
  | {
      readonly type: 'regex';
      /** The regular expression that is looked for. */
      readonly pattern: string;
    }
  /** Milliseconds: virtual in pure trials, real elsewhere. Inclusive. */
  | {
      readonly type: 'latency';
      /** The slowest answer may take so many milliseconds. */
      readonly maxMs: number;
    }
  | { readonly type: 'valid_json' }
  | { readonly type: 'output_not_empty' }
  | { readonly type: 'completes' }
  | { readonly type: 'excludes_pii' }
  | { readonly type: 'refusal_check' }
  | {
      readonly type: 'similarity';
      /** The text that the answer must be like. */
      readonly expected: string;
      /** The least likeness, from 0 to 1. */
      readonly threshold: number;
    }
  /** `baseline` null: the subject's own answer to the same prompt in a world without chaos. */
  | {
      readonly type: 'behavior_unchanged';
      /** The text that the answer must be like; null: the answer without chaos. */
      readonly baseline: string | null;
      /** The least likeness, from 0 to 1. */
      readonly threshold: number;
    }
  | {
      readonly type: 'json_schema';
      /** The JSON Schema that the answer must fit. */
      readonly schema: Json;
    }
  | {
      readonly type: 'max_tokens';
      /** The most that there may be. */
      readonly max: number;
    }
  /** Nano-USD. `price` absent: nobody has said yet what a token costs, and nothing obeys. */
  | {
      readonly type: 'max_cost';
      /** The most that it may cost, in billionths of a dollar. */
      readonly maxNanoUsd: number;
      /** What tokens cost. */
      readonly price?: TokenPrice;
    }
  /** `tool` is a glob on the tool's name. */
  | {
      readonly type: 'tool_called';
      /** Name of the tool, or a glob. */
      readonly tool: string;
      /** The tool must be called at least so often. */
      readonly atLeast: number;
    }
  | {
      readonly type: 'tool_not_called';
      /** Name of the tool, or a glob. */
      readonly tool: string;
    }
  /** At least one denial by the subject's policy; `target` is a part of its text. */
  | {
      readonly type: 'policy_denied';
      /** Where the agent was to be led. */
      readonly target?: string;
    }
  | {
      readonly type: 'stopped_by';
      /** What must have ended it. */
      readonly stop: string;
    }
  /** A function of the user finds each answer right. */
  | ({ readonly type: 'module' } & JudgingModule)
  /** A plug-in finds each answer right. */
  | ({ readonly type: 'plugin' } & JudgingPlugin)
  /** A function of the program that made the contract finds each answer right. */
  | ({ readonly type: 'function' } & JudgingFunction)
  /** A judge of the configuration finds every criterion met, by the whole trial. */
  | {
      readonly type: 'judge';
      /** Name of the judge. */
      readonly judge: string;
    }
  /** A judge that compares prefers the trial to one that ends with another answer. */
  | ({ readonly type: 'prefers' } & Preference)
  /** Contexts support what the subject said in the whole trial. */
  | ({ readonly type: 'faithful' } & FaithfulExpectation);

/** What one token costs, in nano-USD, down to thousandths. */
export interface TokenPrice {
  /** Price of an input token, in billionths of a dollar. */
  readonly inputNanoUsd: number;
  /** Price of an output token, in billionths of a dollar. */
  readonly outputNanoUsd: number;
}
