import type { ContextAttack, LlmFault, ToolFault } from '../../types/chaos.ts';

/** What instead of its answer a tool says. */
export interface ToolFaultReply {
  /** HTTP status. */
  readonly status: number;
  readonly body: string;
  /** True: it is sent as JSON; absent: as text. */
  readonly isJson?: true;
}

interface ChaosType<Kind extends string, Word extends string> {
  readonly kind: Kind;
  /** The word in the file. */
  readonly type: Word;
  /** One line for the docs. */
  readonly summary: string;
}

/** A way in which a tool goes wrong, by `mode`. */
export interface ToolFaultType extends ChaosType<'tool_fault', ToolFault['mode']> {
  /** Milliseconds that it takes where the file does not say. */
  readonly delayMs?: number;
  /** True: the tool answers, later. */
  readonly isDelay?: true;
  /** True: it changes what is read, and nothing else. */
  readonly isBody?: true;
  /** What comes instead of the answer; absent: nothing comes, or the answer is not touched. */
  reply?(fault: ToolFault): ToolFaultReply;
  /** What it does, in words; '': its name says all. */
  detail(fault: ToolFault): string;
}

/** A way in which a model goes wrong, by `mode`. */
export interface LlmFaultType extends ChaosType<'llm_fault', LlmFault['mode']> {
  /** The answer after it; absent: it comes instead of an answer. */
  change?(content: string, fault: LlmFault): string;
  detail(fault: LlmFault): string;
}

/** An attack by way of what a subject reads, by `type`. */
export interface ContextAttackType extends ChaosType<'context_attack', ContextAttack['type']> {
  /** What it is put into: what a model is asked, results of tools, or documents. */
  readonly strikes: 'prompt' | 'result' | 'document';
  /** Chance that it strikes where the file does not say. */
  readonly probability: number;
  /** What it puts there where the file does not say. */
  readonly payload: string;
  /** True: its payload is repeated up to a number of words. */
  readonly fills?: true;
}
