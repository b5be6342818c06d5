import type { Count } from '../numbers.ts';

/** A check that is a program, which is run when a session has ended. */
export interface CommandCheck {
  /** Unique in the task. */
  readonly name: string;
  /** The program and its arguments, from the folder of the file; at least one word. */
  readonly command: readonly string[];
  /** The time limit, in milliseconds. */
  readonly timeoutMs: Count;
  /** Exit codes that say that something is wrong; null: every code but 0. Any other breaks the trial. */
  readonly failsWith: readonly Count[] | null;
}

/** What a program said of a session: `broken` says nothing about the agent. */
export type CommandVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string };

/** The name of the host's function that runs programs which are checks. */
export const COMMAND_CALL = 'session-command';

/** Programs that it runs at a time. */
export const COMMANDS_AT_ONCE = 10;

/** What that function is asked; plain data. It answers with a `CommandVerdict`. */
export interface CommandCallPayload {
  /** Position in the plan. */
  readonly scenario: Count;
  /** Position among the commands of its task. */
  readonly check: Count;
  /** What stands on its standard input. */
  readonly input: string;
}
