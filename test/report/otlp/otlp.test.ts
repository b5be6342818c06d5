import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otlp } from '../../../src/importers/otlp/otlp.ts';
import { runSuite, type SuiteReport } from '../../../src/index.ts';
import { renderOtlp } from '../../../src/report/otlp/render-otlp.ts';
import type { RenderOptions } from '../../../src/types/render-options.ts';
import { importAll, sourceOf } from '../../importers/import-all.ts';
import { OTEL_PYTHON, skipsOtelProto } from '../../importers/otlp/an-otel.ts';
import { folderWith, tauText } from '../../suite/recordings/tau-runs.ts';
import { REPORT_CASES } from '../report-cases.ts';

const OPTIONS: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

type Outcome = 'passed' | 'failed' | 'broken';

function countsOf({ scenarios }: Pick<SuiteReport, 'scenarios'>): Readonly<Record<Outcome, number>> {
  const sum = (outcome: Outcome): number => scenarios.reduce((total, { trials }) => total + trials[outcome], 0);
  return { passed: sum('passed'), failed: sum('failed'), broken: sum('broken') };
}

/** What our importer makes of the report. */
function readBack(text: string) {
  const { sets, broken, problems } = importAll(otlp, sourceOf({ 'report.jsonl': text }));
  expect([broken, problems]).toEqual([[], []]);
  return Object.values(sets).flat();
}

function countsRead(text: string): Readonly<Record<Outcome, number>> {
  const counts = { passed: 0, failed: 0, broken: 0 };
  for (const { error, scores } of readBack(text)) {
    const [score] = scores;
    const passed = score?.passed ?? score?.value;
    counts[error !== undefined ? 'broken' : passed === true ? 'passed' : 'failed']++;
  }
  return counts;
}

/** Runs of three tasks that passed, failed, and ended by an error of their harness. */
async function reportOf({ passed, failed, broken }: Readonly<Record<Outcome, number>>): Promise<SuiteReport> {
  const outcomes = [
    ...Array.from({ length: passed }, () => ({ reward: 1 })),
    ...Array.from({ length: failed }, () => ({ reward: 0 })),
    ...Array.from({ length: broken }, () => ({ reward: 0, error: 'the server was down' })),
  ];
  const runs = outcomes.map((one, trial) => ({ task: `task ${trial % 3}`, trial, ...one }));
  return runSuite({ cwd: folderWith({ 'runs.json': tauText(runs) }), recordings: ['runs.json'], workers: 0 });
}

describe('otlp', () => {
  it('is read with the counts that it was written with', async () => {
    const count = fc.integer({ min: 0, max: 12 });
    const counts = fc
      .record({ passed: count, failed: count, broken: count })
      .filter((all) => Object.values(all).some(Boolean));
    await fc.assert(
      fc.asyncProperty(counts, async (expected) => {
        const report = await reportOf(expected);
        expect(countsOf(report)).toEqual(expected);
        expect(countsRead(renderOtlp(report, OPTIONS))).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('tells what was said, called and judged in a trial that failed', async () => {
    const report = await reportOf({ passed: 1, failed: 1, broken: 0 });
    const failed = readBack(renderOtlp(report, OPTIONS)).find(({ attempt }) => attempt === 1);
    expect(failed).toMatchObject({
      scores: [
        { name: 'test.case.result.status', value: 'fail', passed: false },
        { name: 'verdict', passed: false },
      ],
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Cancel it.' }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: 'Hello' },
            { kind: 'tool_call', name: 'cancel', args: { id: 1 } },
          ],
        },
        { role: 'tool', parts: [{ kind: 'tool_result', name: 'cancel', result: { done: true } }] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] },
      ],
      calls: [{ name: 'cancel', args: { id: 1 }, result: { done: true } }],
    });
  });

  it.each(Object.entries(REPORT_CASES))(
    'of the case "%s" has a span for the run and for each test case',
    (_, report) => {
      const [line = ''] = renderOtlp(report, OPTIONS).split('\n');
      const { spans } = JSON.parse(line).resourceSpans[0].scopeSpans[0];
      const ids = spans.map(({ spanId }: { readonly spanId: string }) => spanId);
      expect(new Set(ids).size).toBe(ids.length);
      const written = countsRead(renderOtlp(report, OPTIONS));
      const counts = countsOf(report);
      // Reports made by hand may show more failing trials than they count.
      for (const outcome of ['passed', 'failed', 'broken'] as const) {
        expect(written[outcome]).toBeGreaterThanOrEqual(counts[outcome]);
      }
    },
  );

  it('has the same bytes for the same run, and no clock where none is wanted', () => {
    const report = REPORT_CASES['passed'];
    if (report === undefined) throw new Error('The case is missing.');
    const later = { ...report, timing: { ...report.timing, startedAt: '2001-01-01T00:00:00.000Z', durationMs: 1 } };
    const without = { ...OPTIONS, timing: false };
    expect(renderOtlp(later, without)).toBe(renderOtlp(report, without));
    expect(renderOtlp(later, OPTIONS)).not.toBe(renderOtlp(report, OPTIONS));
    expect(renderOtlp(later, OPTIONS)).toContain('"startTimeUnixNano":"978307200000000000"');
  });

  it.skipIf(skipsOtelProto)('is what the published protobuf definitions say', async () => {
    const text = renderOtlp(await reportOf({ passed: 2, failed: 2, broken: 1 }), OPTIONS);
    const script = fileURLToPath(new URL('parse_otlp.py', import.meta.url));
    const done = spawnSync(OTEL_PYTHON, [script], { input: text, encoding: 'utf8' });
    expect(done.stderr).toBe('');
    const { spans, records, names } = JSON.parse(done.stdout);
    expect([names[0], names.at(1)]).toEqual(['passk', 'runs.json']);
    // The run, two cases (one is the gate's), and three trials with a call each.
    expect(spans).toBeGreaterThanOrEqual(8);
    expect(records).toBe(3);
  });
});
