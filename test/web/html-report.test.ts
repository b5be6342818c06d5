import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { historyTrends, runSuite, type SuiteReport, traceFailures } from '../../src/index.ts';
import { aHistoryRun, aKeptScenario, kept } from '../baseline/a-history.ts';
import type { TraceEvent } from '../../src/types/trace.ts';
import { aGreeting } from '../cli/run-passk.ts';
import { aFailingScenario, aReport, aScenario } from '../report/a-report.ts';
import { aHostileReport, aLargeReport, HOSTILE, REPORT_CASES } from '../report/report-cases.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

afterAll(closePages);

const withChromium = test.skipIf(noChromium);

const SCENARIOS = mkdtempSync(path.join(os.tmpdir(), 'passk-web-scenarios-'));
afterAll(() => rmSync(SCENARIOS, { recursive: true, force: true }));

/** A run of a scenario that fails, compared with one of the same name that passed, with a forecast. */
async function aDriftedReport(): Promise<SuiteReport> {
  const options = { cwd: SCENARIOS, workers: 0 };
  writeFileSync(path.join(SCENARIOS, 'greeting.toml'), aGreeting());
  writeFileSync(path.join(SCENARIOS, 'calm.toml'), aGreeting({ name: 'calm' }));
  await runSuite({ ...options, saveBaseline: 'base.json' });
  writeFileSync(path.join(SCENARIOS, 'greeting.toml'), aGreeting({ lastNode: 'greet' }));
  return runSuite({
    ...options,
    baseline: 'base.json',
    forecast: { runsPerDay: [3000], prices: 5 },
  });
}

/** A session that takes something else than it should. */
function aShelfSession(goals = ''): string {
  return `name = "shelf"
trials = 1
[session]
[state.stock]
lamp = 8
[[tools]]
name = "take"
parameters = { properties = { part = { type = "string" } }, required = ["part"] }
steps = [
  { get = ["stock", "{{args.part}}"], as = "found" },
  { compute = "left", value = "{{found}}", minus = 1 },
  { set = ["stock", "{{args.part}}"], value = "{{left}}" },
  { set = ["taken"], value = "{{args.part}}" },
]
result = { left = "{{left}}" }
[[tasks]]
name = "leave the lamp"
[tasks.user]
opening = "Just looking."
[tasks.gold]
calls = []
${goals}[[tasks.agents]]
name = "canned"
turns = [{ calls = [{ tool = "take", args = { part = "lamp" } }], says = "Here it is." }]
`;
}

const graph = {
  nodes: [
    { node: 'classify', type: 'llm_infer', visits: 8 },
    { node: 'route', type: 'switch', visits: 8 },
    { node: 'done', type: 'terminate', visits: 5 },
  ],
  edges: [
    { from: 'classify', to: 'route', when: null, visits: 8 },
    { from: 'route', to: 'done', when: 'alpha', visits: 5 },
  ],
};
const small = aReport({
  scenarios: [aScenario({}, { name: 'calm', tags: ['quiet'] }), aFailingScenario(graph)],
});

describe('the HTML report in a browser (needs chromium)', () => {
  withChromium.each(Object.entries(REPORT_CASES))('shows the case "%s" without a complaint', async (_name, report) => {
    const { page, complaints, requests } = await openPage(report);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
      /^[✓✗!] Gate (passed|failed|undecided)/,
    );
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  withChromium('finds scenarios by words and by result', async () => {
    const { page } = await openPage(small);
    const names = (): Promise<readonly string[]> => page.locator('.scenarios tbody th a').allInnerTexts();
    expect(await names()).toEqual(['classify', 'calm']);
    await page.getByLabel('Search').fill('quiet conformance');
    expect(await names()).toEqual(['calm']);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Show').selectOption('flaky');
    expect(await names()).toEqual(['classify']);
    await page.getByLabel('Search').fill('nowhere');
    expect(await page.getByText('No scenario matches.').isVisible()).toBe(true);
  });

  withChromium('opens a scenario by keyboard, marks a path, and leads back to its row', async () => {
    const { page, complaints, requests } = await openPage(small);
    await page.getByRole('link', { name: 'classify' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#title');
    expect(await page.evaluate('document.activeElement.innerText')).toBe('classify');
    expect(await page.title()).toBe('classify · passk report');
    const nodes = await page.locator('.node title').allTextContents();
    expect(nodes).toEqual([
      'classify (llm_infer): 8 visits',
      'route (switch): 8 visits; 3 ended here although branches lead on; 1 recorded failing trial ended here',
      'done (terminate): 5 visits',
    ]);
    expect(await page.locator('.path').first().locator('li').allInnerTexts()).toEqual(['classify', 'route']);
    expect(await page.locator('.replay code').textContent()).toBe(
      'passk trace corpus/reliability/classify.toml --trial 1 --seed 0',
    );
    await page.getByLabel('Mark this path in the workflow').check();
    expect(await page.locator('.node.marked .node-name').allTextContents()).toEqual(['classify', '✗ ⊘ route']);
    await page.goBack();
    await page.waitForSelector('.scenarios');
    expect(await page.evaluate('document.activeElement.innerText')).toBe('classify');
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  withChromium.each(['light', 'dark'] as const)(
    'has nothing that axe finds fault with in the %s theme',
    async (colorScheme) => {
      const { page } = await openPage(REPORT_CASES['gates'] ?? small, { colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      const other = await openPage(small, { colorScheme });
      await other.page.getByRole('link', { name: 'classify' }).click();
      await other.page.waitForSelector('#title');
      await other.page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
      expect(await axeViolations(other.page)).toEqual([]);
    },
  );

  withChromium('leads from each reason to what it speaks of, and shows what failed before the rest', async () => {
    const report = await aDriftedReport();
    const { page } = await openPage(report);
    const reasons = page.locator('.verdict li a');
    expect(await reasons.allInnerTexts()).toEqual(['greeting', 'greeting']);
    expect(await page.locator('.scenarios tbody th a').allInnerTexts()).toEqual(['greeting', 'calm']);
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings.filter((heading) => /Drift|Scenarios|pass\^k|Cost/.test(heading))).toEqual([
      'Drift',
      'Scenarios',
      'pass^k',
      'Cost, all trials',
    ]);
    await page.getByLabel('Order').selectOption('as run');
    expect(await page.locator('.scenarios tbody th a').allInnerTexts()).toEqual(['calm', 'greeting']);
    await reasons.first().click();
    await page.waitForSelector('#title');
    expect(await page.title()).toBe('greeting · passk report');
  });

  withChromium('shows each scenario beside what it was in the baseline', async () => {
    const { page } = await openPage(await aDriftedReport());
    await page.getByLabel('Order').selectOption('largest fall first');
    const rows = await page
      .locator('.scenarios tbody tr')
      .evaluateAll((all) => all.map((row) => [row.querySelector('a')?.textContent, row.children[2]?.textContent]));
    expect(rows).toEqual([
      ['greeting', '1.00'],
      ['calm', '1.00'],
    ]);
    await page.getByRole('link', { name: 'greeting' }).first().click();
    await page.waitForSelector('#title');
    expect(await page.getByText('1.00 in the baseline').count()).toBe(1);
  });

  withChromium('says nothing of tokens, time and capabilities where there are none', async () => {
    writeFileSync(path.join(SCENARIOS, 'shelf.toml'), aShelfSession());
    const report = await runSuite({ cwd: SCENARIOS, paths: ['shelf.toml'], workers: 0 });
    rmSync(path.join(SCENARIOS, 'shelf.toml'));
    const { page } = await openPage(report);
    expect(await page.locator('.tiles dt').allInnerTexts()).toEqual(['Scenarios passed', 'Trials', 'Mean pass rate']);
    expect(await page.getByText('Coverage').count()).toBe(0);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Result',
      'Scenario',
      'Pass rate, 95 % interval',
      'Trials passed',
    ]);
    await page.locator('.scenarios tbody th a').first().click();
    await page.waitForSelector('#title');
    expect(await page.locator('.tiles dt').allInnerTexts()).toEqual(['Pass rate', 'Trials']);
    // What failed is no good news, so its bar is not green.
    expect(await page.getByRole('region', { name: 'Checks that failed' }).locator('.share .bad').count()).toBe(1);
    expect(await page.getByText('capabilities observed').count()).toBe(0);
  });

  withChromium('marks in the workflow where recorded failing trials were denied or struck by a fault', async () => {
    const place = { walk: '', node: 'classify', visit: 1, attempt: 1, atUs: 0 };
    const events: readonly TraceEvent[] = [
      { ...place, kind: 'visit', type: 'llm_infer', inputs: [] },
      { ...place, kind: 'denial', port: 'model', message: 'not allowed', fromModel: false },
      { ...place, walk: 'child', node: 'below', kind: 'visit', type: 'llm_infer', inputs: [] },
      { ...place, walk: 'child', node: 'below', kind: 'fault', fault: 'backend_down', message: 'down' },
    ];
    const file = 'corpus/reliability/classify.toml';
    const traces = [
      // Of another scenario of the same file.
      { file, scenario: 'other', trial: 0, events },
      { file, scenario: 'classify', trial: 1, events },
    ];
    const { page } = await openPage(small, { extras: { traces } });
    await page.getByRole('link', { name: 'classify' }).click();
    await page.waitForSelector('#title');
    expect(await page.locator('.node .node-name').allTextContents()).toEqual(['⊗ ↯ classify', '✗ ⊘ route', 'done']);
    expect(await page.locator('.node title').first().textContent()).toBe(
      'classify (llm_infer): 8 visits; denied in 1 recorded failing trial; struck by a fault in 1 recorded failing trial',
    );
  });

  withChromium('shows what a session changed beside what it was', async () => {
    const goals = '[[tasks.goals]]\nname = "says hello"\nsays = { matches = "Hello" }\n';
    writeFileSync(path.join(SCENARIOS, 'shelf.toml'), aShelfSession(goals));
    const report = await runSuite({ cwd: SCENARIOS, paths: ['shelf.toml'], workers: 0 });
    rmSync(path.join(SCENARIOS, 'shelf.toml'));
    const { page, complaints } = await openPage(report);
    expect(await page.getByRole('heading', { name: 'Progress against sub-goals' }).count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('.scenarios tbody th a').first().click();
    const changes = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'before' }) });
    expect(await changes.locator('tr').evaluateAll((rows) => rows.map((row) => row.textContent))).toEqual([
      'placebeforeafter',
      'stock.lamp87',
      'takennothing"lamp"',
    ]);
    expect({ complaints, axe: await axeViolations(page) }).toEqual({ complaints: [], axe: [] });
  });

  withChromium('keeps long tags on a narrow screen, pass rates in sight, and numbers behind Arabic names', async () => {
    const failing = aScenario({ passed: 5, failed: 3 }, { name: 'سيناريو', tags: ['t'.repeat(80)] });
    const gate = { ...aReport().gate, verdict: 'fail', reasons: ['سيناريو: 3 of 8 trials failed.'] } as const;
    const viewport = { width: 360, height: 800 };
    const { page } = await openPage({ ...aReport({ scenarios: [failing] }), gate }, { viewport });
    const place = await page.evaluate<readonly number[]>(`(() => {
      const link = document.querySelector('.verdict li a');
      const range = document.createRange();
      range.setStart(link.nextSibling, 2);
      range.setEnd(link.nextSibling, 3);
      return [link.getBoundingClientRect().right, range.getBoundingClientRect().left];
    })()`);
    expect(place[1]).toBeGreaterThan(place[0] ?? Number.NaN);
    const edges = await page.locator('.scenarios .rate').first().boundingBox();
    expect((edges?.x ?? 999) + (edges?.width ?? 999)).toBeLessThanOrEqual(340);
    await page.evaluate("location.hash = '#/scenario/0'");
    await page.waitForSelector('#title');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  withChromium('shows the numbers of the text report, where little ran as well', async () => {
    const cut = aScenario({ passed: 4, failed: 1, requested: 300 }, { name: 'cut', minPassRate: 0.955 });
    const whole = aReport({ scenarios: [cut] });
    const summary = { ...whole.summary, scenarios: 2, notRun: 1, costPerSuccess: null };
    const { page } = await openPage({ ...whole, summary, gate: { ...whole.gate, minPassRate: 0.955 } });
    expect(await page.locator('.tiles > div').evaluateAll((all) => all.map((tile) => tile.textContent))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/of 2.*, 1 did not run$/),
        'Trials5 of 3004 passed, 1 failed, 0 broken',
        'Tokens per success–nonenot all tokens are told',
      ]),
    );
    expect(await page.getByText('at least 0.955 of its trials').count()).toBe(1);
  });

  withChromium.each([1280, 360])(
    'shows drift, forecast, earlier runs and a trial step by step, %i pixels wide, and axe finds no fault',
    async (width) => {
      const report = await aDriftedReport();
      const [file, name] = ['greeting.toml', 'greeting'];
      const trend = historyTrends(
        [1, 2, 3].map((day) => kept(aHistoryRun(day, [aKeptScenario({ name, file, seed: day % 2 })]))),
      );
      const viewport = { width, height: 900 };
      const extras = { trends: trend, traces: await traceFailures(report, { cwd: SCENARIOS }) };
      const { page, complaints } = await openPage(report, { viewport, extras });
      expect(extras.traces).toHaveLength(2);
      expect(await page.getByRole('heading', { name: 'Drift' }).isVisible()).toBe(true);
      expect(await page.getByText('✗ regressed').count()).toBe(1);
      expect(await page.getByText('3,000 successful runs/day').count()).toBe(1);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByRole('link', { name }).first().click();
      await page.waitForSelector('#title');
      await page.getByText('Step by step').first().click();
      expect(await page.locator('.steps').first().locator('li strong').allInnerTexts()).toEqual([
        expect.stringMatching(/^greet {1,2}template_render$/),
        expect.stringMatching(/^done {1,2}terminate$/),
      ]);
      // The scale is as high as the rates differ, and a seed that changed cuts the line.
      expect(await page.locator('.trend text').allTextContents()).toEqual(['0.80', '0.90']);
      expect(await page.locator('.trend circle').count()).toBe(3);
      expect(await page.locator('.trend line').count()).toBe(0);
      await page.getByText('Earlier runs as a table').click();
      expect(await page.locator('section[aria-labelledby=trend-title] tbody td:last-child').allInnerTexts()).toEqual([
        '',
        'seed',
        'seed',
      ]);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(complaints).toEqual([]);
    },
  );

  withChromium('keeps the theme that was chosen', async () => {
    const { page } = await openPage(small, { colorScheme: 'light' });
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await paper()).not.toBe(light);
    await page.reload();
    await page.waitForSelector('h1');
    expect(await paper()).not.toBe(light);
    // Backgrounds are not printed: light text would be lost.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await paper()).toBe(light);
    await page.emulateMedia({ media: null });
  });

  withChromium('keeps hostile text as text, in the table and in every view', async () => {
    const { page, complaints, requests } = await openPage(aHostileReport(HOSTILE));
    const elements = (): Promise<number> => page.locator('img, iframe, object, a[href^="http"]').count();
    expect(await elements()).toBe(0);
    for (const place of [0, 1, 2, 3]) {
      await page.evaluate(`location.hash = '#/scenario/${place}'`);
      await page.waitForSelector('#title');
      expect(await page.locator('#title').textContent()).toContain('</failure>]]>&amp;<img src=x onerror=alert(1)>');
      expect(await elements()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
    }
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  withChromium('shows 2,000 scenarios a hundred at a time, and finds the last of them', async () => {
    const { page, complaints } = await openPage(aLargeReport(2000));
    expect(await page.locator('.scenarios tbody tr').count()).toBe(100);
    await page.getByLabel('Order').selectOption('as run');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.locator('.scenarios tbody th a').first().textContent()).toBe('scenario 100');
    await page.getByLabel('Search').fill('scenario 1999');
    await page.getByRole('link', { name: 'scenario 1999' }).click();
    expect(await page.locator('#title').textContent()).toBe('scenario 1999');
    expect(complaints).toEqual([]);
  });

  withChromium('marks a scenario as the other reports do, and shows its rate on a narrow screen', async () => {
    const scenarios = [
      aScenario({ passed: 3, failed: 4, broken: 1 }, { name: 'failed as well', minPassRate: 0.9 }),
      aScenario({ passed: 3, broken: 1 }, { name: 'broken alone' }),
      aScenario({ passed: 39, failed: 1 }, { name: 'flaky', minPassRate: 0.9, verdict: 'passed' }),
    ];
    const { page } = await openPage(aReport({ scenarios }), { viewport: { width: 360, height: 800 } });
    await page.getByLabel('Order').selectOption('as run');
    const badges = await page.locator('.scenarios .badge').allTextContents();
    expect(badges).toEqual(['✗ failed', '! broken', '≈ flaky, passed']);
    const ends = "[...document.querySelectorAll('.scenarios .rate')].map((one) => one.getBoundingClientRect().right)";
    for (const end of await page.evaluate<number[]>(ends)) expect(end).toBeLessThan(330);
  });

  withChromium('prints all of 2,000 scenarios, or all that are looked for, and says how many that are', async () => {
    const { page, complaints } = await openPage(aLargeReport(2000));
    const printed = async (): Promise<readonly [number, string | null]> => {
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      const rows = await page.locator('.scenarios tbody tr').count();
      const counts = await page.locator('section > search + p').textContent();
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      return [rows, counts];
    };
    expect(await printed()).toEqual([2000, '2,000 scenarios']);
    expect(await page.locator('.scenarios tbody tr').count()).toBe(100);
    await page.getByLabel('Search').fill('scenario 199');
    expect(await printed()).toEqual([12, '12 of 2,000 scenarios']);
    expect(complaints).toEqual([]);
  });

  withChromium('forbids its scripts to reach the network', async () => {
    const { page } = await openPage(small);
    const reached = await page.evaluate(
      "fetch('http://127.0.0.1:9/').then(() => 'reached', (error) => error.constructor.name + ': refused')",
    );
    expect(reached).toBe('TypeError: refused');
    expect(await page.locator('meta[http-equiv]').getAttribute('content')).toContain(
      "default-src 'none'; script-src 'sha256-",
    );
  });
});
