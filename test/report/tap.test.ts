import fc from 'fast-check';
import { Parser } from 'tap-parser';
import { describe, expect, test } from 'vitest';
import { plainText } from '../../src/report/plain-text.ts';
import { renderTap } from '../../src/report/ci/render-tap.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aHostileReport, aLargeReport, HOSTILE, REPORT_CASES } from './report-cases.ts';

const options: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

interface Point {
  readonly ok: boolean;
  readonly name: string;
  readonly skip: boolean;
  readonly diag: Readonly<Record<string, unknown>> | null;
}

describe('a TAP report in a real parser', () => {
  test.each([
    ['passed', { ok: true, pass: 2, fail: 0, skip: 0, todo: 0 }],
    ['failures', { ok: false, pass: 2, fail: 1, skip: 0, todo: 0 }],
    ['broken', { ok: false, pass: 0, fail: 1, skip: 1, todo: 0 }],
    ['load-errors', { ok: false, pass: 1, fail: 1, skip: 0, todo: 0 }],
    ['floor', { ok: false, pass: 0, fail: 1, skip: 0, todo: 0 }],
    ['gates', { ok: false, pass: 4, fail: 3, skip: 0, todo: 0 }],
    ['contracts', { ok: false, pass: 189, fail: 3, skip: 26, todo: 11 }],
    ['contract-open', { ok: false, pass: 1, fail: 1, skip: 1, todo: 0 }],
    ['hostile', { ok: false, pass: 3, fail: 6, skip: 2, todo: 0 }],
    ['empty', { ok: false, pass: 0, fail: 1, skip: 0, todo: 0 }],
  ])('counts the case "%s" as it is', (name, expected) => {
    const report = REPORT_CASES[name];
    if (report === undefined) throw new Error(`There is no case ${name}.`);
    const { summary, problems } = parse(report);
    expect({ summary, problems }).toEqual({ summary: expected, problems: [] });
  });

  test('tells of a failure what expected, what came, where and how to see it again', () => {
    const { points } = parse(REPORT_CASES['failures'] ?? aLargeReport(0));
    expect(points[1]).toEqual({
      ok: false,
      name: 'classify',
      skip: false,
      diag: {
        message: '5 of 8 trials passed; every trial must pass — last_node: expected done_alpha, got route (trial 1)',
        severity: 'fail',
        at: { file: 'corpus/reliability/classify.toml', line: 31, column: 13 },
        file: 'corpus/reliability/classify.toml',
        seed: 0,
        trials: 8,
        passed: 5,
        failed: 3,
        broken: 0,
        passRate: 0.625,
        passRateInterval: [0.3057423946026273, 0.8631557141764026],
        strictPassK: 0,
        checks: [{ check: 'last_node', failed: 3, expected: 'done_alpha', got: 'route' }],
        trial: 1,
        path: ['classify', 'route'],
        status: 'completed',
        stoppedBy: 'dead_end',
        replay: 'passk trace corpus/reliability/classify.toml --trial 1 --seed 0',
      },
    });
  });

  test('keeps every text where it belongs', () => {
    const parts = [
      '#',
      ' # SKIP',
      '\\',
      '\n',
      'ok 1',
      'Bail out!',
      '  ...',
      '---',
      ':',
      '"',
      "'",
      '- ',
      '{',
      '\u0000',
      '\u2028',
      '😀',
      'x',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 10 }), (pieces) => {
        // Blanks around a description are nobody's: the parser trims them.
        const text = `a${pieces.join('')}z`;
        const { summary, points, problems } = parse(aHostileReport(text));
        expect({ summary, problems }).toEqual({
          summary: { ok: false, pass: 3, fail: 5, skip: 2, todo: 0 },
          problems: [],
        });
        expect(points.slice(0, 4).map(({ name, diag }) => [name, diag?.['file']])).toEqual(
          points.slice(0, 4).map(() => [plainText(text), plainText(text)]),
        );
        expect(points.slice(4).map(({ name }) => name)).toEqual(
          points.slice(4).map(() => `${plainText(text)}: ${plainText(text)} under ${plainText(text)}`),
        );
      }),
    );
    expect(parse(aHostileReport(HOSTILE)).problems).toEqual([]);
  });

  test('is complete for 2,000 scenarios', () => {
    expect(parse(aLargeReport(2000)).summary).toEqual({ ok: false, pass: 1333, fail: 667, skip: 0, todo: 0 });
  });
});

function parse(report: SuiteReport): {
  readonly summary: {
    readonly ok: boolean;
    readonly pass: number;
    /** Those that count. */
    readonly fail: number;
    readonly skip: number;
    /** Failures that a harness lets pass. */
    readonly todo: number;
  };
  readonly points: readonly Point[];
  /** Lines that are no TAP, and results that contradict the plan. */
  readonly problems: readonly unknown[];
} {
  const points: Point[] = [];
  const problems: unknown[] = [];
  const parser = new Parser({ strict: true });
  parser.on('assert', ({ ok, name, skip, diag }) => {
    points.push({ ok, name, skip: skip !== false, diag: diag ?? null });
  });
  parser.on('extra', (line) => problems.push(line));
  parser.on('bailout', (reason) => problems.push(reason));
  parser.on('complete', (results) => {
    problems.push(...results.failures.filter((failure: { readonly tapError?: unknown }) => failure.tapError));
  });
  parser.end(renderTap(report, options));
  const { ok, pass, fail, skip, todo } = parser;
  return { summary: { ok, pass: pass - skip, fail: fail - todo, skip, todo }, points, problems };
}
