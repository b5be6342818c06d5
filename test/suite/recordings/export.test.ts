import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, describe, expect, it } from 'vitest';
import { exportTrials, isSampled, renderTrialRow, runSuite, type TrialRow, trialRowsHead } from '../../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-export-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function written(name: string, text: string): string {
  writeFileSync(path.join(cwd, name), text);
  return name;
}

async function rowsOf(...recordings: readonly string[]): Promise<readonly TrialRow[]> {
  const rows: TrialRow[] = [];
  for await (const row of exportTrials({ recordings, cwd })) rows.push(row);
  return rows;
}

function tableOf(rows: readonly TrialRow[], format: 'jsonl' | 'csv'): string {
  return trialRowsHead(format) + rows.map((row) => renderTrialRow(row, format)).join('');
}

/** What the report counts of each set and task. */
async function countsOf(file: string): Promise<unknown> {
  const report = await runSuite({ recordings: [file], cwd, workers: 0 });
  return report.scenarios.filter(isSampled).map(({ name, trials, recording }) => ({
    name,
    trials: [trials.executed, trials.passed, trials.failed, trials.broken],
    tasks: recording?.perTask.map((row) => [row.trials, row.passed, row.errors, row.nanoUsd, row.tokens]),
  }));
}

const TAU = [
  {
    task_id: 7,
    trial: 2,
    reward: 0.25,
    info: {},
    traj: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'look', arguments: '{}' } }] },
    ],
  },
  { task_id: 7, trial: 3, reward: 1, info: { error: 'no server' }, traj: [] },
  { task_id: 8, trial: 0, reward: 'x', traj: [] },
];

describe('exportTrials', () => {
  it('gives a row for each trial, judged, placed, and null where the source does not say', async () => {
    const text = JSON.stringify(TAU);
    const [failed, error, unreadable, ...others] = await rowsOf(written('tau.json', text));
    expect(failed).toEqual({
      set: 'tau.json',
      task: '7',
      attempt: 2,
      trial: 0,
      id: null,
      crossed: null,
      verdict: 'failed',
      passed: false,
      error: null,
      score: 0.25,
      scores: [{ name: 'reward', value: 0.25, passed: false }],
      cost_usd: null,
      prompt_tokens: null,
      completion_tokens: null,
      cached_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
      duration_ms: null,
      model_calls: null,
      tool_calls: 1,
      format: 'tau-bench',
      file: 'tau.json',
      byte: 1,
    });
    expect(error).toMatchObject({
      verdict: 'error',
      passed: null,
      error: 'no server',
      byte: text.indexOf('{"task_id":7,"trial":3'),
    });
    expect(unreadable).toMatchObject({
      task: null,
      trial: 2,
      verdict: 'error',
      error: expect.stringContaining('has no "reward"'),
    });
    expect(others).toEqual([]);
  });

  it('writes tables that score reads to the same counts, whatever tasks, sets and errors are called', {
    timeout: 600_000,
  }, async () => {
    const name = fc.oneof(
      fc.constantFrom('=1+1', "'=1+1", '-', '@x', '+', 'a,b', 'say "hi"', 'two\nlines', ' ', 'ö\u{1f600}', '0'),
      fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
    );
    const run = fc.record({
      set: fc.constantFrom('one', '=two'),
      task: name.filter((text) => text.trim() !== ''),
      passed: fc.boolean(),
      error: fc.option(fc.constantFrom('timed out', '=cmd', 'x,"y"\r\nz'), { freq: 4 }),
      cost: fc.option(fc.integer({ min: 0, max: 1000 }).map((cost) => cost / 1000)),
      prompt_tokens: fc.option(fc.nat(1000)),
      completion_tokens: fc.option(fc.nat(1000)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 12 }), async (runs) => {
        const source = written('law.jsonl', runs.map((one) => JSON.stringify(one)).join('\n'));
        const expected = (await countsOf(source)) as readonly { readonly name: string }[];
        const rows = await rowsOf(source);
        expect(await countsOf(written('again.jsonl', tableOf(rows, 'jsonl')))).toEqual(expected);
        // A set, too, is a text that no spreadsheet may run.
        const harmless = expected.map((set) => ({ ...set, name: set.name === '=two' ? "'=two" : set.name }));
        expect(await countsOf(written('again.csv', tableOf(rows, 'csv')))).toEqual(harmless);
      }),
      { numRuns: 40 },
    );
  });
});

describe('renderTrialRow', () => {
  const cells = (row: Partial<TrialRow>): Readonly<Record<string, string>> => {
    const text = tableOf([row as TrialRow], 'csv');
    return Papa.parse<Record<string, string>>(text, { header: true }).data[0] ?? {};
  };

  it('lets no text of others become a formula, and keeps all of them apart', () => {
    for (const text of ['=1', '+1', '-1', '@x', '\t=', '\r=']) expect(cells({ task: text })['task']).toBe(`'${text}`);
    expect(cells({ task: "'=1" })['task']).toBe("''=1");
    expect(cells({ task: "it's", error: "'quoted'" })).toMatchObject({ task: "it's", error: "'quoted'" });
    // Numbers are no text.
    expect(cells({ score: -0.5 })['score']).toBe('-0.5');
  });

  it('tells null from an empty text, and writes no half of a character', () => {
    const line = renderTrialRow({ set: '', task: null, id: 'a\ud800' } as unknown as TrialRow, 'csv');
    expect(line.startsWith('"",,,,a\ufffd,')).toBe(true);
  });
});
