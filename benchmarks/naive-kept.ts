/**
 * What trials may share without a change of meaning: whatever is made of the plan alone. With a fresh one per trial
 * everything is made anew each time, which is how the laws use the naive interpreter; the benchmarks share one.
 */
export class NaiveKept {
  private readonly made = new Map<unknown, unknown>();

  /** The value under a key, made on first use; a key always stands for the same type. */
  once<T>(key: unknown, make: () => T): T {
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key) as T;
  }
}
