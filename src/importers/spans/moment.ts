const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?\d*\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Milliseconds since 1970, with fractions: of ISO 8601, which is UTC where it names no zone, or of a number of seconds,
 * milliseconds, microseconds or nanoseconds, told apart by its size. Null: it is no time.
 */
export function momentOf(value: unknown): number | null {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string') return null;
  if (/^\d{9,20}(?:\.\d+)?$/.test(value)) return ofNumber(Number(value));
  const [, day, time, fraction = '', zone = 'Z'] = ISO.exec(value) ?? [];
  const whole = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isFinite(whole) ? whole + Number(`0${fraction}`) * 1000 : null;
}

/** What the number counts: 1e11 seconds are the year 5138, 1e11 milliseconds 1973. */
function ofNumber(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  if (value < 1e11) return value * 1e3;
  if (value < 1e14) return value;
  return value < 1e17 ? value / 1e3 : value / 1e6;
}

/** Milliseconds to the microsecond, which is all that doubles of times since 1970 hold. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
