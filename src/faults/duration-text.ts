/** Milliseconds as error texts show them: `0ms`, `250ms`, `1.5s`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}
