import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../src/importers/inspect/inspect.ts';
import { renderInspect } from '../../src/report/inspect/render-inspect.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFolder, runPassk } from '../cli/run-passk.ts';
import { importAll, sourceOf } from '../importers/import-all.ts';
import { type SeenLog, seenBy, skipsInspect } from '../importers/inspect/an-inspect.ts';
import { evalLog } from '../importers/sources/inspect.ts';
import { aFailingScenario, aFailure, anExactScenario, aReport, aScenario } from './a-report.ts';

const timing = false;

/** How many samples of each task did what, as our own importer reads the log. */
function countsIn(log: string): Readonly<Record<string, string>> {
  const { sets, broken, problems } = importAll(inspect, sourceOf({ 'log.json': log }));
  expect([broken, problems]).toEqual([[], []]);
  const counts = new Map<string, { passed: number; failed: number; errors: number; epochs: number[] }>();
  for (const { task, attempt = 0, scores, error } of Object.values(sets).flat()) {
    const own = counts.get(task) ?? { passed: 0, failed: 0, errors: 0, epochs: [] };
    counts.set(task, own);
    own.epochs.push(attempt);
    if (error !== undefined) own.errors++;
    else if (scores[0]?.passed === true) own.passed++;
    else own.failed++;
  }
  return Object.fromEntries(
    [...counts].map(([task, { passed, failed, errors, epochs }]) => {
      expect(epochs.sort((a, b) => a - b)).toEqual(epochs.map((_, at) => at + 1));
      return [task, `${passed} passed, ${failed} failed, ${errors} broken`];
    }),
  );
}

const SEVERAL = aReport({
  scenarios: [
    aScenario({ passed: 3, failed: 0 }, { name: 'greets' }),
    aFailingScenario({ failures: [aFailure({ trial: 6 }), aFailure({ trial: 900 })] }),
    aScenario(
      { passed: 1, broken: 2 },
      { name: 'breaks', failures: [aFailure({ verdict: 'broken', brokenBy: 'lost \ud800' })] },
    ),
    anExactScenario(),
  ],
});

test('a log has a sample for each trial, which is read to the same counts', () => {
  expect(countsIn(renderInspect(SEVERAL, { timing }))).toEqual({
    greets: '3 passed, 0 failed, 0 broken',
    classify: '5 passed, 3 failed, 0 broken',
    breaks: '1 passed, 0 failed, 2 broken',
  });
});

test('a trial that is shown has the epoch that it ran in, and says what did not hold', () => {
  const { samples, eval: spec } = JSON.parse(renderInspect(SEVERAL, { timing })) as {
    readonly samples: readonly {
      readonly id: string;
      readonly epoch: number;
      readonly metadata: unknown;
      readonly scores?: unknown;
    }[];
    readonly eval: { readonly metadata: { readonly passk: { readonly left_out: readonly string[] } } };
  };
  expect(samples.find(({ id, epoch }) => id === 'classify' && epoch === 7)).toMatchObject({
    metadata: { passk: { shown: true, trial: 6 } },
    scores: { passk: { value: 'I', explanation: 'last_node: expected done_alpha, got route' } },
  });
  expect(spec.metadata.passk.left_out).toEqual([anExactScenario().name]);
});

test('without clocks the same report gives the same bytes', () => {
  const later = { ...SEVERAL, timing: { ...SEVERAL.timing, startedAt: '2031-01-01T00:00:00.000Z', durationMs: 7 } };
  expect(renderInspect(later, { timing })).toBe(renderInspect(SEVERAL, { timing }));
});

test('more trials than a log can hold are refused', () => {
  const large = aReport({ scenarios: [aScenario({ passed: 100_001 })] });
  expect(() => renderInspect(large, { timing })).toThrow(
    'The report has 100001 trials, and a log of Inspect at most 100000 samples.',
  );
});

describe.skipIf(skipsInspect)('the real Inspect', () => {
  let several: SeenLog | null = null;
  beforeAll(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passk-inspect-'));
    writeFileSync(path.join(folder, 'several.json'), renderInspect(SEVERAL, { timing: true }));
    several = await seenBy(path.join(folder, 'several.json'));
  }, 300_000);

  test('reads the samples of a run', () => {
    expect(several).toMatchObject({ status: 'success', task: 'passk', epochs: 8, total: 14, completed: 12 });
    const of = (task: string) => several?.samples.filter((sample) => sample.task === task) ?? [];
    expect(of('classify').filter(({ scores }) => scores['passk'] === 'C').length).toBe(5);
    expect(of('classify').filter(({ scores }) => scores['passk'] === 'I').length).toBe(3);
    expect(of('breaks').filter(({ error }) => error !== null).length).toBe(2);
    expect(several?.results[0]?.metrics['accuracy']).toBe(SEVERAL.summary.meanPassRate);
  });

  test('reads what was scored of its own log, with the counts, the rate and the error of the report', {
    timeout: 120_000,
  }, async () => {
    const folder = aFolder();
    writeFileSync(path.join(folder, 'log.eval'), evalLog());
    const { stdout } = await runPassk(['score', 'log.eval', '--reporter', 'json', '--reporter', 'inspect:out.json'], {
      cwd: folder,
    });
    const report = JSON.parse(stdout) as SuiteReport;
    const scored = await seenBy(path.join(folder, 'out.json'));
    const [scenario] = report.scenarios;
    const recording = scenario !== undefined && 'recording' in scenario ? scenario.recording : undefined;
    expect(scored).toMatchObject({ total: 4, completed: 3, epochs: 2 });
    expect(scored.results[0]?.metrics).toMatchObject({
      accuracy: recording?.passRate.rate,
      stderr: recording?.passRate.error,
      'pass^2': recording?.passHatK[1]?.value,
    });
    // What the report shows of a trial is there to be read: what was asked, and what the subject answered.
    const shown = scored.samples.filter(({ messages }) => messages > 0);
    expect(shown.map(({ task, attempt, messages }) => [task, attempt, messages])).toContainEqual(['b', 1, 2]);
    const again = await runPassk(['score', 'out.json', '--json'], { cwd: folder });
    const trials = ({ scenarios }: SuiteReport) => scenarios.map((one) => one.trials);
    expect(trials(JSON.parse(again.stdout) as SuiteReport)).toEqual(trials(report));
  });
});
