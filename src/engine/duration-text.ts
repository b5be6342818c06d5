/** A span in the short form of error texts: `0ns`, `250µs`, `100ms`, `1.5s`. */
export function durationText(us: number): string {
  if (us <= 0) return '0ns';
  if (us < 1000) return `${us}µs`;
  if (us < 1_000_000) return `${us / 1000}ms`;
  return `${us / 1_000_000}s`;
}
