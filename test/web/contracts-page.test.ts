import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { aContract, aContractReport, aFinanceContract, aSquareContract, aWideContract } from '../report/a-contract.ts';
import { aReport } from '../report/a-report.ts';
import { aHostileReport, HOSTILE } from '../report/report-cases.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

afterAll(closePages);

const withChromium = test.skipIf(noChromium);

const fitsTheWindow = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth');

/** Labels and texts of what a chosen cell rests on. */
async function evidenceOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const [names, values] = await Promise.all([
    page.locator('.evidence dt').allInnerTexts(),
    page.locator('.evidence dd').allInnerTexts(),
  ]);
  return Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
}

describe('contracts on the page (needs chromium)', () => {
  withChromium('have no place in a report without one', async () => {
    const { page } = await openPage(aReport());
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await page.getByText('Contracts passed').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Scenarios' }).count()).toBe(1);
  });

  withChromium('alone have no numbers of scenarios beside them', async () => {
    const { page } = await openPage(aContractReport(aFinanceContract()));
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Contract Finance Agent Contract ✗ failed',
    ]);
    expect(await page.locator('.tiles dt').allInnerTexts()).toEqual(['Contracts passed']);
  });

  withChromium('show the evidence of the first red cell at once, and of any other on a click', async () => {
    const { page, complaints, requests } = await openPage(aContractReport(aFinanceContract(1000)));
    expect(await page.locator('.evidence h3').textContent()).toBe('✗ failed always-cite-source under llm-degraded');
    expect(await evidenceOf(page)).toEqual({
      Rule: 'critical, regex',
      Fault: 'llm-degraded fault: 503 Service Unavailable, in calls of tools, fired 1,000 times',
      Trials: '250 of 1000 trials obeyed, 95 % interval [0.22, 0.28]',
      Prompt: 'What was the revenue of Acme in 2023?',
      Fired: 'llm truncated_response',
      Answer: 'Revenue was $4,200,000.00 last year.',
      Judged: 'no match of /(?i)(source|according to|reference)/',
    });
    expect(await page.locator('.replay code').textContent()).toContain('passk contract run contracts/finance.yaml');
    // What the signs of the matrix mean is said below it.
    expect(await page.getByText(/^✓ passed, ✗ failed, · not applicable/).count()).toBe(1);
    await page.getByRole('button', { name: 'never-fabricate-when-tools-fail under no-chaos: not applicable' }).click();
    expect(await page.locator('.evidence h3').textContent()).toBe(
      '· not applicable never-fabricate-when-tools-fail under no-chaos',
    );
    expect(await evidenceOf(page)).toEqual({
      Rule: 'critical, regex',
      Why: 'judged only where tools fail',
    });
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  withChromium('show of a green cell a prompt with its answer, and of an empty answer that it is empty', async () => {
    const contract = aContract({ cells: ['pp', 'pf'], evidence: { answer: '' } });
    const example = {
      prompt: 'What does the mug cost?',
      trial: 0,
      answer: 'It costs $4.',
      fired: ['chaos-1 fault'],
      replay: 'passk trace contracts/finance.yaml --trial 0 --seed 0',
    };
    const cells = contract.cells.map((cell, at) => (at === 1 ? { ...cell, example } : cell));
    const { page } = await openPage(aContractReport({ ...contract, cells }));
    expect((await evidenceOf(page))['Answer']).toBe('empty: it has no text');
    await page.getByRole('button', { name: 'rule-1 under chaos-1: passed' }).click();
    expect(await evidenceOf(page)).toEqual({
      Rule: 'medium, regex',
      Fault: 'chaos-1 fault: 503 Service Unavailable, in calls of tools, fired once',
      Prompt: 'What does the mug cost?',
      Fired: 'chaos-1 fault (503 Service Unavailable)',
      Answer: 'It costs $4.',
      Judged: 'obeyed',
    });
    expect(await page.locator('.replay code').textContent()).toBe(example.replay);
  });

  withChromium('say why they failed where their matrix is, once', async () => {
    const { page } = await openPage(aContractReport(aFinanceContract()));
    expect(await page.getByText('A critical invariant was not obeyed.').count()).toBe(1);
    expect(await page.locator('section.card').getByText('A critical invariant was not obeyed.').count()).toBe(1);
  });

  withChromium('are one stop of the tab key, and arrows move between their cells', async () => {
    const { page } = await openPage(aContractReport(aSquareContract()));
    expect(await page.locator('.cell[tabindex="0"]').count()).toBe(1);
    await page.locator('.cell[tabindex="0"]').focus();
    const focused = (): Promise<string> => page.evaluate('document.activeElement.querySelector(".unseen").textContent');
    const walk: string[] = [await focused()];
    for (const key of ['ArrowDown', 'ArrowRight', 'Home', 'ArrowLeft', 'End', 'ArrowUp']) {
      await page.keyboard.press(key);
      walk.push((await focused()).replace(/:.*/, ''));
    }
    expect(walk).toEqual([
      'rule-4-cites-source under llm-rate-limited: failed, 5 of 20 struck trials obeyed',
      'rule-5-no-invented-prices under llm-rate-limited',
      'rule-5-no-invented-prices under json-drift',
      'rule-5-no-invented-prices under no-chaos',
      'rule-5-no-invented-prices under no-chaos',
      'rule-5-no-invented-prices under everything-at-once-and-slowly',
      'rule-4-cites-source under everything-at-once-and-slowly',
    ]);
    await page.keyboard.press('Enter');
    expect(await page.locator('.evidence h3').textContent()).toBe(
      '✓ passed rule-4-cites-source under everything-at-once-and-slowly',
    );
  });

  withChromium('tell their states apart by signs, not by colour alone', async () => {
    const { page } = await openPage(aContractReport(aContract({ cells: ['pfnib'] })));
    const shown = await page.locator('.cell [aria-hidden]').allInnerTexts();
    expect(shown.map((text) => text.split(/\s+/))).toEqual([['✓', '1/1'], ['✗', '0/1'], ['·'], ['?'], ['!']]);
  });

  withChromium('of forty columns scroll inside their box with the names of invariants in sight', async () => {
    const { page } = await openPage(aContractReport(aWideContract()));
    expect(await fitsTheWindow(page)).toBe(true);
    const numbers = (): Promise<{ readonly wider: boolean; readonly scrolled: boolean; readonly nameAt: number }> =>
      page.evaluate(`(() => {
        const box = document.querySelector('.scroll');
        const name = document.querySelector('.matrix tbody th');
        return {
          wider: box.scrollWidth > box.clientWidth,
          scrolled: box.scrollLeft > 0,
          nameAt: Math.round(name.getBoundingClientRect().left - box.getBoundingClientRect().left),
        };
      })()`);
    expect(await numbers()).toEqual({ wider: true, scrolled: false, nameAt: 0 });
    await page.getByRole('button', { name: 'cites-source under chaos-39' }).focus();
    expect(await numbers()).toEqual({ wider: true, scrolled: true, nameAt: 0 });
  });

  withChromium('in which nothing is red are folded away where there are many', async () => {
    const calm = (name: string): ReturnType<typeof aContract> => aContract({ cells: ['pp'] }, { name });
    const { page } = await openPage(aContractReport(calm('a'), calm('b'), calm('c'), aWideContract()));
    expect(await page.locator('details.card').count()).toBe(3);
    expect(await page.locator('details.card[open]').count()).toBe(0);
    expect(await page.locator('section.card .matrix').count()).toBe(1);
  });

  withChromium.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('leave axe nothing to find fault with in the %s theme, %i pixels wide', async (colorScheme, width) => {
    const contracts = [aFinanceContract(1000), aSquareContract(), aWideContract()];
    const { page } = await openPage(aContractReport(...contracts), { colorScheme, viewport: { width, height: 900 } });
    expect(await axeViolations(page)).toEqual([]);
    expect(await fitsTheWindow(page)).toBe(true);
  });

  withChromium('keep hostile text as text in every cell', async () => {
    const { page, complaints, requests } = await openPage(aHostileReport(HOSTILE), {
      viewport: { width: 360, height: 900 },
    });
    const cells = await page.locator('.cell').all();
    expect(cells).toHaveLength(6);
    for (const cell of cells) {
      await cell.click();
      expect(await page.locator('.evidence h3').textContent()).toContain('</failure>]]>&amp;<img src=x');
      expect(await page.locator('img, iframe, object, a[href^="http"]').count()).toBe(0);
    }
    expect(await fitsTheWindow(page)).toBe(true);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });
});
