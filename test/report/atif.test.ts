import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atif } from '../../src/importers/atif/atif.ts';
import { atifFiles, renderAtif } from '../../src/report/atif/atif-files.ts';
import { recordOfAtif } from '../../src/report/atif/read-steps.ts';
import type { TrialRecord } from '../../src/types/record.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { isSampled } from '../../src/types/reports/scenario-report.ts';
import { aFolder, runPassk } from '../cli/run-passk.ts';
import { importAll, sourceAt, sourceOf } from '../importers/import-all.ts';
import { skipsHarbor, throughHarbor } from '../importers/a-harbor.ts';
import { jsonLog } from '../importers/sources/inspect.ts';
import { arbitraryRecord, BARE, SAID } from './arbitrary-record.ts';
import { aFailingScenario, aFailure, aReport, aScenario } from './a-report.ts';

const reportOf = (records: readonly TrialRecord[]): SuiteReport =>
  aReport({
    scenarios: [
      aScenario({ failed: records.length }, { failures: records.map((record, trial) => aFailure({ trial, record })) }),
    ],
  });

const trajectoriesOf = (report: SuiteReport): readonly unknown[] =>
  atifFiles(report).map(({ text }) => JSON.parse(text) as unknown);

describe('trajectories', () => {
  test('give the record again that they were written from', () => {
    fc.assert(
      fc.property(fc.array(arbitraryRecord, { minLength: 1, maxLength: 3 }), (records) => {
        const report = reportOf(records);
        expect(trajectoriesOf(report).map(recordOfAtif)).toEqual(records);
        const { sets, broken } = importAll(atif, sourceOf({ 'all.json': renderAtif(report) }));
        expect([Object.values(sets).flat().length, broken]).toEqual([records.length, []]);
      }),
      { numRuns: 500 },
    );
  });

  test('say what was said in words of the format, once', () => {
    const record: TrialRecord = {
      ...BARE,
      turns: [
        { ...SAID, role: 'user', parts: [{ kind: 'text', text: 'What does it cost?' }] },
        {
          ...SAID,
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'A price.' },
            { kind: 'text', text: 'I look.' },
            { kind: 'tool_call', id: 'c1', name: 'search', args: { q: 'price' } },
          ],
        },
        { ...SAID, role: 'tool', parts: [{ kind: 'tool_result', id: 'c1', name: 'search', result: { usd: 3 } }] },
      ],
    };
    const [trajectory] = trajectoriesOf(reportOf([record]));
    expect(trajectory).toMatchObject({ schema_version: 'ATIF-v1.6', agent: { name: 'llm-route' } });
    expect((trajectory as { readonly steps: unknown }).steps).toEqual([
      { step_id: 1, source: 'user', message: 'What does it cost?' },
      {
        step_id: 2,
        source: 'agent',
        message: 'I look.',
        reasoning_content: 'A price.',
        tool_calls: [{ tool_call_id: 'c1', function_name: 'search', arguments: { q: 'price' } }],
        observation: {
          results: [{ source_call_id: 'c1', content: '{"usd":3}', extra: { passk: { json: true } } }],
        },
      },
    ]);
  });

  test('say what of a record is cut', () => {
    const cuts = [
      { at: '/turns/0/parts/0/text', bytes: 70_000, sha256: 'ab' },
      { at: '/calls', entries: 2000 },
    ];
    expect(trajectoriesOf(reportOf([{ ...BARE, cuts }]))[0]).toMatchObject({
      notes:
        '/turns/0/parts/0/text of the record is cut: the whole text has 70000 bytes, SHA-256 ab.\n' +
        '/calls of the record is cut: the whole list has 2000 entries.',
    });
  });

  test('have a step and say how to see the trial where the report keeps no record', () => {
    const [trajectory] = trajectoriesOf(aReport({ scenarios: [aFailingScenario()] }));
    expect(recordOfAtif(trajectory)).toBe(null);
    expect(JSON.stringify(trajectory)).toContain('The report keeps no messages of this trial. passk trace');
    const { sets } = importAll(atif, sourceOf({ 'a.json': JSON.stringify(trajectory) }));
    expect(Object.values(sets).flat()[0]?.messages).toEqual([]);
  });

  test('are in files whose names are safe and differ, whatever scenarios are called', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('..', '../../x', 'CON', 'a', 'A')), {
          maxLength: 8,
        }),
        (names) => {
          const scenarios = names.map((name) => aScenario({ failed: 1 }, { name, failures: [aFailure()] }));
          const files = atifFiles(aReport({ scenarios })).map(({ name }) => name);
          expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(names.length);
          for (const name of files) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{0,80}\.json$/);
        },
      ),
    );
  });

  test('are read to the same counts where all failing trials are kept', () => {
    const report = aReport({
      scenarios: [
        aScenario(
          { failed: 2 },
          { name: 'greets', failures: [aFailure({ trial: 0, record: BARE }), aFailure({ trial: 1 })] },
        ),
        aScenario(
          { broken: 1 },
          { name: 'breaks', failures: [aFailure({ verdict: 'broken', brokenBy: 'lost \ud800' })] },
        ),
      ],
    });
    const whole = { 'all.json': renderAtif(report) };
    for (const files of [Object.fromEntries(atifFiles(report).map(({ name, text }) => [name, text])), whole]) {
      const { sets, broken, problems } = importAll(atif, sourceOf(files));
      expect([broken, problems]).toEqual([[], []]);
      const counts = Object.entries(sets).map(([set, runs]) => [
        set,
        runs.map(({ task }) => task),
        runs.filter(({ scores }) => scores[0]?.value === false).length,
        runs.flatMap(({ error }) => error ?? []),
      ]);
      expect(counts.sort()).toEqual([
        ['breaks', ['breaks'], 0, ['lost \ufffd']],
        ['greets', ['greets', 'greets'], 2, []],
      ]);
    }
  });

  test.skipIf(skipsHarbor)("are what Harbor's own models accept", { timeout: 60_000 }, () => {
    const records = fc.sample(arbitraryRecord, { numRuns: 200, seed: 1 });
    const written = trajectoriesOf(reportOf(records));
    const without = trajectoriesOf(aReport({ scenarios: [aFailingScenario()] }));
    const accepted = throughHarbor('trajectories.trajectory', 'Trajectory', [...written, ...without]);
    expect(accepted).toHaveLength(written.length + without.length);
    const steps = accepted.map((text) => (JSON.parse(text) as { readonly steps: readonly unknown[] }).steps.length);
    expect(Math.max(...steps)).toBeGreaterThan(2);
  });
});

describe('--reporter atif:FOLDER', () => {
  test('writes the trials of recorded runs, which are scored to the same counts', { timeout: 60_000 }, async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'log.json'), jsonLog());
    const { stdout } = await runPassk(['score', 'log.json', '--reporter=json', '--reporter=atif:out'], { cwd });
    const report = JSON.parse(stdout) as SuiteReport;
    const kept = report.scenarios.filter(isSampled).flatMap(({ failures }) => failures);
    expect(kept.length).toBeGreaterThan(0);
    expect(readdirSync(cwd).sort()).toEqual(['log.json', 'out']);
    expect(readdirSync(path.join(cwd, 'out'))).toHaveLength(kept.length);
    const { sets } = importAll(atif, sourceAt(path.join(cwd, 'out')));
    expect(Object.values(sets).flat()).toHaveLength(kept.length);
    const again = JSON.parse((await runPassk(['score', 'out', '--json'], { cwd })).stdout) as SuiteReport;
    const counts = ({ scenarios }: SuiteReport) =>
      scenarios.filter(isSampled).map(({ name, trials: { failed, broken } }) => ({ name, failed, broken }));
    expect(counts(again)).toEqual(counts(report));
  });

  test('leaves a folder with files in it as it is, and fills an empty one', { timeout: 120_000 }, async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'log.json'), jsonLog());
    mkdirSync(path.join(cwd, 'full'));
    writeFileSync(path.join(cwd, 'full/mine.txt'), 'mine');
    mkdirSync(path.join(cwd, 'empty'));
    const refused = await runPassk(['score', 'log.json', '--reporter=atif:full'], { cwd });
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        'The report cannot be written to full: the folder holds "mine.txt", which is none of its files.',
      ),
    ]);
    expect(readFileSync(path.join(cwd, 'full/mine.txt'), 'utf8')).toBe('mine');
    const filled = await runPassk(['score', 'log.json', '--reporter=atif:empty'], { cwd });
    expect(filled.status).toBe(0);
    expect(readdirSync(path.join(cwd, 'empty')).length).toBeGreaterThan(0);
    expect(readdirSync(cwd).sort()).toEqual(['empty', 'full', 'log.json']);
    // What it wrote itself it replaces, as in each run of `--watch`; beside a file of somebody else it replaces nothing.
    const before = readdirSync(path.join(cwd, 'empty'));
    const again = await runPassk(['score', 'log.json', '--reporter=atif:empty'], { cwd });
    expect([again.status, again.stderr]).toEqual([0, '']);
    expect(readdirSync(path.join(cwd, 'empty'))).toEqual(before);
    writeFileSync(path.join(cwd, 'empty', before[0] ?? ''), '{"session_id":"mine"}');
    const kept = await runPassk(['score', 'log.json', '--reporter=atif:empty'], { cwd });
    expect([kept.status, kept.stderr]).toEqual([2, expect.stringContaining('which is none of its files')]);
    expect(readdirSync(path.join(cwd, 'empty'))).toEqual(before);
    const nowhere = await runPassk(['score', 'log.json', '--reporter=atif'], { cwd });
    expect([nowhere.status, nowhere.stderr]).toEqual([2, expect.stringContaining('writes a folder')]);
  });
});
