import { PasskError } from '../errors.ts';

/** Whether a text is a day that there is, such as 2026-11-25. */
export function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // Node reads the 31st of February as the 3rd of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A day, or a moment with its zone, in milliseconds since 1970; a day begins in UTC. Throws `USAGE` for what is neither. */
export function readMoment(text: string): number {
  const day = text.slice(0, 10);
  const at = isDay(day) && (text === day || TIME.test(text.slice(10))) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new PasskError('USAGE', `"${text}" is neither a day nor a moment.`, {
    hint: 'Write 2026-11-25, or 2026-11-25T12:00:00Z with its zone.',
  });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
