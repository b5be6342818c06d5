import { PasskError } from '../../errors.ts';
import { messageOf } from '../../values/message-of.ts';

/** The error of a message that host or worker could not read. */
export function unreadable(cause: unknown): PasskError {
  const reason = messageOf(cause);
  return new PasskError('INTERNAL', `The host and a worker did not understand each other: ${reason}`, { cause });
}
