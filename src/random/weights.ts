/**
 * Cumulative thresholds on 2^32 for weights above 0: variant i is drawn when `thresholds[i − 1] <= u < thresholds[i]`.
 * The last threshold is always 2^32. Rounding moves a variant's chance by less than 2^-32.
 */
export function weightThresholds(weights: readonly number[]): readonly number[] {
  let total = 0;
  for (const weight of weights) total += weight;
  // Made at its size: a list that grows takes room for many more.
  const thresholds = new Array<number>(weights.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i] as number;
    const isLast = i === weights.length - 1;
    thresholds[i] = isLast ? 0x100000000 : Math.round((sum / total) * 0x100000000);
  }
  return thresholds;
}

/** The index that an unsigned 32-bit draw picks. */
export function indexByWeight(thresholds: readonly number[], drawn: number): number {
  let index = 0;
  while (index < thresholds.length - 1 && drawn >= (thresholds[index] as number)) index++;
  return index;
}

/**
 * How far a draw is shifted right to give the index, when there are 2, 4, 8, … equal shares; −1: look among thresholds.
 * The same index either way: such thresholds are exact.
 */
export function uniformShift(thresholds: readonly number[]): number {
  const bits = Math.log2(thresholds.length);
  if (thresholds.length < 2 || !Number.isInteger(bits)) return -1;
  const share = 0x100000000 / thresholds.length;
  return thresholds.every((threshold, index) => threshold === (index + 1) * share) ? 32 - bits : -1;
}
