/** Throws unless the counts are possible: whole numbers with 0 ≤ passed ≤ trials. */
export function assertCounts(trials: number, passed: number): void {
  if (Number.isSafeInteger(trials) && Number.isSafeInteger(passed) && passed >= 0 && passed <= trials) return;
  throw new RangeError(`${passed} passed of ${trials} trials is impossible: give whole numbers, 0 ≤ passed ≤ trials.`);
}

/** Throws unless k is a whole number from 1. */
export function assertK(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new RangeError(`k = ${k} is impossible: give a whole number from 1.`);
}

/** Half of what a two-sided interval leaves out; throws unless confidence is between 0 and 1. */
export function tailOf(confidence: number): number {
  if (confidence > 0 && confidence < 1) return (1 - confidence) / 2;
  throw new RangeError(`A confidence of ${confidence} is impossible: give a number between 0 and 1, such as 0.95.`);
}
