import { PasskError } from '../errors.ts';

/** Nobody is there where the agent should be. */
export class UnreachedError extends Error {}

/** The agent cannot be asked, which says nothing about it. */
export function unusable(message: string): PasskError {
  return new PasskError('USAGE', message);
}
