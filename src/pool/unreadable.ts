import { PasskError } from '../errors.ts';

/** The error of a message that host or worker could not read. */
export function unreadable(cause: unknown): PasskError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PasskError('INTERNAL', `The host and a worker did not understand each other: ${reason}`, { cause });
}
