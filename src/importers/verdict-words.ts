const YES = ['true', 'yes', 'y', 't', '1', 'pass', 'passed', 'success', 'succeeded', 'ok', 'correct', 'resolved'];
const NO = ['false', 'no', 'n', 'f', '0', 'fail', 'failed', 'failure', 'wrong', 'incorrect', 'unresolved'];

/** The verdict of a usual word, a boolean, 1 or 0; undefined: it is none of these. */
export function verdictIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  const number = numberIn(value);
  if (number === 1 || YES.includes(word)) return true;
  if (number === 0 || NO.includes(word)) return false;
  return undefined;
}

/** A number, or that of a text; 1 or 0 for a boolean. Null: it is no number. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
