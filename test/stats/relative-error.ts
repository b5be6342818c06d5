/** Distance from the exact value as a share of it. */
export function relativeError(got: number | null | undefined, exact: number): number {
  if (got === null || got === undefined) return Number.POSITIVE_INFINITY;
  return got === exact ? 0 : Math.abs(got / exact - 1);
}

/** The larger relative error of two bounds. */
export function boundsError(
  got: readonly [number, number | null] | null | undefined,
  exact: readonly [number, number],
): number {
  return Math.max(relativeError(got?.[0], exact[0]), relativeError(got?.[1], exact[1]));
}

/** As in the spec: so many decimals. */
export function decimals(values: readonly (number | null)[], places: number): readonly string[] {
  return values.map((value) => (value === null ? 'null' : value.toFixed(places)));
}
