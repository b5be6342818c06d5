import process from 'node:process';
import fc from 'fast-check';
import { expect } from 'vitest';
import { startWatchdog } from './watchdog.ts';

/** Cases of each target; null: as many as its test says, so that all of them take about half a minute. */
const RUNS = process.env['PASSK_FUZZ_RUNS'] === undefined ? null : Number(process.env['PASSK_FUZZ_RUNS']);
const SEED = Number(process.env['PASSK_FUZZ_SEED'] ?? 0);

/** What the memory of the process may grow by at most while one target is fuzzed. */
const MOST_GROWTH_KIB = 512 * 1024;

/** Gives a target this many hostile inputs; a case that never ends kills the process with a message. */
export async function fuzz<T>(
  target: string,
  inputs: fc.Arbitrary<T>,
  cases: number,
  judge: (input: T) => void | Promise<void>,
): Promise<void> {
  const before = process.resourceUsage().maxRSS;
  const watchdog = startWatchdog(`${target}, PASSK_FUZZ_SEED=${SEED}`);
  try {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        watchdog.begin();
        try {
          await judge(input);
        } finally {
          watchdog.end();
        }
      }),
      { numRuns: RUNS ?? cases, seed: SEED },
    );
  } finally {
    await watchdog.stop();
  }
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MOST_GROWTH_KIB);
}
