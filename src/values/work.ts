/** What this thread may still do. One for each thread: a thread does one thing at a time. */
let left = Number.POSITIVE_INFINITY;
let lowMark = Number.NEGATIVE_INFINITY;

/** Thrown by `countWork` when the allowance is used up. Code that catches any error must throw it on: `isTooMuchWork`. */
export class TooMuchWork extends Error {
  constructor() {
    super('This takes more work than is allowed on this thread.');
  }
}

/** True for a `TooMuchWork`. Never throws: code of the user can throw what answers no question, such as a revoked proxy. */
export function isTooMuchWork(error: unknown): boolean {
  try {
    return error instanceof TooMuchWork;
  } catch {
    return false;
  }
}

/**
 * Runs `action` with an allowance of work, for a thread that must not be kept for long. One unit is 20 to 100 nanoseconds:
 * what it takes to look at a few characters of a value.
 */
export function withWork<T>(units: number, action: () => T): T {
  const before = { left, lowMark };
  left = units;
  lowMark = units / 2;
  try {
    return action();
  } finally {
    left = before.left;
    lowMark = before.lowMark;
  }
}

/** Counts work that is about to be done: whatever takes longer the larger its input is. Without an allowance it only counts. */
export function countWork(units: number): void {
  left -= units;
  if (left < 0) throw new TooMuchWork();
}

/** True when half of the allowance is used up: loops over trials stop there, so that each trial may use the other half. */
export function isWorkLow(): boolean {
  return left < lowMark;
}
