import { PasskError } from '../errors.ts';

/** The agent cannot be asked, which says nothing about it. */
export function unusable(message: string): PasskError {
  return new PasskError('USAGE', message);
}
