import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTwins } from '../../src/audit/find-twins.ts';
import { judgeRow } from '../../src/audit/judge-row.ts';
import { readTable } from '../../src/audit/read-table.ts';
import { resolveRows } from '../../src/audit/resolve-rows.ts';
import { sumBilling } from '../../src/release/billing/read-billing.ts';
import { CASE_FILES } from '../../src/scenario/cases/case-files.ts';
import { parseCsv } from '../../src/source/csv-table.ts';
import { parseJsonDocument } from '../../src/source/json-document.ts';
import { ROOT_LIST } from '../../src/source/yaml-document.ts';
import { parseJson } from '../../src/values/exact-json.ts';
import { fuzz } from './fuzz.ts';
import { mutatedTexts } from './mutations.ts';
import { expectSoundIssues } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const NAME = 'a.csv';

const SUBMISSION = JSON.stringify(
  {
    model_name: 'm "x" \\ \u2028',
    results: {
      airline: { pass_1: 82.5, pass_2: 76.0, pass_3: 72.0, pass_4: 70, cost: null },
      retail: null,
      telecom: { pass_1: 26.288659793814436, pass_2: null },
    },
  },
  null,
  2,
);
const TABLES = [
  SUBMISSION,
  '[{"name": "a", "tasks": 50, "trials": 4, "pass^1": "82.5%", "pass^2": 1e-1}, {"pass^1": 0}]',
  '{"rows": [{"domain": "x", "tasks": 10, "pass^1": 0.5}]}',
  'name,domain,tasks,trials,pass^1,pass^2\r\n"a, ""b""",x,50,2,82.50,76.0%\r\n,,,,0.5,-\r\n',
  'name;tasks;pass_1;pass_2;pass_3\na;10;50;25;12.5\nb;10;50;25;12.5\n',
];

test('any text in place of a table gives rows that are judged, or problems with their places', {
  timeout: LONG,
}, async () => {
  await fuzz('published tables', mutatedTexts(TABLES), 1500, ({ text }) => {
    const result = readTable({ path: NAME, name: NAME, text });
    const resolved = result.ok ? resolveRows(result.table, {}) : { rows: [], issues: result.issues };
    expectSoundIssues(resolved.issues, { file: NAME, text, root: '' });
    expect(result.ok || resolved.issues.length > 0).toBe(true);
    if (resolved.issues.length > 0) return;
    const budget = { steps: 100_000 };
    const rows = resolved.rows.map((row) => judgeRow(row, budget));
    for (const { histograms, tasks, trials } of rows) {
      for (const histogram of histograms?.listed ?? []) {
        expect(histogram.length).toBe(trials.count + 1);
        expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(tasks?.count);
        expect(histogram.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
      }
    }
    for (const group of findTwins(rows, resolved.rows)) expect(group.length).toBeGreaterThan(1);
  });
});

const BILLS = [
  'project,model,cost,currency\r\na,m,0.10,USD\r\nb,"m, n",1.2E-7,usd\r\n',
  'cost;currency\n1;EUR\n-1;USD\nNaN;USD\n',
  '{"data": [{"project": "a", "cost": {"value": 1.5, "currency": "usd"}}, {"cost": null}]}',
  '[{"cost": "3"}, {"cost": 1e400}, [], 4]',
];

test('any text in place of a bill gives a sum from 0, or problems with their places', { timeout: LONG }, async () => {
  const readings = [{}, { amount: 'cost.value', currency: 'cost.currency' }, { only: { project: 'a' } }];
  await fuzz('bills', mutatedTexts(BILLS), 1500, ({ text }) => {
    for (const reading of readings) {
      const summed = sumBilling({ path: NAME, name: NAME, text }, reading);
      if (summed.ok) expect(summed.nanoUsd >= 0n && summed.rows > 0).toBe(true);
      else {
        expect(summed.issues.length).toBeGreaterThan(0);
        expectSoundIssues(summed.issues, { file: NAME, text, root: '' });
      }
    }
  });
});

/** What the reader refuses, though JSON allows it. */
const STRICTER = ['duplicate_key', 'unsafe_key', 'too_deep', 'wrong_type'];

test('any text is JSON to the reader with places where it is to JSON.parse, and says the same', {
  timeout: LONG,
}, async () => {
  await fuzz('JSON with places', fc.oneof(mutatedTexts(TABLES.slice(0, 3)), arbitraryJson()), 3000, ({ text }) => {
    const result = parseJsonDocument({ path: NAME, name: NAME, text });
    if (!result.ok) expectSoundIssues(result.issues, { file: NAME, text, root: '' });
    let value: ReturnType<typeof parseJson>;
    try {
      value = parseJson(text);
    } catch {
      expect(result.ok).toBe(false);
      return;
    }
    if (!result.ok) expect(STRICTER).toContain(result.issues[0]?.code);
    else expect(result.document.data).toEqual(Array.isArray(value) ? { [ROOT_LIST]: value } : value);
  });
});

test('any text in place of cases gives rows of fields, or a problem that shows nothing of it', {
  timeout: LONG,
}, async () => {
  for (const read of CASE_FILES.values()) {
    await fuzz('cases', mutatedTexts([...TABLES.slice(3), '{"a": 1}\n\n{"b": {"c": [1]}}\n']), 1000, ({ text }) => {
      const { rows, issues } = read({ path: NAME, name: NAME, text });
      expect(rows.every((row) => typeof row === 'object' && !Array.isArray(row))).toBe(true);
      expect(issues.length === 0 || rows.length === 0).toBe(true);
      expectSoundIssues(issues, { file: NAME, text, root: '' });
    });
  }
});

function arbitraryJson(): fc.Arbitrary<{ readonly text: string }> {
  return fc.json().map((text) => ({ text }));
}

test('any text is CSV with every cell where it stands, or has a place that is wrong', { timeout: LONG }, async () => {
  await fuzz('CSV', mutatedTexts(TABLES.slice(3)), 3000, ({ text }) => {
    const result = parseCsv({ path: NAME, name: NAME, text });
    if (!result.ok) {
      expectSoundIssues(result.issues, { file: NAME, text, root: '' });
      return;
    }
    let before = 0;
    for (const { text: read, range } of result.lines.flat()) {
      expect(range[0]).toBeGreaterThanOrEqual(before);
      const written = text.slice(...range);
      expect(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written).toBe(read);
      before = range[1];
    }
  });
});
