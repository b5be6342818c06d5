import type { JsonObject } from '../json.ts';
import type { StateTestDefinition } from './agent-world.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** What must hold when the session has ended. */
export interface AgentExpectedTables {
  /** How the session must end; default `completed`. */
  readonly status?: 'completed' | 'failed' | 'timed_out' | 'paused' | 'errored';
  /** What must stand where in the end. */
  readonly state?: readonly StateTestDefinition[];
  /** JSON Schema that the state must fit in the end. */
  readonly stateSchema?: JsonObject;
  /** Lists of the state whose order does not count, as dotted paths; `*` stands for any key. */
  readonly unordered?: readonly string[];
  /** What the agent must have told the user; a text: it must contain it. */
  readonly says?: readonly (
    | string
    | {
        /** Text that must be in it. */
        readonly contains?: string;
        /** Pattern it must match (RE2 syntax). */
        readonly matches?: string;
      }
  )[];
  /** Checks that are programs. */
  readonly commands?: readonly {
    /** Program and arguments, from the folder of this file; --allow-run grants the program. */
    readonly command: readonly string[];
    /** The name of the check; left out: the command. */
    readonly name?: string;
    /** Milliseconds it may take; default 10,000. */
    readonly timeoutMs?: number;
    /** Exit codes that say that something is wrong; left out: any but 0. Others break the trial. */
    readonly failsWith?: readonly number[];
  }[];
  /** Judges of the configuration that must find their criteria met. */
  readonly judges?: readonly string[];
  /** Answers that judges must find worse than the answer of the trial. */
  readonly prefers?: readonly PreferenceDefinition[];
  /**
   * Contexts must support what the subject says: a judge verifies it, or a heuristic check looks for its facts. Without
   * documents, tools and texts these are all documents and the results of all tools.
   */
  readonly faithful?: {
    /** A judge of the configuration that verifies each claim; absent: a heuristic check of facts. */
    readonly judge?: string;
    /** Contexts as they stand here. */
    readonly texts?: readonly string[];
    /**
     * The share of claims that must be supported, of those that have facts; default 1. With `judge` it stands there.
     */
    readonly minScore?: number;
    /** Claims that must be there, without `judge` with facts; default 1, since fewer say nothing of the answer. */
    readonly minClaims?: number;
    /** Documents of the trial by name, or all of them (`true`). */
    readonly documents?: boolean | readonly string[];
    /** Tools whose results are contexts, or all of them (`true`). */
    readonly tools?: boolean | readonly string[];
    /** What the user said is a context, too. */
    readonly user?: boolean;
  };
  /** Calls of tools at least. */
  readonly minToolCalls?: number;
  /** Calls of tools at most. */
  readonly maxToolCalls?: number;
  /** Calls that policy denied at least. */
  readonly minPolicyDenials?: number;
  /** Calls that policy denied at most. */
  readonly maxPolicyDenials?: number;
  /** What the subject's policy must have refused. */
  readonly denials?: readonly {
    /** Text that the denial must contain. */
    readonly contains?: string;
    /** Pattern that the denial must match (RE2 syntax). */
    readonly matches?: string;
    /** Exactly this many. */
    readonly count?: number;
    /** At least this many; without count and bounds: 1. */
    readonly atLeast?: number;
    /** At most this many; 0: it must not happen. */
    readonly atMost?: number;
  }[];
  /** Rules that every message of the agent must obey. */
  readonly invariants?: readonly RuleDefinition[];
}

/** A rule that the subject must obey. */
export interface RuleDefinition {
  /** Unique in the contract. */
  readonly id?: string;
  /** What it looks at. */
  readonly type?:
    | 'contains'
    | 'contains_any'
    | 'excludes_pattern'
    | 'regex'
    | 'latency'
    | 'valid_json'
    | 'output_not_empty'
    | 'completes'
    | 'excludes_pii'
    | 'refusal_check'
    | 'similarity'
    | 'behavior_unchanged'
    | 'json_schema'
    | 'max_tokens'
    | 'max_cost'
    | 'tool_called'
    | 'tool_not_called'
    | 'policy_denied'
    | 'stopped_by'
    | 'module'
    | 'plugin'
    | 'judge'
    | 'prefers'
    | 'faithful';
  /** What the rule is for. */
  readonly description?: string;
  /** How much it weighs; default `medium`. One critical failure fails all. */
  readonly severity?: 'critical' | 'high' | 'medium' | 'low';
  /** In which columns it is judged; default `always`. */
  readonly when?: 'always' | 'tool_faults_active' | 'llm_faults_active' | 'any_chaos_active' | 'no_chaos';
  /** The rule must not hold. */
  readonly negate?: boolean;
  /** Asked instead of the prompts. */
  readonly probes?: readonly string[];
  /** For `contains`: the text. */
  readonly value?: string;
  /** For `contains_any`: one of these texts. */
  readonly values?: readonly string[];
  /** For `regex`: the pattern. */
  readonly pattern?: string;
  /** For `excludes_pattern`: patterns, or literal text where they are none. */
  readonly patterns?: readonly string[];
  /** For `latency`: milliseconds at most. */
  readonly maxMs?: number;
  /** For `similarity`: the text to be like. */
  readonly expected?: string;
  /** For `similarity`: lowest similarity; default 0.8. */
  readonly threshold?: number;
  /** For `behavior_unchanged`: lowest similarity; default 0.75. */
  readonly similarityThreshold?: number;
  /** For `behavior_unchanged`: the text to be like, or `auto` for the answer without chaos. */
  readonly baseline?: string;
  /** For `json_schema`: a file, relative to this one, or a table. */
  readonly schema?: string | JsonObject;
  /** For `max_tokens`: tokens at most. */
  readonly maxTokens?: number;
  /** For `max_cost`: US dollars at most. */
  readonly maxUsd?: number;
  /** For `tool_called` and `tool_not_called`: a glob on the name of the tool. */
  readonly tool?: string;
  /** For `tool_called`: calls at least; default 1. */
  readonly atLeast?: number;
  /** For `policy_denied`: a part of what was denied. */
  readonly target?: string;
  /** For `stopped_by`: what must have stopped the run. */
  readonly stop?:
    | 'terminate'
    | 'fail'
    | 'leaf'
    | 'dead_end'
    | 'loop_spent'
    | 'pause'
    | 'timeout'
    | 'denial'
    | 'error'
    | 'step_limit';
  /** Accepted for files of the reference; `refusal_check` judges every answer. */
  readonly dangerousPrompts?: boolean;
  /** For `module`: the JavaScript module, relative to this file; --allow-run grants it. */
  readonly module?: string;
  /** For `module`: the function that it exports; default `default`. */
  readonly export?: string;
  /** For `plugin`: the type of a plug-in that judges answers. */
  readonly plugin?: string;
  /** For `plugin`: what it is told. */
  readonly settings?: JsonObject;
  /**
   * For `judge`, `prefers` and `faithful`: the name of one of [[judges]] in passk.toml; `faithful` is a heuristic
   * without one.
   */
  readonly judge?: string;
  /** For `prefers`: the answer that the trial's must be better than. */
  readonly over?: string;
  /** For `prefers`: true where an answer as good as that is enough. */
  readonly ties?: boolean;
  /** For `faithful`: Contexts as they stand here. */
  readonly texts?: readonly string[];
  /**
   * For `faithful`: The share of claims that must be supported, of those that have facts; default 1. With `judge` it
   * stands there.
   */
  readonly minScore?: number;
  /**
   * For `faithful`: Claims that must be there, without `judge` with facts; default 1, since fewer say nothing of the
   * answer.
   */
  readonly minClaims?: number;
  /** For `faithful`: Nodes of a workflow whose last outputs are contexts. */
  readonly nodes?: readonly string[];
  /** For `faithful`: Documents of the trial by name, or all of them (`true`). */
  readonly documents?: boolean | readonly string[];
  /** For `faithful`: Tools whose results are contexts, or all of them (`true`). */
  readonly tools?: boolean | readonly string[];
  /** For `faithful`: What the user said is a context, too. */
  readonly user?: boolean;
}

/** An answer of your own, to compare with. */
export interface PreferenceDefinition {
  /** A judge of the configuration that compares. */
  readonly judge: string;
  /** An answer that the answer of the trial must be better than. */
  readonly over: string;
  /** Whether an answer that is as good is enough; default false. */
  readonly ties?: boolean;
}
