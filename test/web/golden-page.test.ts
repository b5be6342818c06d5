import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { golden, renderReport, type SuiteReport } from '../../src/index.ts';
import { aGoldenSet } from '../golden/a-golden-set.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
let cwd = '';
let report: SuiteReport;

beforeAll(async () => {
  cwd = aGoldenSet(12, [1, 2, 3, 4, 5, 6, 7], HOSTILE);
  const how = { cwd, permissions: { run: ['./now.mjs', './next.mjs'] }, workers: 1 };
  await golden.pin({ paths: ['set'], out: 'golden.json', agents: 'now.toml', ...how });
  const reports: SuiteReport[] = [];
  await golden.run({
    set: 'golden.json',
    ...how,
    agents: 'next.toml',
    limits: { minTasks: 12 },
    onReport: (one) => void reports.push(one),
  });
  const [first] = reports;
  if (first === undefined) throw new Error('There is no report.');
  report = first;
});
afterAll(async () => {
  await closePages();
  rmSync(cwd, { recursive: true, force: true });
});

describe('the page of a golden run', () => {
  test.skipIf(noChromium).each([
    ['in light', {}],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 360, height: 800 } }],
  ] as const)('shows the set before and after, and each regression side by side, %s', async (_where, options) => {
    const { page, complaints, requests } = await openPage(report, options);
    expect([complaints, requests, await axeViolations(page)]).toEqual([[], [], []]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.textContent('h1')).toMatch(/Gate failed/);
    expect((await page.locator('main h2').allTextContents()).slice(0, 3)).toEqual([
      'Golden set',
      'Tasks that changed',
      'Regressions',
    ]);
    const rows = page.getByRole('region', { name: 'Golden set by compared and over' }).locator('tbody tr');
    expect((await rows.first().locator('td').allTextContents()).slice(0, 3)).toEqual([
      '12 tasks',
      '7 lost',
      '0 gained',
    ]);
    const beside = page.locator('section.beside');
    expect(await beside.count()).toBe(7);
    const first = beside.first();
    expect(await first.locator('thead th').allTextContents()).toEqual(['before, trial 0', 'now, trial 0']);
    // Messages, calls, what they gave, and answers, with the first difference between them.
    expect((await first.locator('tbody tr').allTextContents()).slice(0, 4)).toEqual([
      'user Pay R-1.user Pay R-1.',
      '▼ here they first differ',
      'calls find {"order": "R-1"}calls pay {"order": "R-1"}',
      'result trueresult true',
    ]);
    expect(await first.getByText('assistant').count()).toBe(2);
    expect(await first.textContent()).toContain(HOSTILE);
    expect(await page.title()).not.toBe('1');
  });
});

test('text, Markdown, JUnit and GitHub reports say what regressed, and show both trials where they part', () => {
  const text = renderReport(report, { columns: 100 });
  expect(text).toContain('Golden set: worse');
  expect(text).toContain('    - calls find {"order": "R-1"}');
  expect(text).toContain('    + calls pay {"order": "R-1"}');
  expect(renderReport(report, { reporter: 'markdown' })).toContain('### Golden set: worse · 12 of 12 tasks compared');
  const junit = renderReport(report, { reporter: 'junit' });
  expect(junit.match(/<failure/g)).toHaveLength(8);
  expect(junit).toContain('golden set');
  expect(renderReport(report, { reporter: 'github' })).toContain('R-1: pay');
  expect(JSON.parse(renderReport(report, { reporter: 'json' }))).toMatchObject({
    gate: { verdict: 'fail' },
    golden: { paired: 12 },
  });
});
