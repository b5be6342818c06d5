import type { Json } from '../../types/json.ts';
import type { DeclaredTool } from '../../types/sessions/declared-world.ts';

/** What a call of a tool gave. */
export interface ToolReply {
  /** Null with a problem. */
  readonly result: Json;
  /** What the agent is told went wrong; null: nothing. */
  readonly problem: string | null;
  /** False: there is no such tool, or its arguments do not fit. */
  readonly isValid: boolean;
  /** What struck the call, so that it was not carried out; absent: nothing did. */
  readonly struckBy?: string;
  /** True: the policy refused, so that nothing was done; absent: it did not. */
  readonly isDenied?: true;
  /** True: the result holds the payload of an attacker; absent: it does not. */
  readonly isPoisoned?: true;
  /** The states between which the world became what an attacker wants; absent: it did not on this call. */
  readonly aim?: { readonly before: Json; readonly after: Json };
}

/** What an agent is told that calls a tool which is not there. */
export function unknownTool(name: string, tools: readonly DeclaredTool[]): string {
  const names = tools.map((tool) => tool.name).join(', ');
  return `There is no tool ${JSON.stringify(name)}. Tools: ${names === '' ? 'none' : names}.`;
}

/** The reply to a call that fits no tool. */
export function invalid(problem: string): ToolReply {
  return { result: null, problem, isValid: false };
}
