import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ndjsonEvent, renderNdjson } from '../../src/report/render-ndjson.ts';
import type { ProgressEvent } from '../../src/types/progress.ts';
import { aReport, aScenario } from './a-report.ts';
import { aHostileReport, aLargeReport, REPORT_CASES } from './report-cases.ts';

test('every event is one line of JSON that holds it', () => {
  const report = aReport();
  const events: readonly ProgressEvent[] = [
    { kind: 'loaded', scenarios: 1, issues: [] },
    { kind: 'planned', scenarios: 1, trials: 8, asking: 0, paying: 0, workers: 2, issues: [] },
    { kind: 'progress', done: 4, total: 8, failed: 1 },
    { kind: 'scenario', report: aScenario() },
    { kind: 'end', report },
  ];
  const lines = events.map((event) => ndjsonEvent(event, { timing: true }));
  expect(lines.map((line) => line.indexOf('\n') === line.length - 1)).toEqual(events.map(() => true));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { kind: 'loaded', schema: 'passk-events/2', scenarios: 1, issues: [] },
    ...events.slice(1),
  ]);
});

test('a finished report gives the lines that a run of it would have given, counts of progress aside', () => {
  for (const report of [...Object.values(REPORT_CASES), aLargeReport(2000)]) {
    const lines = renderNdjson(report, { timing: true }).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const ran = report.scenarios.filter(({ verdict }) => verdict !== 'load_error');
    const { results } = report;
    const kinds = [...ran.map(() => 'scenario'), ...results.map(() => 'result')];
    expect(events.map(({ kind }) => kind)).toEqual(['loaded', ...kinds, 'end']);
    expect(events.slice(1, -1).map((event) => event.report)).toEqual(JSON.parse(JSON.stringify([...ran, ...results])));
    expect(events.at(-1).report).toEqual(JSON.parse(JSON.stringify(report)));
  }
});

test('no text ends a line early or acts on a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const lines = renderNdjson(aHostileReport(text), { timing: false });
      expect(lines.split('\n')).toHaveLength(7);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
    }),
  );
});
