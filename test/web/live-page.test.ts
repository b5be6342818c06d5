import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type PageServer, servePage } from '../../src/cli/serve-page.ts';
import { runSuite } from '../../src/index.ts';
import { formatInterval, formatRate } from '../../src/text/format-rate.ts';
import { renderHtml } from '../../src/report/html/render-html.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';
import type { ProgressEvent } from '../../src/types/progress.ts';
import { aRouter } from '../suite/scenarios.ts';
import { axeViolations, closePages, noChromium, openUrl, TEMPLATE } from './open-page.ts';

afterAll(closePages);
let server: PageServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

/** A scenario of which half of the trials end too early, and one that nothing is wrong with. */
const SCENARIOS = [
  aRouter({ name: HOSTILE, trials: 300, minPassRate: 0.455 }),
  aRouter({ name: 'sound', trials: 300, expected: { maxLlmCalls: 1 } }),
];

const MODEL = { passed: 1, flaky: 0, failed: 1, timed_out: 1, error: 0, skipped: 0, running: 1, waiting: 2 };

describe.skipIf(noChromium)('the page of a run that goes on', () => {
  test.each([
    ['in light', {}],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 360, height: 800 } }],
  ] as const)('shows speed, rates and failing scenarios with their reasons, %s', async (_where, options) => {
    server = await servePage();
    const { page, complaints, requests } = await openUrl(server.url, options);
    expect(await page.textContent('h1')).toBe('Loading scenarios');
    const events: ProgressEvent[] = [];
    const report = await runSuite({ scenarios: SCENARIOS, workers: 0, onProgress: (event) => events.push(event) });
    const begins = events.findIndex(({ kind }) => kind === 'scenario');
    // The run as it was told, up to its last trial; the reasons are there before any scenario has ended.
    for (const event of events.slice(0, begins)) server.progress(event);
    await page.waitForSelector('#rows tr');
    expect(await page.textContent('h1')).toBe('Running');
    expect(await page.locator('#rows th bdi').allTextContents()).toEqual([HOSTILE]);
    expect(await page.locator('#rows li').allTextContents()).toEqual([
      expect.stringMatching(/^last_node: \d+ failed$/),
    ]);
    expect(await page.locator('#rows td.number').first().textContent()).toMatch(/^1\d\d of 300$/);
    // As the report writes them.
    const { passed } = report.summary.trials;
    const interval = wilsonInterval(600, passed) ?? [0, 1];
    expect(await page.textContent('#rate')).toBe(`${formatRate(passed / 600)} ${formatInterval(interval)}`);
    expect(await page.locator('#rows td.number').allTextContents()).toEqual([
      expect.stringMatching(/^1\d\d of 300$/),
      expect.stringMatching(/^0\.\d\d \[0\.\d\d, 0\.\d\d\]$/),
      '0.455',
      '0',
    ]);
    expect(await page.locator('#parts').isVisible()).toBe(false);
    expect(await page.textContent('#done')).toBe('600 of 600');
    expect(await page.textContent('#spoken')).toContain('1 with failing trials');
    expect(await axeViolations(page)).toEqual([]);
    const width = 'viewport' in options ? options.viewport.width : 1280;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // By keyboard: the table is a stop, so that it can be scrolled.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('scroll');

    // Of a model, which is no scenario, it shows how far it has come.
    server.progress({ kind: 'progress', done: 600, total: 606, failed: 150, rows: [{ name: HOSTILE, counts: MODEL }] });
    await page.waitForSelector('#part-rows tr');
    expect(await page.locator('#part-rows tr > *').allTextContents()).toEqual([
      HOSTILE,
      '3 of 6',
      '1 failed, 1 timed out, 1 running, 2 waiting, 1 passed',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);

    server.show(renderHtml(report, TEMPLATE, {}));
    const frame = page.frameLocator('#frame');
    await frame.locator('h1').waitFor();
    expect(await page.locator('#run').isVisible()).toBe(false);
    expect(await page.textContent('#spoken')).toBe('The run is over; this is its report.');
    await server.close();
    await page.waitForSelector('#note:not([hidden])');
    expect(await page.textContent('#note')).toBe('passk has ended; this page no longer changes.');
    expect([complaints, requests]).toEqual([[], []]);
  });

  test('never shows a report as that of a run that goes on, has none, or left files out', async () => {
    server = await servePage();
    const { page, complaints } = await openUrl(server.url);
    const report = renderHtml(await runSuite({ scenarios: SCENARIOS, workers: 0 }), TEMPLATE, {});
    const planned = {
      kind: 'planned',
      scenarios: 2,
      trials: 600,
      asking: 0,
      paying: 0,
      workers: 0,
      issues: [],
    } as const;
    const begin = (done: number): void => {
      server?.progress({ kind: 'loaded', scenarios: 2, issues: [] });
      server?.progress(planned);
      server?.progress({ kind: 'progress', done, total: 600, failed: 0 });
    };
    begin(60);
    server.fail('passk: 1 problem in <b>a.toml</b>; nothing was run.');
    await page.waitForSelector('#problem:not([hidden])');
    expect(await page.textContent('#problem')).toContain('problem in <b>a.toml</b>; nothing was run.');
    expect(await page.textContent('h1')).toBe('The run has ended without a report');
    expect(await axeViolations(page)).toEqual([]);
    begin(120);
    server.show(report, 'This is the report of 1 of 2 files.');
    await page.waitForSelector('#again:not([hidden])');
    expect([await page.title(), await page.textContent('#again'), await page.locator('#problem').isVisible()]).toEqual([
      'passk report',
      'This is the report of 1 of 2 files.',
      false,
    ]);
    begin(300);
    await vi.waitUntil(async () => (await page.title()) !== 'passk report');
    expect(await page.textContent('#again')).toBe('Running again, 50 %. This is the report of the run before.');
    server.fail('passk: nothing was run.');
    await page.waitForSelector('#problem:not([hidden])');
    expect(await page.textContent('#problem')).toMatch(/^There is no report .* that of the run before\./);
    expect(await page.locator('#again').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('is printed with its whole report, not with what the screen shows of it', async () => {
    server = await servePage();
    const { page, complaints } = await openUrl(server.url);
    server.show(renderHtml(await runSuite({ scenarios: SCENARIOS, workers: 0 }), TEMPLATE, {}));
    await page.frameLocator('#frame').locator('h1').waitFor();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('#printed .scenarios tbody tr').count()).toBe(2);
    expect(await page.locator('#printed .filters').isVisible()).toBe(false);
    expect(await page.locator('#frame').isVisible()).toBe(false);
    const heights = '[document.body, document.querySelector("#printed")].map((one) => one.scrollHeight)';
    const [body = 0, printed = 1] = await page.evaluate<number[]>(heights);
    expect(body).toBeGreaterThanOrEqual(printed);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(246, 247, 249)');
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: null });
    expect(await page.locator('#printed > *').count()).toBe(0);
    expect(await page.frameLocator('#frame').locator('.scenarios tbody tr').count()).toBe(2);
    expect(complaints).toEqual([]);
  });
});
