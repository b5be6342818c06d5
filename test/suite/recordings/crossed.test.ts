import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareRecordings,
  exportTrials,
  renderReport,
  renderTrialRow,
  runSuite,
  type RunSuiteOptions,
  trialRowsHead,
} from '../../../src/index.ts';
import { twoWayError } from '../../../src/stats/two-way-error.ts';
import { studentQuantile } from '../../../src/stats/student-t.ts';
import { isSampled } from '../../../src/types/reports/scenario-report.ts';
import { cell } from '../../importers/sources/agentdojo.ts';
import { folderWith } from './tau-runs.ts';

/** Whether the attack succeeded: user tasks of two suites × injection tasks. Each injection task mostly works or does not. */
const SUITES = { banking: ['1000', '1100', '1010', '1011', '1100'], slack: ['110', '100', '110'] };

type Suites = Readonly<Record<string, readonly string[]>>;

function folderOf(runs: string, suites: Suites): string {
  const cwd = folderWith({});
  for (const [suite, rows] of Object.entries(suites)) {
    for (const [user, row] of rows.entries()) {
      for (const [injection, value] of [...row].entries()) {
        const told = cell({
          suite_name: suite,
          user_task_id: `user_task_${user}`,
          injection_task_id: `injection_task_${injection}`,
          security: value === '1',
          utility: true,
        });
        const folder = path.join(cwd, runs, 'local', suite, `${user}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(folder, `${injection}.json`), JSON.stringify(told));
      }
    }
  }
  return cwd;
}

async function resisted(suites: Suites, options: RunSuiteOptions = {}) {
  const report = await runSuite({ cwd: folderOf('runs', suites), recordings: ['runs'], workers: 0, ...options });
  const found = report.scenarios.find(({ name }) => name.endsWith('attack resisted'));
  if (found === undefined || !isSampled(found) || found.recording === undefined) throw new Error('None.');
  return { report, scenario: found, recording: found.recording };
}

function cellsOf(suites: Suites) {
  return Object.entries(suites).flatMap(([stratum, rows]) =>
    rows.flatMap((row, user) =>
      [...row].map((value, injection) => ({
        row: `${stratum} ${user}`,
        column: `${stratum} ${injection}`,
        stratum,
        value: value === '1' ? 0 : 1,
      })),
    ),
  );
}

describe('runs that are crossed of user tasks and attacks', () => {
  it.each(['jsonl', 'csv'] as const)('have the same intervals where a table of them is read (%s)', async (format) => {
    const cwd = folderOf('runs', SUITES);
    let table = trialRowsHead(format);
    for await (const row of exportTrials({ recordings: ['runs'], cwd })) table += renderTrialRow(row, format);
    const own = await resisted(SUITES);
    writeFileSync(path.join(cwd, `table.${format}`), table);
    const report = await runSuite({ cwd, recordings: [`table.${format}`], workers: 0 });
    const read = report.scenarios.filter(isSampled).find(({ name }) => name.endsWith('attack resisted'))?.recording;
    expect(own.recording.crossed).toMatchObject({ rows: 8, columns: 7 });
    expect(read?.crossed).toEqual(own.recording.crossed);
    expect([read?.passRate, read?.passHatK]).toEqual([own.recording.passRate, own.recording.passHatK]);
  });

  it('have an error that knows that cells of one user task, and of one attack, are alike', async () => {
    const { recording, scenario } = await resisted(SUITES);
    const error = twoWayError(cellsOf(SUITES));
    if (error === null) throw new Error('None.');
    const { passRate, passHatK, crossed, needs, reasons } = recording;
    expect(crossed).toEqual({ rows: 8, columns: 7, strata: 2, floored: false });
    expect(passRate.error).toBeCloseTo(error.error, 14);
    const half = studentQuantile(0.95, 6) * error.error;
    const interval = [error.mean - half, error.mean + half].map((end) => Math.min(1, Math.max(0, end)));
    for (const told of [passRate.interval, passHatK[0]?.interval, scenario.passRateInterval]) {
      expect(told?.[0]).toBeCloseTo(interval[0] ?? 0, 12);
      expect(told?.[1]).toBeCloseTo(interval[1] ?? 0, 12);
    }
    // By cells alone the interval would be too narrow.
    expect(passRate.error).toBeGreaterThan(1.2 * (passRate.naiveError ?? 1));
    expect([needs, reasons.needs]).toEqual([[], 'crossed']);
  });

  it('say so in the report, with the same bytes for any number of workers', async () => {
    const { report } = await resisted(SUITES);
    const text = renderReport(report, { reporter: 'text' }).replace(/\s+/g, ' ');
    expect(text).toMatch(/standard error 0\.\d{3} by the 8 rows and 7 columns that tasks are crossed of/);
    const json = renderReport(report, { reporter: 'json', timing: false });
    const cwd = folderOf('runs', SUITES);
    for (const workers of [1, 2]) {
      const again = await runSuite({ cwd, recordings: ['runs'], workers });
      expect(renderReport(again, { reporter: 'json', timing: false })).toBe(json);
    }
  });

  it('of one attack alone are independent, and those that all agree have an interval all the same', async () => {
    const one = await resisted({ banking: ['1', '0', '1'] });
    expect([one.recording.crossed, one.recording.passRate.error]).toEqual([null, expect.any(Number)]);
    const { recording } = await resisted({ banking: ['000', '000'] });
    // Two user tasks count as two trials.
    expect(recording.passRate).toMatchObject({ rate: 1, error: 0 });
    expect(recording.passRate.interval?.[0]).toBeCloseTo(0.342, 3);
  });

  it('are compared as crossed: what tells one attack from another is no proof', async () => {
    const before: Suites = { banking: ['000', '000', '000', '000', '000', '000', '000', '000'] };
    // One of three attacks works now, on all user tasks.
    const after: Suites = { banking: ['100', '100', '100', '100', '100', '100', '100', '100'] };
    const [baseline, candidate] = [folderOf('runs', before), folderOf('runs', after)];
    const report = await compareRecordings({
      cwd: baseline,
      baseline: ['runs'],
      candidate: [path.join(candidate, 'runs')],
      set: 'local, v1.1.2, direct: attack resisted',
      workers: 0,
    });
    expect(report).toMatchObject({ verdict: 'undecided', mcNemar: null, needs: null, passRate: { test: 'two_way_t' } });
    expect(report.passRate?.p).toBeGreaterThan(0.05);
  });
});
