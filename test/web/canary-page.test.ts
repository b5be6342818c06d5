import { afterAll, describe, expect, test } from 'vitest';
import { renderCanaryPage, renderRehearsalPage } from '../../src/canary/canary-page.ts';
import { rehearseCanary } from '../../src/canary/rehearse-canary.ts';
import { afterStep, aFolderWith, aPlan, aStage, takeStep } from '../canary/a-canary.ts';
import { axeViolations, closePages, noChromium, openHtml } from './open-page.ts';

afterAll(closePages);

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

/** A rollout that passes its shadow and is taken back at 5 %. */
function aRollout(): string {
  const stages = [0, 5, 100].map((percent) => aStage({ percent, maxCostPerSuccess: 0.1 }));
  const plan = aPlan({ maxCostPerOutcome: 1, stages, candidate: HOSTILE });
  const of = { version: HOSTILE, costUsd: 0.04 };
  const machine = afterStep(plan, 800, () => of);
  takeStep(machine, {
    from: 800,
    outcomes: 200,
    fieldsOf: (i) => ({ ...of, id: `${HOSTILE}${i}`, passed: i % 3 !== 0 }),
  });
  return renderCanaryPage(machine.report('0'.repeat(64)));
}

describe.skipIf(noChromium)('the page of a canary', () => {
  test.each([
    ['in light', {}],
    ['in dark', { colorScheme: 'dark' }],
    ['on a narrow screen', { viewport: { width: 360, height: 800 } }],
  ] as const)('shows each stage with its bounds and numbers on both axes, %s', async (_where, options) => {
    const { page, complaints, requests } = await openHtml(aRollout(), options);
    expect([complaints, requests, await axeViolations(page)]).toEqual([[], [], []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      'viewport' in options ? options.viewport.width : 1280,
    );
    expect(await page.textContent('h1')).toBe(`Canary of ${HOSTILE}`);
    expect(await page.locator('h2').allTextContents()).toEqual([
      'shadow: passed',
      'at 5 % of traffic: rolled back',
      'at 100 % of traffic: yet to come',
    ]);
    expect(await page.locator('.stand').textContent()).toBe('rolled back; the candidate gets no traffic');
    // Of two stages the pass rate and the cost: each with a band, a line, a bar, and numbers at both sides.
    const plots = page.locator('.line-plot svg');
    expect(await plots.count()).toBe(4);
    for (const plot of await plots.all()) {
      expect([await plot.locator('polygon').count(), await plot.locator('polyline').count()]).toEqual([1, 1]);
      const texts = await plot.locator('text').allTextContents();
      expect(texts.filter((text) => /^\$?[\d.,]+$/.test(text)).length).toBeGreaterThanOrEqual(5);
    }
    const widths = await bandWidths(page.locator('.line-plot svg polygon').first());
    expect(widths.at(-1)).toBeLessThan((widths[0] ?? 0) / 3);
  });

  test('shows when rollouts of each assumed candidate end', async () => {
    const stage = 'min_outcomes = 100\nmax_outcomes = 900\nmin_pass_rate = 0.9\nmax_error_rate = 0.1';
    const cwd = aFolderWith({ 'c.toml': `candidate = "2"\ntier = "dev"\n[[stages]]\npercent = 5\n${stage}\n` });
    const rehearsal = await rehearseCanary({ config: 'c.toml', cwd, rollouts: 30 });
    const { page, complaints, requests } = await openHtml(renderRehearsalPage(rehearsal), { colorScheme: 'dark' });
    expect([complaints, requests, await axeViolations(page)]).toEqual([[], [], []]);
    expect(await page.locator('tbody th').allTextContents()).toEqual([
      'good',
      'at the floor (a release is false)',
      'bad (a release is false)',
      'harmful (a release is false)',
    ]);
    // When rollouts end, and how many answers users see until then.
    expect(await page.locator('.line-plot polyline').count()).toBe(16);
    expect(await page.locator('svg.gauge').count()).toBe(4);
    expect(await page.getByRole('img', { name: /in which users see so many answers/ }).count()).toBe(4);
  });
});

/** How high a band is at its places, from left to right. */
async function bandWidths(band: { getAttribute(name: string): Promise<string | null> }): Promise<readonly number[]> {
  const places = ((await band.getAttribute('points')) ?? '').split(' ').map((place) => Number(place.split(',')[1]));
  const half = places.length / 2;
  return Array.from({ length: half }, (_, i) => (places[places.length - 1 - i] ?? 0) - (places[i] ?? 0));
}
