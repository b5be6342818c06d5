import { PasskError } from '../errors.ts';
import type { Location } from '../types/issue.ts';

/** Nobody is there where the agent should be. */
export class UnreachedError extends Error {}

/** Where an agent is described. */
export interface AgentPlace {
  /** Where its file says something of it, by the key in its table; absent: nobody knows. */
  readonly at?: ((key: readonly string[]) => Location | undefined) | undefined;
}

/** The code of what keeps an agent from being asked. */
export const UNUSABLE = 'bad_agent';

/** The agent cannot be asked, which says nothing about it. */
export function unusable(message: string): PasskError {
  return new PasskError('USAGE', message, { issues: [{ code: UNUSABLE, severity: 'error', message }] });
}
