import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/text/display-width.ts';
import { progressBar } from '../../src/report/progress-bar.ts';
import { NO_PROGRESS, nextProgress, renderProgress } from '../../src/report/render-progress.ts';
import type { ProgressEvent } from '../../src/types/progress.ts';
import { aFailingScenario, aReport, aScenario } from './a-report.ts';

describe('the bar', () => {
  test('has blocks that sum to its width, whatever the counts', () => {
    const counts = fc.oneof(fc.nat(), fc.double(), fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(counts, counts, fc.nat({ max: 500 }), fc.double(), (done, total, width, failedShare) => {
        const { passed, failed, rest } = progressBar(done, total, width, failedShare);
        expect(passed + failed + rest).toBe(width);
        expect([passed, failed, rest].every((cells) => Number.isInteger(cells) && cells >= 0)).toBe(true);
      }),
    );
  });

  test('is full at the end only, and shows a single failure', () => {
    expect([
      progressBar(0, 8, 10, 0),
      progressBar(999_999, 1_000_000, 10, 1e-6),
      progressBar(1_000_000, 1_000_000, 10, 0),
      progressBar(8, 8, 10, 0.5),
      progressBar(0, 0, 10, 0),
    ]).toEqual([
      { passed: 0, failed: 0, rest: 10 },
      { passed: 8, failed: 1, rest: 1 },
      { passed: 10, failed: 0, rest: 0 },
      { passed: 5, failed: 5, rest: 0 },
      { passed: 0, failed: 0, rest: 10 },
    ]);
  });

  test('never goes back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1 }), fc.nat({ max: 120 }), (a, b, total, width) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(progressBar(less, total, width, 0).rest).toBeGreaterThanOrEqual(progressBar(more, total, width, 0).rest);
      }),
    );
  });
});

test('progress follows the events of a run', () => {
  const events: readonly ProgressEvent[] = [
    { kind: 'loaded', scenarios: 3, issues: [] },
    { kind: 'planned', scenarios: 2, trials: 16, workers: 2, issues: [] },
    { kind: 'progress', done: 12, total: 16, failed: 3 },
    { kind: 'scenario', report: aScenario() },
    { kind: 'scenario', report: aFailingScenario() },
    { kind: 'end', report: aReport({ scenarios: [aScenario(), aFailingScenario()] }) },
  ];
  expect(events.reduce(nextProgress, NO_PROGRESS)).toEqual({
    done: 16,
    total: 16,
    failed: 3,
    scenarios: 2,
    scenariosDone: 2,
    scenariosFailed: 1,
    workers: 2,
    elapsedMs: 0,
    peers: [],
  });
});

describe('the two lines on a terminal', () => {
  const state = {
    ...NO_PROGRESS,
    done: 600_000,
    total: 1_000_000,
    failed: 1,
    scenarios: 12,
    scenariosDone: 3,
    elapsedMs: 2000,
  };

  test('show the bar, the counts, the speed and the time left', () => {
    expect(renderProgress(state, 80)).toBe(
      `${'█'.repeat(35)}▒${'░'.repeat(24)}  60 %\n` +
        '600 k/1.0 M trials · 1 failed · 3/12 scenarios · 300 k trials/s · 1.33 s left',
    );
  });

  test('fit any terminal, in Unicode and in ASCII', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 200 }),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (columns, done, total, unicode) => {
          const lines = renderProgress({ ...state, done, total }, columns, { unicode }).split('\n');
          expect(lines.length).toBe(2);
          if (columns < 8) return;
          for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns);
        },
      ),
    );
  });
});
