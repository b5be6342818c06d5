import { sep } from 'node:path';

/** True for the place itself and what is below it; both with their links resolved. */
export function isAtOrBelow(real: string, place: string): boolean {
  if (!real.startsWith(place)) return false;
  return real.length === place.length || place.endsWith(sep) || real[place.length] === sep;
}
