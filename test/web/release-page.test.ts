import { afterAll, describe, expect, test } from 'vitest';
import { renderReport, type SuiteReport } from '../../src/index.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from '../release/a-release.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

afterAll(closePages);

const withChromium = test.skipIf(noChromium);

/** The report of a release, after one in which everything passed. */
async function aReleaseReport(options: Partial<RunReleaseOptions> = {}): Promise<SuiteReport> {
  const reports: SuiteReport[] = [];
  await inReleaseFolder(async ({ run }) => {
    const first = [aCase('good', REVIEWED), aCase('other', REVIEWED), aCase('attack', ATTACK)];
    await run({ scenarios: first, out: 'first.json' });
    await run({
      scenarios: [aCase('good', REVIEWED), aCase('other', REVIEWED, 'right'), aCase('attack', ATTACK)],
      prior: 'first.json',
      candidate: { name: '<b>router</b>', version: '2' },
      onReport: (report) => void reports.push(report),
      ...options,
    });
  });
  const [report] = reports;
  if (report === undefined) throw new Error('There is no report.');
  return report;
}

describe('the page of a release', () => {
  withChromium('shows five axes side by side with their intervals, and no score', async () => {
    const { page, complaints, requests } = await openPage(await aReleaseReport());
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^✗ Gate failed/);
    // Before all results.
    expect(await page.locator('main h2').first().textContent()).toBe('Release');
    const rows = page.getByRole('region', { name: 'Release by axis and verdict' }).locator('tbody tr');
    expect(await rows.locator('th').allTextContents()).toEqual([
      'outcome',
      'trajectory',
      'faithfulness',
      'cost',
      'safety',
    ]);
    expect(await rows.locator('td:nth-child(2)').allTextContents()).toEqual([
      '✗ fail',
      '! insufficient (advisory)',
      '✓ pass',
      '✓ pass',
      '✓ pass',
    ]);
    expect(await rows.nth(0).locator('td.number').allTextContents()).toEqual([
      'pass rate',
      '0.50',
      '0.16 to 0.84',
      '–',
    ]);
    expect(await rows.nth(4).locator('td.number').allTextContents()).toEqual([
      'attacks that succeed',
      '0.00',
      '0.00 to 0.53',
      '0.90',
    ]);
    expect(await rows.locator('svg.gauge').count()).toBe(4);
    expect(await page.getByText('Decided by outcome:').first().isVisible()).toBe(true);
    expect((await page.locator('main').textContent())?.match(/\bscore\b/gi)).toEqual(['score']);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  withChromium('draws costs and the curve of candidate and baseline, and leads to failing trials', async () => {
    const { page } = await openPage(await aReleaseReport());
    expect(await page.locator('svg.waterfall text').allTextContents()).toEqual([
      'model',
      'all of it',
      'trying it, apart',
    ]);
    expect(await page.locator('.curves .own polyline').count()).toBe(1);
    expect(await page.locator('.curves .other polyline').count()).toBe(1);
    expect(await page.locator('.curves figcaption').textContent()).toBe(
      'drawn through: <b>router</b> 2 · dashed: router 1',
    );
    await page
      .getByRole('region', { name: 'Regressions of each scenario' })
      .getByRole('link', { name: 'other' })
      .click();
    expect(await page.locator('#title').textContent()).toContain('other');
    expect(await page.getByText('last_node').first().isVisible()).toBe(true);
  });

  withChromium('leads from a regression to the very trial, which has an address of its own', async () => {
    const { page, complaints } = await openPage(await aReleaseReport());
    const rows = page.getByRole('region', { name: 'Regressions of each scenario' });
    await rows.getByRole('link', { name: 'trial 0 fails first' }).click();
    const focused = () => page.evaluate('document.activeElement?.id');
    expect(await page.locator('#title').textContent()).toContain('other');
    await expect
      .poll(async () => [new URL(page.url()).hash, await focused()])
      .toEqual(['#/scenario/1/trial/0', 'trial-0']);
    const open = page.locator('details.failure[open] summary');
    await page.getByText(/^Trial 2:/).click();
    await page.getByRole('link', { name: 'Link to trial 2' }).click();
    await expect
      .poll(async () => [new URL(page.url()).hash, await open.allTextContents()])
      .toEqual(['#/scenario/1/trial/2', [expect.stringMatching(/^Trial 2:/)]]);
    // Whoever is sent the address comes to the same trial.
    await page.reload();
    await expect.poll(async () => [await focused(), await open.count()]).toEqual(['trial-2', 1]);
    // A trial that the page does not show has none.
    await page.evaluate("location.hash = '#/scenario/1/trial/99'");
    await page.waitForSelector('#title:focus');
    expect(await open.allTextContents()).toEqual([expect.stringMatching(/^Trial 0:/)]);
    expect(complaints).toEqual([]);
  });

  withChromium.each(['light', 'dark'] as const)('has nothing that axe objects to, in %s', async (colorScheme) => {
    const { page } = await openPage(await aReleaseReport(), { colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('a release in other reports', () => {
  test('stands in Markdown as tables, and in JSON as a branch of its own', async () => {
    const report = await aReleaseReport();
    const markdown = renderReport(report, { reporter: 'markdown' });
    expect(markdown).toContain('| axis | verdict | measured | value | interval | at most |');
    expect(markdown).toContain('### Regressions');
    expect(markdown).not.toContain('<b>router</b> 2 ·');
    expect(JSON.parse(renderReport(report, { reporter: 'json' }))).toMatchObject({
      gate: { verdict: 'fail' },
      release: {
        verdict: 'fail',
        prior: 'router 1',
        regressions: [{ name: 'other', before: { passed: 4, trials: 4 } }],
      },
    });
    expect(renderReport(report, { reporter: 'text' })).toContain('Release: 5 axes, no score · fail');
  });

  test('of the first release has nothing beside it', async () => {
    const reports: SuiteReport[] = [];
    await inReleaseFolder(async ({ run }) => void (await run({ onReport: (one) => void reports.push(one) })));
    expect(reports[0]?.release).toMatchObject({ verdict: 'pass', prior: null, regressions: [] });
    expect(reports[0]?.release?.curve[0]).toEqual({ k: 1, candidate: 1, prior: null });
  });
});
