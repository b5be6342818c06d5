/** Counts a trial that was run again so often, because the harness had broken it, in the `retried` of its tally. */
export function noteRetries({ retried }: { readonly retried: number[] }, retries: number, hasPassed: boolean): void {
  const [trials = 0, passed = 0, all = 0] = retried;
  retried.splice(0, 3, trials + 1, passed + (hasPassed ? 1 : 0), all + retries);
}
