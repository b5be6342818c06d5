const YES = ['true', 'yes', 'y', 't', '1', 'pass', 'passed', 'success', 'succeeded', 'ok', 'correct', 'resolved'];
const NO = ['false', 'no', 'n', 'f', '0', 'fail', 'failed', 'failure', 'wrong', 'incorrect', 'unresolved'];

/** What a usual word, a boolean, 1 or 0 says about success; undefined: neither. */
export function verdictIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  const number = numberIn(value);
  if (number === 1 || YES.includes(word)) return true;
  if (number === 0 || NO.includes(word)) return false;
  return undefined;
}

/** A number, or what a text writes as one; of a boolean 1 or 0. Null: it is none. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
