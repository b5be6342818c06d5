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

test('the speed of slow trials is that of the last ten, so that the time left does not jump', () => {
  // One at a time, each of which takes seven seconds, told five times a second.
  let run = runWith([]);
  const speeds = Array.from({ length: 700 }, (_, i) => {
    const done = Math.floor((i * 200) / 7000);
    run = nextLiveRun(run, { kind: 'progress', done, total: 1000, failed: 0 }, 1000 + i * 200);
    return run.perSecond;
  });
  expect(speeds[30]).toBeNull();
  const settled = speeds.slice(175).map((speed) => 7 * (speed ?? 0));
  expect(Math.min(...settled)).toBeGreaterThan(0.8);
  expect(Math.max(...settled)).toBeLessThan(1.01);
});

test('trials that end together have the speed of all the time that they took', () => {
  // Thirty-two at once, each for twenty seconds.
  const steps = Array.from({ length: 201 }, (_, i) => [1000 + i * 200, 32 * Math.floor(i / 100), 0] as const);
  expect(runWith(steps.slice(0, 101)).perSecond).toBeCloseTo(1.6, 5);
  expect(runWith(steps).perSecond).toBeCloseTo(1.6, 5);
});

test('with the ends of scenarios nothing is left to do', () => {
  const run = runWith([[3000, 1000, 0]]);
  expect(nextLiveRun(run, { kind: 'end', report: undefined as never }, 3100)).toMatchObject({
    stage: 'reporting',
    leftMs: null,
  });
});
