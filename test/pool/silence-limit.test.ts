import { expect, test } from 'vitest';
import { createControl, publishEnding, publishPhase, publishRunning } from '../../src/pool/control.ts';
import { silenceLimitOf } from '../../src/pool/silence-limit.ts';
import { aRunPlan } from './a-run.ts';

const plan = aRunPlan([
  { trials: 100, timeoutMs: 1500 },
  { trials: 100, timeoutMs: 20_000 },
  { trials: 100, timeoutMs: 90_000 },
  { trials: 5, io: true, timeoutMs: 20_000 },
]);

/** How long a worker may be silent that runs trials of this scenario. */
function limitIn(scenario: number, isJudged: boolean): number {
  const control = createControl({ workers: 1, total: 100 });
  publishRunning(control, 0, scenario, 0, 0);
  return silenceLimitOf(plan, { control, worker: 0, longestMs: 30_000, isJudged });
}

test('a worker that runs whole blocks is suspected after a second, whatever its trials may take', () => {
  expect([0, 1, 2].map((scenario) => limitIn(scenario, false))).toEqual([1000, 1000, 1000]);
});

test('one that runs trials alone may be silent as long as they may take, within bounds', () => {
  expect([0, 1, 2].map((scenario) => limitIn(scenario, true))).toEqual([5000, 20_000, 30_000]);
});

test('trials of the real world are never suspected sooner, because they are not asked again', () => {
  expect([limitIn(3, false), limitIn(3, true)]).toEqual([20_000, 20_000]);
});

test('a shorter limit of the caller holds everywhere, and while a scenario is prepared it is the only one', () => {
  const control = createControl({ workers: 1, total: 100 });
  const limit = (longestMs: number): number => silenceLimitOf(plan, { control, worker: 0, longestMs, isJudged: false });
  publishRunning(control, 0, 0, 0, 0);
  expect(limit(400)).toBe(400);
  publishEnding(control, 0);
  expect([limit(400), limit(30_000)]).toEqual([400, 1000]);
  publishPhase(control, 0, 'preparing', 0);
  expect(limit(30_000)).toBe(30_000);
});
