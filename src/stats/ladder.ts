/** A rung and what was measured on it, both above 0; null: nothing was. */
export interface RungValue {
  readonly rung: number;
  readonly value: number | null;
}

/**
 * Local slopes on log-log scales, ln(y₂/y₁) / ln(x₂/x₁), one for each step between rungs that follow each other: 1 where the
 * value grows in proportion. Null: one of its ends has no value above 0.
 */
export function localSlopes(rungs: readonly RungValue[]): readonly (number | null)[] {
  return rungs.slice(1).map(({ rung, value }, at) => {
    const before = rungs[at];
    if (before === undefined || value === null || before.value === null || value <= 0 || before.value <= 0) return null;
    return Math.log(value / before.value) / Math.log(rung / before.rung);
  });
}

/**
 * The lowest rung from which the value grows faster than the rung: with a local slope above 1 + `tolerance` in the two steps
 * that follow it. Null: there is none. Source: release-gate X-01.
 */
export function superlinearFrom(rungs: readonly RungValue[], tolerance = 0.1): number | null {
  const slopes = localSlopes(rungs);
  const at = slopes.findIndex((slope, step) => isSteep(slope) && isSteep(slopes[step + 1] ?? null));
  return rungs[at]?.rung ?? null;

  function isSteep(slope: number | null): boolean {
    return slope !== null && slope > 1 + tolerance;
  }
}

/**
 * The lowest rung whose value no higher one beats by more than `tolerance`. Null where that is the highest rung, so that nobody
 * knows whether more would help, or where a rung has no value.
 */
export function plateauOf(rungs: readonly RungValue[], tolerance = 0.05): number | null {
  if (rungs.some(({ value }) => value === null)) return null;
  const values = rungs.map(({ value }) => value ?? 0);
  const most = values.reduce((top, value) => Math.max(top, value), 0);
  const at = values.findIndex((value) => value * (1 + tolerance) >= most);
  return at === -1 || at === rungs.length - 1 ? null : (rungs[at]?.rung ?? null);
}
