/** Checks that failed together. */
export interface FailedSet {
  /** Their positions, ascending. */
  readonly checks: readonly number[];
  /** What failure classes are told apart by. */
  readonly key: string;
}

/** `checks` are positions in ascending order. */
export function failedSet(checks: readonly number[]): FailedSet {
  return { checks, key: checks.join(',') };
}

export function isSetOf({ checks }: FailedSet, failed: readonly number[]): boolean {
  if (checks.length !== failed.length) return false;
  for (let i = 0; i < checks.length; i++) if (checks[i] !== failed[i]) return false;
  return true;
}
