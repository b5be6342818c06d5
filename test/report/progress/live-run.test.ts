import { expect, test } from 'vitest';
import { type LiveRun, nextLiveRun, NO_LIVE_RUN } from '../../../src/report/progress/live-run.ts';
import type { ProgressEvent } from '../../../src/types/progress.ts';

const PLANNED: ProgressEvent = {
  kind: 'planned',
  scenarios: 2,
  trials: 1000,
  asking: 0,
  paying: 0,
  workers: 1,
  issues: [],
};

/** A run that has done so many trials at each of these times. */
function runWith(steps: readonly (readonly [atMs: number, done: number, failed: number])[]): LiveRun {
  let run = nextLiveRun(nextLiveRun(NO_LIVE_RUN, { kind: 'loaded', scenarios: 2, issues: [] }, 0), PLANNED, 1000);
  for (const [atMs, done, failed] of steps) {
    run = nextLiveRun(run, { kind: 'progress', done, total: 1000, failed }, atMs);
  }
  return run;
}

test('a run that has begun has no rate, and no speed', () => {
  expect(runWith([])).toMatchObject({ stage: 'running', total: 1000, passRate: null, perSecond: null, leftMs: null });
  expect(runWith([[1400, 10, 0]])).toMatchObject({ perSecond: null, leftMs: null });
});

test('the rate has its interval, and the speed says how long the rest takes', () => {
  const run = runWith([[3000, 200, 20]]);
  expect(run).toMatchObject({ done: 200, failed: 20, passRate: 0.9, perSecond: 100, elapsedMs: 2000, leftMs: 8000 });
  // Wilson's interval of 180 of 200, worked out by hand: (0.9096 ± 0.0427) / 1.0192.
  expect(run.passRateInterval?.map((bound) => bound.toFixed(4))).toEqual(['0.8506', '0.9343']);
});

test('the speed is that of the last five seconds, however slow the start was', () => {
  const steps = Array.from({ length: 60 }, (_, i) => [1000 + i * 500, i < 30 ? 0 : (i - 29) * 10, 0] as const);
  const run = runWith(steps);
  expect(run.perSecond).toBeCloseTo(20, 5);
  expect(run.samples.length).toBeLessThanOrEqual(22);
});

test('with the ends of scenarios nothing is left to do', () => {
  const run = runWith([[3000, 1000, 0]]);
  expect(nextLiveRun(run, { kind: 'end', report: undefined as never }, 3100)).toMatchObject({
    stage: 'reporting',
    leftMs: null,
  });
});
