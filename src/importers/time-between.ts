/** Milliseconds between two times of ISO 8601; null where one is missing or the second comes first. */
export function timeBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const elapsed = Date.parse(to) - Date.parse(from);
  return elapsed >= 0 ? elapsed : null;
}
