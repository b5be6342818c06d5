import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isSampled, renderReport, runSuite, type RunSuiteOptions } from '../../../src/index.ts';
import { passkReport } from '../../../src/importers/passk/passk-report.ts';
import { importAll, sourceOf } from '../import-all.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-report-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const scenario = (name: string, wrong: number): string => `
name = ${JSON.stringify(name)}
min_pass_rate = 0.1

[workflow]
inline = '''
name = "ask"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "Label it.", output_schema = "inline" }]
'''

[[intel.turns]]
node = "ask"
variants = [{ content = '{"label": "yes"}', weight = 3 }, { content = '{"label": "no"}', weight = ${wrong} }]

[expected]
status = "completed"
final = { path = "parsed", equals = { label = "yes" } }
`;

/** The JSON report of a run, and what it counts. */
async function ran(options: RunSuiteOptions) {
  const report = await runSuite({ cwd, workers: 0, ...options });
  return { report, text: renderReport(report, { reporter: 'json' }) };
}

async function scored(name: string, text: string) {
  writeFileSync(path.join(cwd, name), text);
  const { report } = await ran({ recordings: [name] });
  return report.scenarios.filter(isSampled).map(({ trials, recording }) => ({
    trials: [trials.passed, trials.failed, trials.broken],
    tasks: Object.fromEntries(
      (recording?.perTask ?? []).map((row) => [row.task, [row.trials, row.passed, row.errors]]),
    ),
    passHatK: recording?.passHatK,
  }));
}

describe('passk-report', () => {
  it('gives as many trials as a run of workflows counted, scenario by scenario', { timeout: 300_000 }, async () => {
    writeFileSync(path.join(cwd, 'one.toml'), scenario('one "1"', 2));
    writeFileSync(path.join(cwd, 'two.toml'), scenario('two', 1));
    const { report, text } = await ran({ paths: ['one.toml', 'two.toml'], trials: 50, seed: 7 });
    const counts = report.scenarios.map(({ name, trials }) => [name, [50, trials.passed, trials.broken]]);
    expect(report.summary.trials.failed).toBeGreaterThan(10);
    const source = sourceOf({ 'report.json': text });
    expect(passkReport.detects(source, {})).toBe(true);
    const { sets, broken, problems } = importAll(passkReport, source);
    expect([broken, problems]).toEqual([[], []]);
    // Three of each are there with what was wrong, under the number that they had.
    const kept = (sets[''] ?? []).filter(({ id }) => id !== undefined);
    expect(kept.map(({ task, id }) => [task, id])).toEqual(
      report.scenarios
        .filter(isSampled)
        .flatMap(({ name, failures }) => failures.map(({ trial }) => [name, `trial ${trial}`])),
    );
    expect(kept[0]?.scores[0]?.explanation).toContain('yes');
    const [set, ...others] = await scored('report.json', text);
    expect(others).toEqual([]);
    expect(set?.tasks).toEqual(Object.fromEntries(counts));
  });

  it('gives the tasks of recorded runs back, errors and records among them', { timeout: 300_000 }, async () => {
    const runs = ['a', 'a', 'a', 'b', 'b', 'c'].map((task, run) => ({
      task,
      passed: run % 2 === 0,
      error: run === 4 ? 'no server' : null,
      messages: [
        { role: 'user', content: `Question ${run}` },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: '1', function: { name: 'look', arguments: '{"at": 1}' } }],
        },
      ],
    }));
    const table = runs.map((run) => JSON.stringify(run)).join('\n');
    const before = await scored('runs.jsonl', table);
    const { text } = await ran({ recordings: ['runs.jsonl'] });
    expect(await scored('recorded.json', text)).toEqual(before);
    const { sets } = importAll(passkReport, sourceOf({ 'recorded.json': text }));
    expect(sets['runs.jsonl']?.find(({ id }) => id === 'trial 1')).toMatchObject({
      task: 'a',
      messages: [{ role: 'user', parts: [{ text: 'Question 1' }] }, { role: 'assistant' }],
      calls: [{ name: 'look', args: { at: 1 } }],
    });
    expect(sets['runs.jsonl']?.find(({ error }) => error !== undefined)).toMatchObject({
      task: 'b',
      error: 'no server',
    });
  });

  it('says which trials ended early for what they had given', () => {
    const trials = { requested: 9, executed: 2, deduplicated: 1, passed: 3, failed: 0, broken: 0 };
    const row = { verdict: 'passed', sampler: 'seeded', failures: [] };
    const scenarios = [
      { ...row, name: 'early', trials, stopEarly: {} },
      { ...row, name: 'whole', trials: { ...trials, requested: 3 }, stopEarly: {} },
      { ...row, name: 'bailed', trials },
    ];
    const text = JSON.stringify({ schema: 'passk-report/3', scenarios });
    const { problems } = importAll(passkReport, sourceOf({ 'r.json': text }));
    expect(problems.map(({ message }) => message)).toEqual([
      'The trials of "early" ended early, for what they had given.',
    ]);
  });

  it('refuses a report whose numbers contradict each other, because somebody edited it', async () => {
    writeFileSync(path.join(cwd, 'three.toml'), scenario('three', 2));
    const { report, text } = await ran({ paths: ['three.toml'], trials: 20, seed: 7 });
    const [{ failed, passed } = { failed: 0, passed: 0 }] = report.scenarios.map(({ trials }) => trials);
    expect(failed).toBeGreaterThan(3);
    const more = text.replaceAll(`"passed": ${passed}`, '"passed": 999');
    const none = text
      .replaceAll(`"passed": ${passed}`, `"passed": ${passed + failed}`)
      .replaceAll(`"failed": ${failed}`, '"failed": 0');
    for (const [edited, message] of [
      [more, `"three" counts ${999 + failed} outcomes of 20 trials: somebody edited it.`],
      [none, 'It holds 3 trials that failed, and counts 0: somebody edited it.'],
    ] as const) {
      expect(edited).not.toBe(text);
      expect(() => importAll(passkReport, sourceOf({ 'report.json': edited }))).toThrow(message);
    }
  });

  it('says that trials of one seed are the same, but not of agents and models', async () => {
    const row = { file: 'a.toml', verdict: 'passed', sampler: 'seeded', failures: [], pure: true };
    const trials = { passed: 3, failed: 0, broken: 0 };
    const write = (name: string, scenarios: readonly object[]): void =>
      writeFileSync(path.join(cwd, name), JSON.stringify({ schema: 'passk-report/3', partial: false, scenarios }));
    write('one.json', [
      { ...row, name: 'a', trials, seed: 1 },
      { ...row, name: 'b', trials, seed: 1 },
      { ...row, name: 'c', trials, seed: 1, pure: false },
    ]);
    write('two.json', [
      { ...row, name: 'a', trials, seed: 1 },
      { ...row, name: 'b', trials, seed: 2 },
      { ...row, name: 'c', trials, seed: 1, pure: false },
    ]);
    const { report } = await ran({ recordings: ['one.json', 'two.json'] });
    expect(report.notices.filter(({ code }) => code === 'same_trials').map(({ message }) => message)).toEqual([
      '"a" drew the same in "two.json" as in "one.json": where nothing was changed between, its trials are the same, and each counts twice.',
    ]);
  });

  it('says what it leaves out, and refuses other versions and reports that end too early', () => {
    const trials = { passed: 1, failed: 1, broken: 1 };
    const report = {
      schema: 'passk-report/3',
      partial: true,
      scenarios: [
        { name: 'a', verdict: 'failed', sampler: 'seeded', trials, failures: [] },
        { name: 'b', verdict: 'load_error', trials },
        { name: 'c', verdict: 'passed', sampler: 'exhaustive', trials },
        { name: 'd', verdict: 'passed', trials: {} },
      ],
      results: [{}, {}],
    };
    const text = JSON.stringify(report);
    const { sets, problems } = importAll(passkReport, sourceOf({ 'r.json': text }));
    expect(sets['']).toMatchObject([
      { task: 'a', scores: [{ value: true }] },
      { task: 'a', scores: [{ value: false }] },
      { task: 'a', scores: [], error: 'The report counts it as broken, and keeps no record of it.' },
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      '"b" is left out: its file did not load.',
      '"c" is left out: its answers were enumerated, so that there are no trials.',
      'A scenario cannot be read. "d" has no counts of trials.',
      'The run was stopped before its end.',
      '2 contracts or model matrices are left out: they have cells, not trials of tasks.',
    ]);
    expect(() => importAll(passkReport, sourceOf({ 'r.json': text.slice(0, 200) }))).toThrow('ends in the middle');
    expect(() => importAll(passkReport, sourceOf({ 'r.json': text.replace('/3', '/2') }))).toThrow(
      'It is a report of passk-report/2; this passk reads passk-report/3.',
    );
  });
});
