import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { calibrateJudge, runSuite, type SuiteReport } from '../../src/index.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderText } from '../../src/report/text/render-text.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { askedOf, verdict } from '../judges/a-judge.ts';
import { inFolder } from '../suite/contract-runs.ts';
import { axeViolations, closePages, noChromium, openPage } from './open-page.ts';

afterAll(closePages);

const SHOP = `name = "shop"
trials = 10
min_pass_rate = 0.5
[session]
[state]
[[tools]]
name = "look"
steps = []
[[tasks]]
name = "ask"
user = { opening = "Is it in stock?" }
agents = [{ name = "a", turns = [{ says = "Kindly: yes 9." }] }]
[tasks.expected]
judges = ["kindness"]
`;

/** A judge that is as sure of an answer as the last digit in it says, asked five times; people pass from 6 on, and one of two below. */
async function aJudgedRun(): Promise<SuiteReport> {
  const judge = { name: 'kindness', models: ['m'], repeats: 5, criteria: [{ id: 'kind', text: 'It is kind.' }] };
  const asked = new Map<string, number>();
  const m = (request: Parameters<typeof askedOf>[0]) => {
    const found = askedOf(request);
    const repeat = asked.get(found.record) ?? 0;
    asked.set(found.record, repeat + 1);
    const digit = Number(/(?:yes|no) \d*(\d)\./.exec(found.record)?.[1] ?? 0);
    return { content: verdict(found, () => (repeat % 5) * 2 < digit) };
  };
  return inFolder({ 'shop.toml': SHOP }, async (cwd) => {
    const rows = Array.from({ length: 120 }, (_, at) => {
      const human = at % 10 >= 6 || at % 20 >= 12 ? 'pass' : 'fail';
      return JSON.stringify({ id: `r${at}`, human, response: `${human === 'pass' ? 'Kindly: yes' : 'Go: no'} ${at}.` });
    });
    writeFileSync(path.join(cwd, 'labels.jsonl'), rows.join('\n'));
    const about = { cwd, judge: 'kindness', judges: [judge], models: { m } };
    const calibration = await calibrateJudge({ ...about, labels: ['labels.jsonl'], ask: {} });
    expect(calibration.reliability?.map(({ from, items }) => [from, items])).toEqual([
      [0, 12],
      [0.2, 24],
      [0.4, 24],
      [0.6, 24],
      [0.8, 24],
      [0.9, 12],
    ]);
    writeFileSync(path.join(cwd, 'kindness.json'), JSON.stringify(calibration));
    const judges = [{ ...judge, calibration: 'kindness.json' }];
    return runSuite({ cwd, paths: ['shop.toml'], workers: 0, judges, models: { m } });
  });
}

test.skipIf(noChromium)(
  'the page shows why a judge may not decide, its calibration, its probes and how far it can be believed',
  async () => {
    const report = await aJudgedRun();
    const { page, complaints } = await openPage(report);
    const panel = page.locator('section[aria-labelledby="panel-judges"]');
    await panel.getByText('may not decide:').waitFor();
    expect(await panel.locator('th[scope="col"]').allTextContents()).toEqual(
      expect.arrayContaining(['Standing', 'Calibration', 'Probe', 'people passed']),
    );
    // Six bins, each a point with its interval, and as many rows below.
    expect(await panel.locator('.reliability .point').count()).toBe(6);
    expect(await panel.getByText('0.8 to 0.9 sure').count()).toBe(1);
    expect(await panel.locator('figcaption').textContent()).toContain('kindness on shop: ask: 120 labels.');
    expect([complaints, await axeViolations(page)]).toEqual([[], []]);
    await page.setViewportSize({ width: 360, height: 800 });
    // The browser lays the page out again in its own time.
    const sides = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate<number>(sides)).toBe(0);
    // What is said of a judge has the width of its table.
    const said = await panel.locator('.below').first().boundingBox();
    expect(said?.width).toBeGreaterThan(200);

    // Text says in lines what others have tables for.
    expect(renderText(report).replace(/\s+/g, ' ')).toMatch(
      /reliability [·─│█]+ of 24 of which it was 0\.8 to 0\.9 sure people passed/,
    );
    const markdown = renderMarkdown(report, PLAIN_OPTIONS);
    expect(markdown).toContain('| `kindness` | `0.8 to 0.9 sure` | 24 |');
    expect(markdown).toContain('may not decide:');
  },
);
