import { PasskError } from '../errors.ts';
import { momentOf } from '../text/moment.ts';

/** A day, or a moment with its zone, in milliseconds since 1970; a day begins in UTC. Throws `USAGE` for what is neither. */
export function readMoment(text: string): number {
  const at = momentOf(text);
  if (at !== null) return at;
  throw new PasskError('USAGE', `"${text}" is neither a day nor a moment.`, {
    hint: 'Write 2026-11-25, or 2026-11-25T12:00:00Z with its zone.',
  });
}
