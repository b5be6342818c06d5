import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

afterAll(closePages);

const withChromium = test.skipIf(noChromium);
const CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));

let report: SuiteReport;

beforeAll(async () => {
  const ladders = ['context', 'concurrency', 'budget'].map((kind) => path.join('adversity', `ladder-${kind}.toml`));
  const paths = [...ladders, path.join('sessions', 'repair-shop-attacked.toml')];
  report = await runSuite({ cwd: CORPUS, paths, workers: 0 });
});

describe('a page with ladders and attacks', () => {
  withChromium(
    'draws ladders with numbers on both axes and marks where cost grows faster, and the plateau',
    async () => {
      const { page, complaints, requests } = await openPage(report);
      const shown = async (at: number) => {
        const figure = page.locator('figure.curves').nth(at);
        return {
          texts: await figure.locator('.axes > text').allTextContents(),
          rungs: await figure.locator('.axes > g:not(.mark) text').allTextContents(),
          mark: await figure.locator('.mark text').allTextContents(),
        };
      };
      expect(await page.locator('figure.curves').count()).toBe(3);
      expect(await shown(2)).toEqual({
        texts: ['tokens', '520', '13,120', 'characters'],
        rungs: ['1,000', '2,000', '4,000', '8,000', '16,000'],
        mark: ['threshold at 2,000'],
      });
      expect(await shown(1)).toEqual({
        texts: ['runs a second', '0', '10', 'at a time'],
        rungs: ['1', '2', '4', '7', '12'],
        mark: ['plateau at 8'],
      });
      expect(await shown(0)).toMatchObject({ texts: ['tokens', '0', '300', 'tokens'], mark: [] });
      // The mark stands where the rung does.
      const figure = page.locator('figure.curves').last();
      const lineAt = await figure.locator('.mark line').getAttribute('x1');
      expect(await figure.locator('.own circle').nth(1).getAttribute('cx')).toBe(lineAt);
      expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
    },
  );

  withChromium('has the attacks as a matrix of tasks and attacks, with what succeeded in each cell', async () => {
    const { page } = await openPage(report);
    const table = page.getByRole('region', { name: 'Attacks by agent and task: gullible' });
    expect(await table.locator('thead th').allTextContents()).toContain('a refund nobody asked for');
    const row = table.locator('tr', { hasText: 'a day in the workshop' });
    expect(await row.locator('td').allTextContents()).toEqual([
      'a day in the workshop',
      '–',
      '1/1',
      '1/1',
      '–',
      '1/1',
      '1/1',
    ]);
  });

  withChromium('has nothing that axe objects to in the dark, and fits a phone', async () => {
    const { page } = await openPage(report, { colorScheme: 'dark', viewport: { width: 360, height: 800 } });
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const hidden = `[...document.querySelectorAll('.scroll')].filter((one) => one.querySelector('.figures, .scenarios'))
      .map((one) => one.scrollWidth - one.clientWidth).filter((beyond) => beyond > 0)`;
    expect(await page.evaluate(hidden)).toEqual([]);
    await page.setViewportSize({ width: 800, height: 800 });
    expect(await page.evaluate(hidden)).toEqual([]);
  });
});
