import type { Json } from './json.ts';

/** Which calls a fault hits. */
export interface FaultTrigger {
  /** In [0, 1]; null: every call. Drawn for each call with the trial's seed. */
  readonly probability: number | null;
  /** Calls of this fault's kind that go well before it starts; 0: it starts with the first. */
  readonly afterCalls: number;
}

export const TOOL_FAULT_MODES = ['timeout', 'slow', 'error', 'malformed', 'malicious_response'] as const;

/** What goes wrong with calls of tools. */
export interface ToolFault extends FaultTrigger {
  /** A glob on what is called: a node, a program, an MCP tool, a URL's host; `*` is all of them. */
  readonly tool: string;
  /** A glob on the whole URL, which then decides instead of `tool`; null: `tool` decides. */
  readonly matchUrl: string | null;
  /** What becomes of the call. */
  readonly mode: (typeof TOOL_FAULT_MODES)[number];
  /** For `timeout` and `slow`. */
  readonly delayMs: number;
  /** HTTP status, for `error`. */
  readonly errorCode: number;
  /** Body of the answer, for `error`. */
  readonly message: string;
  /** Body of the answer, for `malicious_response`. */
  readonly payload: string;
  /** True: nothing reads the body that it gives, so that it strikes and proves nothing; absent: something may read it. */
  readonly unread?: true;
}

export const LLM_FAULT_MODES = [
  'timeout',
  'truncated_response',
  'rate_limit',
  'empty',
  'garbage',
  'response_drift',
] as const;

export const DRIFT_TYPES = [
  'json_field_rename',
  'verbosity_shift',
  'format_change',
  'refusal_rephrase',
  'tone_shift',
] as const;

/** What goes wrong with answers of models. */
export interface LlmFault extends FaultTrigger {
  /** What becomes of the answer. */
  readonly mode: (typeof LLM_FAULT_MODES)[number];
  /** Words that are left, for `truncated_response`. */
  readonly maxTokens: number;
  /** How long nothing comes, for `timeout`. */
  readonly delayMs: number;
  /** For `response_drift`, as the rest. */
  readonly driftType: (typeof DRIFT_TYPES)[number];
  /** How far the answer is from the right one. */
  readonly severity: 'subtle' | 'moderate' | 'significant';
  /** Whether the answer becomes longer or shorter. */
  readonly direction: 'expand' | 'compress';
  /** By how much its length changes. */
  readonly factor: number;
}

export const CONTEXT_ATTACK_TYPES = [
  'memory_poisoning',
  'indirect_injection',
  'overflow',
  'conflicting_context',
  'injection_via_context',
] as const;

/** A text that is put into what an agent reads. */
export interface ContextAttack {
  /** Where the text is put. */
  readonly type: (typeof CONTEXT_ATTACK_TYPES)[number];
  /** One is drawn each time it strikes; at least one. */
  readonly payloads: readonly string[];
  /** Where it stands beside what was there. */
  readonly strategy: 'append' | 'prepend' | 'replace';
  /** In [0, 1]. */
  readonly probability: number;
  /** Words of filler that `overflow` adds. */
  readonly injectTokens: number;
  /** The call it strikes, from 1; null: every call. */
  readonly injectAt: number | null;
  /** True: nothing that it puts anywhere is read, so that it strikes and proves nothing; absent: something may read it. */
  readonly unread?: true;
}

/** What a tool answered when a session was recorded. */
export interface RecordedResponse {
  /** One of the names that a call of it goes by. */
  readonly tool: string;
  /** As HTTP has it; 0: no answer came. */
  readonly status: number;
  /** Text as it came, anything else as JSON; null: it was empty. */
  readonly response: Json;
  /** How long it took. */
  readonly delayMs: number;
}

/** The kinds of chaos, in the order of the three lists that declare it. */
export const FAULT_KINDS = ['tool', 'llm', 'context'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One bit for each kind: sets of kinds are sums of these. */
export const KIND_BITS = { tool: 1, llm: 2, context: 4 } as const satisfies Record<FaultKind, number>;

/** Everything that goes wrong around a subject at once. */
export interface Chaos {
  /** What goes wrong with calls of tools. */
  readonly toolFaults: readonly ToolFault[];
  /** What goes wrong with answers of models. */
  readonly llmFaults: readonly LlmFault[];
  /** Texts that are put into what the agent reads. */
  readonly contextAttacks: readonly ContextAttack[];
  /**
   * What tools answered when this was recorded: the nth call of a tool gets its nth answer, and one that is not among them is
   * not made. Absent: nothing was recorded, and tools are called.
   */
  readonly recorded?: readonly RecordedResponse[];
  /** True: a trial is evidence although nothing struck in it; absent: only a trial that something struck is. */
  readonly inForce?: true;
}
