/** Adds each number of a row, so many times, to the one at its place in another. */
export function addInto(target: number[], source: ArrayLike<number>, amount = 1): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + amount * (source[i] as number);
}
