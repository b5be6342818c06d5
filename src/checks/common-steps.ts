/** How many of the first `length` steps of a path, from its first on, are at the expected positions. */
export function commonSteps(path: Int32Array, length: number, expected: Int32Array): number {
  const most = Math.min(length, expected.length);
  let step = 0;
  while (step < most && path[step] === expected[step]) step++;
  return step;
}
