import type { Executor } from '../pool/executor.ts';

/** An executor that waits for `begin` before its first run: by then all that can be missing for a run is there. */
export function begunBy(begin: () => Promise<void>, executor: Executor): Executor {
  let begun: Promise<void> | null = null;
  return {
    async *run(plan, options) {
      begun ??= begin();
      await begun;
      yield* executor.run(plan, options);
    },
    close: () => executor.close(),
  };
}
