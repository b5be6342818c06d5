/** The part of an interval that a mean change of rates can have. Student's t has no ends; no rate changes by more than 1. */
export function changeInterval([low, high]: readonly [number, number]): readonly [number, number] {
  return [Math.max(-1, low), Math.min(1, high)];
}
