import { describe, expect, test } from 'vitest';
import { renderHtml, DATA_MARK } from '../../src/report/render-html.ts';
import type { HtmlReport } from '../../src/report/html-model.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderText } from '../../src/report/render-text.ts';
import type { SuiteReport } from '../../src/types/report.ts';
import { aHostileReport, HOSTILE, REPORT_CASES } from './report-cases.ts';

const options = { columns: 100, color: false, unicode: true, verbose: false, quiet: false, timing: true };

function liveReport(cassette?: SuiteReport['timing']['cassette']): SuiteReport {
  const report = REPORT_CASES['live'];
  if (report === undefined) throw new Error('The case is missing.');
  return { ...report, timing: { ...report.timing, ...(cassette !== undefined && { cassette }) } };
}

function pageData(report: SuiteReport): HtmlReport {
  return JSON.parse(renderHtml(report, DATA_MARK)) as HtmlReport;
}

describe('calls to real models', () => {
  test('are shown to people with what is unknown of them', () => {
    expect(pageData(liveReport()).live).toMatchInlineSnapshot(`
      {
        "columns": [
          "calls",
          "retries",
          "no answer",
          "prompt tokens",
          "cached",
          "completion tokens",
          "reasoning",
          "not told",
          "cost",
        ],
        "headline": [
          "2,480 calls",
          "257,000 tokens",
          "$0.02",
        ],
        "moreRows": 0,
        "notes": [
          "The budget was used up, so the run was stopped before its end.",
          "The provider did not tell the tokens of 2 requests: all sums lack them.",
          "The cost lacks 1 row whose model has no price.",
          "Trials of real models are not repeatable: the same command gets other answers.",
        ],
        "rows": [
          [
            "llm-route",
            "openai llm-route as llm-route",
            [
              "1,240",
              "3",
              "1",
              "120,400",
              "64,000",
              "8,100",
              "2,048",
              "2",
              "$0.02",
            ],
          ],
          [
            "llm-route",
            "openai-compatible llm-route as llm-route",
            [
              "1,240",
              "3",
              "1",
              "120,400",
              "64,000",
              "8,100",
              "2,048",
              "0",
              "unknown",
            ],
          ],
        ],
      }
    `);
  });

  test('are not repeatable, and every report for people says so', () => {
    const sentence = 'Trials of real models are not repeatable: the same command gets other answers.';
    const texts = [renderText(liveReport(), options), renderMarkdown(liveReport(), options)];
    for (const text of texts) expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence);
    expect(pageData(liveReport()).live?.notes).toContain(sentence);
  });

  test('that were recorded name the cassette, and those from one say so; without clocks neither does', () => {
    const notes = (mode: 'record' | 'replay'): string | undefined =>
      pageData(liveReport({ mode, name: 'run.cassette' })).live?.notes.at(-1);
    expect([notes('record'), notes('replay')]).toMatchInlineSnapshot(`
      [
        "Trials of real models are not repeatable: the same command gets other answers. These are in the cassette run.cassette, for --replay.",
        "All answers are from the cassette run.cassette; calls and costs are those of its recording.",
      ]
    `);
    const cassette = { mode: 'record', name: 'run.cassette' } as const;
    expect(renderMarkdown(liveReport(cassette), { ...options, timing: false })).not.toContain('run.cassette');
  });

  test('hold no text that acts, whatever a model is called', () => {
    const { live } = pageData(aHostileReport(HOSTILE));
    expect(JSON.stringify(live)).not.toMatch(/\\u001b|\\n|\\u202e/);
    expect(live?.rows.length).toBe(2);
  });

  test('beyond the most that are shown are counted', () => {
    const report = liveReport();
    const [model] = report.live?.models ?? [];
    if (model === undefined || report.live === undefined) throw new Error('The case has no model.');
    const many = { ...report, live: { ...report.live, models: Array.from({ length: 300 }, () => model) } };
    expect([pageData(many).live?.rows.length, pageData(many).live?.moreRows]).toEqual([200, 100]);
    expect(renderMarkdown(many, options)).toContain('… 250 rows more.');
  });
});
