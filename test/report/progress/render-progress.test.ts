import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../../src/text/display-width.ts';
import { progressBar } from '../../../src/report/progress/progress-bar.ts';
import { NO_PROGRESS, nextProgress, renderProgress } from '../../../src/report/progress/render-progress.ts';
import { type ProgressEvent, type ProgressRow, ROW_STATES } from '../../../src/types/progress.ts';
import { aFailingScenario, aReport, aScenario } from '../a-report.ts';

/** A bar of what passed and what failed, of which each failure counts. */
function aBar(passed: number, failed: number, total: number, width: number): readonly number[] {
  const segments = [
    { count: passed, isShown: false },
    { count: failed, isShown: true },
  ];
  const { cells, rest } = progressBar(segments, total, width);
  return [...cells, rest];
}

const sumOf = (cells: readonly number[]): number => cells.reduce((sum, count) => sum + count, 0);

describe('the bar', () => {
  test('has cells that sum to its width, for all counts of four segments and all widths', () => {
    const counts = [0, 1, 2, 3, 5, 7];
    for (const a of counts) {
      for (const b of counts) {
        for (const c of counts) {
          for (const rest of counts) {
            const total = a + b + c + rest;
            const segments = [a, b, c].map((count, at) => ({ count, isShown: at > 0 }));
            for (let width = 0; width <= 20; width++) {
              const bar = progressBar(segments, total, width);
              const cells = [...bar.cells, bar.rest];
              const told = JSON.stringify({ a, b, c, rest, width, cells });
              if (sumOf(cells) !== width || cells.some((count) => count < 0 || !Number.isInteger(count)))
                throw new Error(`does not fill its width: ${told}`);
              // Nothing is drawn that is not there, and only what is whole fills the bar.
              if (cells.some((count, at) => count > 0 && ([a, b, c][at] ?? 1) === 0))
                throw new Error(`draws what is not there: ${told}`);
              if (total > 0 && width > 0 && (bar.rest === 0) !== (rest === 0))
                throw new Error(`lies about the end: ${told}`);
              // What must be seen is seen where there is room for all.
              if (width > 3 && (bar.cells[1] === 0) !== (b === 0)) throw new Error(`hides a failure: ${told}`);
            }
          }
        }
      }
    }
  });

  test('has cells that sum to its width, whatever the counts', () => {
    const counts = fc.oneof(fc.nat(), fc.double(), fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY));
    const segments = fc.array(fc.record({ count: counts, isShown: fc.boolean() }), { maxLength: 8 });
    fc.assert(
      fc.property(segments, counts, fc.nat({ max: 500 }), (given, total, width) => {
        const { cells, rest } = progressBar(given, total, width);
        expect([...cells, rest].every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
        expect(sumOf(cells) + rest).toBe(width);
      }),
      { numRuns: 2000 },
    );
  });

  test('is full at the end only, and shows a single failure', () => {
    expect([
      aBar(0, 0, 8, 10),
      aBar(999_998, 1, 1_000_000, 10),
      aBar(0, 1, 1_000_000, 10),
      aBar(1_000_000, 0, 1_000_000, 10),
      aBar(4, 4, 8, 10),
      aBar(0, 0, 0, 10),
    ]).toEqual([
      [0, 0, 10],
      [8, 1, 1],
      [0, 1, 9],
      [10, 0, 0],
      [5, 5, 0],
      [0, 0, 10],
    ]);
  });

  test('shares its cells by largest remainder', () => {
    const segments = [5, 3, 1].map((count) => ({ count, isShown: false }));
    // 5.56, 3.33 and 1.11 of 10.
    expect(progressBar(segments, 9, 10)).toEqual({ cells: [6, 3, 1], rest: 0 });
  });

  test('never goes back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1 }), fc.nat({ max: 120 }), (a, b, total, width) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(aBar(less, 0, total, width).at(-1)).toBeGreaterThanOrEqual(aBar(more, 0, total, width).at(-1) ?? 0);
      }),
    );
  });
});

test('progress follows the events of a run', () => {
  const events: readonly ProgressEvent[] = [
    { kind: 'loaded', scenarios: 3, issues: [] },
    { kind: 'planned', scenarios: 2, trials: 16, asking: 0, paying: 0, workers: 2, issues: [] },
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
    rows: [],
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

/** A row with these trials; all others are 0. */
function aRow(name: string, counts: Partial<ProgressRow['counts']>): ProgressRow {
  const none = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as ProgressRow['counts'];
  return { name, counts: { ...none, ...counts } };
}

describe('a line for each model', () => {
  const rows = [
    aRow('anthropic@js: anthropic/claude-haiku-4-5', { passed: 6, failed: 1, running: 2 }),
    aRow('anthropic@js: anthropic/claude-opus-4-6', { waiting: 9 }),
    aRow('openai: openai/gpt-4o', { passed: 8, flaky: 1 }),
    aRow('openai: openai/dall-e-3', { timed_out: 1 }),
    aRow('mistral: mistral/large', { skipped: 9 }),
    aRow('xai: xai/grok', { passed: 1, error: 2 }),
  ];
  const state = { ...NO_PROGRESS, done: 18, total: 45, failed: 4, rows };

  test('shows its bar and its counts beside the bar of the run', () => {
    expect(renderProgress(state, 80)).toMatchInlineSnapshot(`
      "███████████████████▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  40 %
      18/45 trials · 4 failed
      ▸ anthropic@js: a…aude-haiku-4-5  ████████▒▸▸▸  7/9  1 failed · 2 running
        anthropic@js: a…laude-opus-4-6  ░░░░░░░░░░░░  0/9
      ~ openai: openai/gpt-4o           ███████████▓  9/9  1 flaky · 8 passed
      ✗ openai: openai/dall-e-3         ▒▒▒▒▒▒▒▒▒▒▒▒  1/1  1 timed out
      · mistral: mistral/large          ────────────  9/9  9 skipped
      ✗ xai: xai/grok                   ████▒▒▒▒▒▒▒▒  3/3  2 errors · 1 passed"
    `);
    expect(renderProgress(state, 50)).toMatchInlineSnapshot(`
      "█████████████▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░░░  40 %
      18/45 trials · 4 failed
      ▸ anthropic…aiku-4-5  ████▒▸  7/9  1 failed
        anthropic…opus-4-6  ░░░░░░  0/9
      ~ openai: o…i/gpt-4o  █████▓  9/9  1 flaky
      ✗ openai: o…dall-e-3  ▒▒▒▒▒▒  1/1  1 timed out
      · mistral: …al/large  ──────  9/9  9 skipped
      ✗ xai: xai/grok       ██▒▒▒▒  3/3  2 errors"
    `);
    expect(renderProgress(state, 30, { unicode: false })).toMatchInlineSnapshot(`
      "#######xx..............  40 %
      18/45 trials - 4 failed
      > anthr~-4-5  7/9  1 failed
        anthr~-4-6  0/9
      ~ opena~t-4o  9/9  1 flaky
      x opena~-e-3  1/1
      - mistr~arge  9/9  9 skipped
      x xai: ~grok  3/3  2 errors"
    `);
  });

  test('is left out for one that says less, where the terminal is not high enough', () => {
    expect(renderProgress(state, 80, { lines: 7 })).toMatchInlineSnapshot(`
      "███████████████████▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  40 %
      18/45 trials · 4 failed
      ▸ anthropic@js: a…aude-haiku-4-5  ████████▒▸▸▸  7/9  1 failed · 2 running
      ✗ openai: openai/dall-e-3         ▒▒▒▒▒▒▒▒▒▒▒▒  1/1  1 timed out
      ✗ xai: xai/grok                   ████▒▒▒▒▒▒▒▒  3/3  2 errors · 1 passed
        and 3 more: 2 over, 1 to go"
    `);
    expect(renderProgress(state, 80, { lines: 0 }).split('\n')).toHaveLength(2);
  });

  test('fits any terminal, and no name is obeyed', () => {
    const names = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('\u001b[2J\u001b[31mred', '[red]x[/red]', '模型', '::error::x', 'a\nb\u0007\u202e'),
    );
    const counts = fc.tuple(...ROW_STATES.map(() => fc.nat({ max: 20 })));
    const many = fc.array(fc.tuple(names, counts), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 140 }),
        fc.integer({ min: 0, max: 50 }),
        many,
        fc.boolean(),
        (columns, lines, given, color) => {
          const all = given.map(([name, numbers]) =>
            aRow(name, Object.fromEntries(ROW_STATES.map((one, at) => [one, numbers[at] ?? 0]))),
          );
          const text = renderProgress({ ...state, rows: all }, columns, { lines, color });
          const shown = text.split('\n');
          expect(shown.length).toBeLessThan(Math.max(3, lines));
          const plain = shown.map(stripVTControlCharacters);
          for (const line of plain) {
            expect(/[\p{Cc}\u202e]/u.test(line)).toBe(false);
            if (columns >= 8) expect(displayWidth(line)).toBeLessThan(columns);
          }
        },
      ),
    );
  });
});
