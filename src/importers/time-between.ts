/** Milliseconds between two times of ISO 8601; null where one is not told or the second comes first. */
export function timeBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const passed = Date.parse(to) - Date.parse(from);
  return passed >= 0 ? passed : null;
}
