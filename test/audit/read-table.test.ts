import { describe, expect, test } from 'vitest';
import { readTable } from '../../src/audit/read-table.ts';
import { aSource } from '../source/parsed.ts';
import { problemsOf } from './a-table.ts';

/** Rows as name, domain, tasks, trials and printed values by k. */
function rowsOf(text: string): unknown {
  const result = readTable(aSource(text, 'a.json'));
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  const { benchmark, rows } = result.table;
  const values = rows.map(({ name, domain, tasks, trials, values }) => [
    name,
    domain,
    tasks?.value ?? null,
    trials?.value ?? null,
    Object.fromEntries([...values].map(([k, { text: shown }]) => [k, shown])),
  ]);
  return { benchmark, rows: values };
}

const ROWS = [
  ['glm', 'airline', 50, 4, { 1: '82.50', 2: '76.0%' }],
  ['', '', null, null, { 1: '0.5' }],
];

describe('the forms of a table', () => {
  test.each([
    [
      'a list of objects',
      '[{"name": "glm", "domain": "airline", "tasks": 50, "trials": 4, "pass^1": 82.50, "pass_2": "76.0%", "cost": {}},\n {"pass_1": 0.5, "pass^2": null}]',
    ],
    [
      'a list under rows',
      '{"rows": [{"name": "glm", "domain": "airline", "tasks": "50", "trials": 4, "pass^1": 82.50, "pass^2": "76.0%"}, {"pass^1": 0.5}]}',
    ],
    [
      'CSV with commas',
      'name,domain,tasks,trials,pass^1,pass_2,note\nglm,airline,50,4,82.50,76.0%,"a, b"\n,,,n/a,0.5,-',
    ],
    ['CSV with semicolons', 'pass^1;pass^2;name;domain;tasks;trials\n82.50;76.0%;glm;airline;50;4\n0.5'],
    ['TSV', 'pass^1\tpass^2\tname\tdomain\ttasks\ttrials\r\n82.50\t76.0%\tglm\tairline\t50\t4\r\n0.5\t\t\t\t\t\r\n'],
  ])('%s', (_form, text) => {
    expect(rowsOf(text)).toEqual({ benchmark: null, rows: ROWS });
  });

  test('a single row', () => {
    expect(rowsOf('{"name": "x", "tasks": 3, "pass^1": 1}')).toEqual({
      benchmark: null,
      rows: [['x', '', 3, null, { 1: '1' }]],
    });
  });

  test('a submission: a row for each domain that was submitted', () => {
    const text =
      '{"model_name": "m", "results": {"airline": {"pass_1": 82.5, "pass_2": null, "cost": 3}, "retail": null, "x": {}}}';
    expect(rowsOf(text)).toEqual({
      benchmark: 'tau2',
      rows: [
        ['m', 'airline', null, null, { 1: '82.5' }],
        ['m', 'x', null, null, {}],
      ],
    });
  });
});

describe('problems are all told, with their places', () => {
  test.each([
    [
      'values',
      'name,pass^1,pass^2\na,"82,5",-3\nb,x,1e999',
      [
        'bad_rate 2:3-9 "82,5" has a comma. [Write 82.5: decimals begin with a point.]',
        'bad_rate 2:10-12 "-3" is below 0, which no pass^k is. [Write a number such as 0.825, 82.5 or 82.5%, or leave the place empty where there is none.]',
        'bad_rate 3:3-4 "x" is no number. [Write a number such as 0.825, 82.5 or 82.5%, or leave the place empty where there is none.]',
      ],
    ],
    [
      'counts',
      'tasks,trials,pass^1\n0,4,1\n5,1.5,1\n',
      [
        'bad_count 2:1-2 "tasks" must be a whole number from 1, not "0". [Write how many tasks there were.]',
        'bad_count 3:3-6 "trials" must be a whole number from 1, not "1.5". [Write how many trials there were.]',
      ],
    ],
    [
      'columns',
      'pass^1,pass_1,pass^1,pass^33\n1,1,1,1\n0.5\n0.5,,,,7',
      [
        'duplicate_key 1:15-21 The column "pass^1" stands here again. [Keep one of them.]',
        'bad_k 1:22-29 "pass^33" is not looked at: k goes from 1 to 32. [Leave the column out.]',
        'duplicate_k 2:3-4 pass^1 stands in this row twice. [Keep one of them.]',
        'duplicate_k 2:5-6 pass^1 stands in this row twice. [Keep one of them.]',
        'ragged_row 4:8-9 The row has 5 cells under 4 columns. [Put cells with a separator in them in quotes.]',
      ],
    ],
    [
      'JSON of other types',
      '[{"pass^1": [1], "name": {}, "tasks": true}, 3]',
      [
        'wrong_type 1:13-16 "pass^1" must be one number. [Write a number, or null.]',
        'wrong_type 1:26-28 "name" must be a text. [Write one text.]',
        'bad_count 1:39-43 "tasks" must be a whole number from 1. [Write how many tasks there were.]',
        'wrong_type 1:46-47 A row must be an object. [Write the keys name, tasks, pass^1, pass^2, ….]',
      ],
    ],
    [
      'a domain of a submission',
      '{"model_name": "m", "results": {"airline": 3}}',
      [
        'wrong_type 1:44-45 "results.airline" must be an object. [Write pass_1 to pass_4, or null for a domain that was not submitted.]',
      ],
    ],
    [
      'counts and values that contradict each other',
      'tasks,trials,pass^1,pass^2\n5,1,1,1\n2000000,2,104,2\n5,33,1,1',
      [
        'bad_k 2:7-8 pass^2 of 1 trials does not exist. [Give the number of trials of each task, or leave the value out.]',
        'too_many 3:1-8 2000000 tasks are more than the 1000000 for which histograms of 2 trials are looked for. [Leave the row out.]',
        'bad_rate 3:11-14 "104" is above 100. [No pass^k is above 100 %.]',
        'too_many 4:3-5 33 trials are more than the 32 for which histograms are looked for. [Leave the row out.]',
      ],
    ],
  ])('%s', (_what, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('a row and a flag that say different numbers', () => {
    expect(problemsOf('domain,tasks,trials,pass^1\na,5,1,1', { domainTasks: { a: 6 }, trials: 2 })).toEqual([
      "contradiction 2:3-4 The row says 5 tasks, and --tasks says 6. [Leave --tasks out, or the row's own number.]",
      "contradiction 2:5-6 The row says 1 trials, and --trials says 2. [Leave --trials out, or the row's own number.]",
    ]);
  });

  test('percentages where fractions were said', () => {
    expect(problemsOf('tasks,pass^1\n5,20', { scale: 'fraction' })).toEqual([
      'bad_rate 2:3-5 "20" is above 1. [Say --scale percent if these are percentages.]',
    ]);
  });

  test('a report of passk, which is no table, is led to what reads it', () => {
    expect(problemsOf('{"schema": "passk-report/3", "passk": "0.1.0", "scenarios": []}')).toEqual([
      'no_table 1:1-2 File "a.csv" is a report of passk, which counts trials and is no table. [Tables are what others publish without their trials. passk score a.csv shows pass^1, pass^2, ….]',
    ]);
  });

  test('a file without a table names columns that are nearly right', () => {
    const [problem = ''] = problemsOf('name,Pass@1,pass-hat\nx,1,2');
    expect(problem).toBe(
      'no_table 1:1-2 File "a.csv" has no column pass^1, pass^2, … or pass_1, pass_2, …. [Name a file with such columns, in JSON or CSV, or a submission to the leaderboard of τ²-bench. "Pass@1", "pass-hat" are other names.]',
    );
    for (const text of ['{}', '[]', '', '{"results": {"a": 1}}']) expect(problemsOf(text)[0]).toContain('no_table');
  });
});
