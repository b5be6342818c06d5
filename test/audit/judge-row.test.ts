import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SuccessHistogram } from '../../src/stats/success-histogram.ts';
import { auditText, passHatSums, printed } from './a-table.ts';

const aTable = fc.record({
  rows: fc.array(
    fc
      .integer({ min: 1, max: 6 })
      .chain((trials) => fc.array(fc.nat(40), { minLength: trials + 1, maxLength: trials + 1 }))
      .filter((histogram) => histogram.some((tasks) => tasks > 0)),
    { minLength: 1, maxLength: 4 },
  ),
  decimals: fc.integer({ min: 1, max: 5 }),
  scale: fc.constantFrom('percent' as const, 'fraction' as const),
  isJson: fc.boolean(),
});

const tasksIn = (histogram: SuccessHistogram): number => histogram.reduce((sum, tasks) => sum + tasks, 0);

test('what a histogram gives is never impossible, however it is rounded, and its histogram is among those found', () => {
  fc.assert(
    fc.property(aTable, ({ rows, decimals, scale, isJson }) => {
      const whole = scale === 'percent' ? 100n : 1n;
      const cells = rows.map((histogram) => ({
        tasks: tasksIn(histogram),
        trials: histogram.length - 1,
        values: passHatSums(histogram).map((value) => printed(value, whole, decimals)),
      }));
      const columns = Math.max(...cells.map(({ trials }) => trials));
      const head = ['tasks', 'trials', ...Array.from({ length: columns }, (_, i) => `pass^${i + 1}`)].join(',');
      const csv = [head, ...cells.map(({ tasks, trials, values }) => [tasks, trials, ...values].join(','))].join('\n');
      const json = JSON.stringify(
        cells.map(({ tasks, trials, values }) => ({
          tasks,
          trials,
          // Zeros at the end are lost here, which makes the row less certain and not wrong.
          ...Object.fromEntries(values.map((value, i) => [`pass_${i + 1}`, Number(value)])),
        })),
      );
      const { rows: audited } = auditText(isJson ? json : csv, { scale });
      for (const [place, row] of audited.entries()) {
        const histogram = rows[place] ?? [];
        expect(['unique', 'ambiguous']).toContain(row.verdict);
        if (row.verdict === 'unique') expect(row.histograms?.listed).toEqual([histogram]);
        for (const [c, [low, high]] of (row.histograms?.ranges ?? []).entries()) {
          expect((histogram[c] ?? -1) >= low && (histogram[c] ?? -1) <= high).toBe(true);
        }
      }
    }),
  );
});

test('doubles written in full tell the histogram, up to 1,000 tasks of 16 trials', () => {
  const histograms = fc
    .integer({ min: 1, max: 16 })
    .chain((trials) => fc.array(fc.nat(60), { minLength: trials + 1, maxLength: trials + 1 }))
    .filter((histogram) => tasksIn(histogram) > 0);
  fc.assert(
    fc.property(histograms, (histogram) => {
      const values = passHatSums(histogram).map(({ sum, of }) => (100 * Number(sum)) / Number(of));
      const row = {
        tasks: tasksIn(histogram),
        ...Object.fromEntries(values.map((value, i) => [`pass_${i + 1}`, value])),
      };
      const [audited] = auditText(JSON.stringify([row]), { scale: 'percent', decimals: 12 }).rows;
      expect([audited?.verdict, audited?.histograms?.listed]).toEqual(['unique', [histogram]]);
    }),
  );
});

// 50 tasks, 4 trials: GLM-5 on the airline domain as published, and what follows.
const HEAD = 'name,domain,tasks,trials,pass^1,pass^2,pass^3,pass^4';

test('a row that is possible in one way tells its histogram, and what follows from it', () => {
  const [row] = auditText(`${HEAD}\nglm,airline,50,4,82.5,76.0,72.0,70.0`).rows;
  expect(row).toEqual({
    file: 'a.csv',
    line: 2,
    name: 'glm',
    domain: 'airline',
    verdict: 'unique',
    tasks: { count: 50, from: 'file' },
    trials: { count: 4, from: 'file' },
    scale: 'percent',
    values: ['82.5', '76.0', '72.0', '70.0'].map((text, i) => ({
      k: i + 1,
      printed: text,
      low: expect.closeTo(Number(text) / 100 - 0.0005, 12),
      high: expect.closeTo(Number(text) / 100 + 0.0005, 12),
    })),
    missing: [],
    histograms: { count: 1, isAll: true, listed: [[4, 1, 6, 4, 35]], ranges: [4, 1, 6, 4, 35].map((n) => [n, n]) },
    conflict: null,
    outcome: {
      neverSolved: 4,
      alwaysSolved: 35,
      passed: 165,
      passHatK: [0.825, 0.76, 0.72, 0.7].map((value, i) => ({
        k: i + 1,
        value: expect.closeTo(value, 12),
        error: expect.any(Number),
        interval: [expect.any(Number), expect.any(Number)],
      })),
    },
  });
});

test('a row that is impossible says which value would have to be another', () => {
  const { rows } = auditText(
    [HEAD, 'glm,b,97,4,9.79,7.22,5.67,3.09', 'x,b,114,4,73.68,60.38,51.10,44.00', 'y,b,50,4,50.0,60.0,40.0,30.0'].join(
      '\n',
    ),
  );
  expect(rows.map(({ verdict }) => verdict)).toEqual(['impossible', 'impossible', 'impossible']);
  expect(rows[0]?.conflict).toEqual({
    unreachable: [],
    suspects: [
      { k: 3, fitting: [expect.closeTo(20 / 388, 12)] },
      { k: 4, fitting: [expect.closeTo(4 / 97, 12), expect.closeTo(5 / 97, 12)] },
    ],
  });
  expect(rows[1]?.conflict).toEqual({
    unreachable: [4],
    suspects: [{ k: 4, fitting: [48, 49, 50, 51, 52].map((tasks) => expect.closeTo(tasks / 114, 12)) }],
  });
});

test('a row that several histograms give is ambiguous, and each number of tasks has its range', () => {
  const [row] = auditText(`${HEAD}\nx,retail,500,4,50.0,33.3,25.0,20.0`).rows;
  expect([row?.verdict, row?.histograms?.count, row?.histograms?.isAll]).toEqual(['ambiguous', 27, true]);
  expect(row?.histograms?.listed.length).toBe(10);
  expect(row?.histograms?.ranges).toEqual([
    [96, 102],
    [96, 108],
    [95, 103],
    [99, 101],
    [100, 100],
  ]);
});

test('a row that lacks values or tasks is incomplete, and says what is missing', () => {
  const text = ['domain,tasks,pass^1,pass^2,pass^3', 'a,50,82.0,,72.0', 'b,,82.0,76.0,72.0', 'c,50,,-,n/a'].join('\n');
  expect(auditText(text).rows.map(({ verdict, missing }) => [verdict, missing])).toEqual([
    ['incomplete', ['pass^2']],
    ['incomplete', ['tasks']],
    ['incomplete', ['pass^1', 'pass^2', 'pass^3']],
  ]);
  const said = auditText(text, { domainTasks: { b: 50 } }).rows[1];
  expect([said?.missing, said?.tasks]).toEqual([[], { count: 50, from: 'option' }]);
});

test('what is there of an incomplete row may be impossible by itself', () => {
  const [row] = auditText('tasks,pass^1,pass^2,pass^3\n50,82.0,84.0,').rows;
  expect([row?.verdict, row?.missing]).toEqual(['impossible', ['pass^3']]);
  expect(row?.conflict?.suspects.map(({ k }) => k)).toEqual([1, 2]);
});

test('trials come from the row, from a flag, or from the last column of the table', () => {
  const text = 'tasks,trials,pass^1,pass^2\n10,4,0.5,0.2\n10,,0.5,0.2';
  expect(auditText(text).rows.map(({ trials, missing }) => [trials.count, trials.from, missing.length])).toEqual([
    [4, 'file', 2],
    [2, 'columns', 0],
  ]);
  expect(auditText('tasks,pass^1\n10,0.5', { trials: 2 }).rows[0]?.trials).toEqual({ count: 2, from: 'option' });
});

test('values are percentages where one of the file is above 1, and where they have the sign', () => {
  const scales = (text: string) => auditText(text).rows.map(({ scale, verdict }) => [scale, verdict]);
  expect(scales('tasks,pass^1\n200,0.5\n200,50.5')).toEqual([
    ['percent', 'unique'],
    ['percent', 'unique'],
  ]);
  expect(scales('tasks,pass^1\n200,0.500\n200,0.505')).toEqual([
    ['fraction', 'unique'],
    ['fraction', 'unique'],
  ]);
  expect(scales('tasks,pass^1\n200,0.5%\n200,0.505')).toEqual([
    ['percent', 'unique'],
    ['fraction', 'unique'],
  ]);
});

describe('twins', () => {
  test('rows of one domain that share all values are named, however they are printed', () => {
    const text = [
      HEAD,
      'a,retail,114,4,73.68,60.38,51.10,43.86',
      'other tasks,retail,456,4,73.68,60.38,51.10,43.86',
      'b,retail,114,4,73.68,60.38,51.1,43.86',
      'other domain,telecom,114,4,73.68,60.38,51.10,43.86',
      'c,retail,114,4,0.7368421%,60.38,51.10,43.86',
      'd,retail,114,4,73.6842105,60.380117,51.096491,43.859649',
      'incomplete,retail,114,4,73.68,60.38,51.10,',
      'incomplete too,retail,114,4,73.68,60.38,51.10,',
      'e,airline,500,4,50.0,33.3,25.0,20.0',
      'f,airline,500,4,50,33.3,25,20.0',
    ];
    const { rows, twins } = auditText(text.join('\n'));
    expect(twins.map((group) => group.map((place) => rows[place]?.name))).toEqual([
      ['a', 'b', 'd'],
      ['e', 'f'],
    ]);
  });

  test('a table without any has none', () => {
    expect(auditText(`${HEAD}\na,x,50,4,82.5,76.0,72.0,70.0\nb,x,50,4,81.5,75.67,71.5,68.0`).twins).toEqual([]);
  });
});

test('a search that is given up leaves its row undecided, and easy rows decided', () => {
  const histogram = Array.from({ length: 33 }, (_, c) => (37 * c) % 61);
  const values = passHatSums(histogram).map((value) => printed(value, 1n, 4));
  const hard = ['tasks', ...values.map((_, i) => `pass^${i + 1}`)].join(',');
  const tasks = histogram.reduce((sum, n) => sum + n, 0);
  const [row] = auditText(`${hard}\n${[tasks, ...values].join(',')}`).rows;
  expect([row?.verdict, row?.histograms?.isAll]).toEqual(['undecided', false]);
});
