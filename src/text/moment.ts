/** Whether a text is a day that there is, such as 2026-11-25. */
export function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // Node reads the 31st of February as the 3rd of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * A day, or a moment with its zone, so that it means the same everywhere, in milliseconds since 1970; null: it is neither. A
 * day begins in UTC.
 */
export function momentOf(text: string): number | null {
  const day = text.slice(0, 10);
  if (!isDay(day)) return null;
  const at = text === day || TIME.test(text.slice(10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
