import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../../src/index.ts';

const FOLDS = fileURLToPath(new URL('fixtures/bad-folds.mjs', import.meta.url));

/** Suites whose subject cannot be opened, and whose fold passes whatever happened. */
const UNOPENED = ['throws-open', 'unopened'];

let cwd: string;
let report: SuiteReport;
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'passk-folds-'));
  for (const fold of ['fine', 'late', 'malformed', 'meddles', 'no-data', 'nothing', 'throws', ...UNOPENED]) {
    writeFileSync(path.join(cwd, `${fold}.toml`), `fold = "${fold}"\n`);
  }
  report = await runSuite({ cwd, plugins: [FOLDS], workers: 1 });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('a plug-in whose fold fails', () => {
  const reasonsOf = (name: string): readonly string[] | undefined =>
    report.results.find((result) => result.name === name)?.reasons;

  test('leaves its own file undecided, and all others as they are', () => {
    const verdicts = report.results.map(({ name, verdict }) => [name, verdict]);
    expect(Object.fromEntries(verdicts)).toEqual({
      fine: 'passed',
      late: 'insufficient',
      malformed: 'insufficient',
      meddles: 'passed',
      'no-data': 'insufficient',
      nothing: 'insufficient',
      throws: 'insufficient',
      'throws-open': 'insufficient',
      unopened: 'insufficient',
    });
    expect(report.gate.verdict).toBe('insufficient');
  });

  test.each([
    ['throws', 'Lost my marbles.'],
    ['nothing', 'What it returned is no plain data: it holds undefined.'],
    ['late', 'It returned a promise, and must answer at once.'],
    [
      'malformed',
      '"verdict" cannot be "maybe". Known values: passed, failed, insufficient. "reasons" must be an array, not the string "because". "data" must be an object, not an empty array.',
    ],
    ['no-data', 'What it returned is no plain data: it holds an object that is not plain data at "data.at".'],
  ])('is named with its file and what went wrong: %s', (name, what) => {
    expect(reasonsOf(name)).toEqual([`The suite "folds" could not fold the results of ${name}.toml: ${what}`]);
  });

  test('keeps its results, which it cannot change', () => {
    for (const result of report.results.filter(({ name }) => !UNOPENED.includes(name))) {
      expect(result).toMatchObject({ cases: [{ name: 'yes', trials: { requested: 3, passed: 3 } }] });
    }
  });
});

test.each([
  ['throws-open', '`open` of the subject "odd" failed at bad-folds.mjs:15:11: Locked.'],
  ['unopened', '`open` of the subject "odd" gave no object with a function `run`.'],
])('a suite passes no case that nobody could judge, and says what broke it: %s', (name, message) => {
  expect(report.results.find((result) => result.name === name)).toMatchObject({
    verdict: 'insufficient',
    reasons: ['No trial of "yes" could be judged, so the suite has not passed.'],
    cases: [{ name: 'yes', trials: { passed: 0, broken: 3 }, message }],
  });
});
