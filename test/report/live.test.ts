import { describe, expect, test } from 'vitest';
import { renderHtml, DATA_MARK } from '../../src/report/html/render-html.ts';
import type { HtmlFigures, HtmlPanel, HtmlReport } from '../../src/report/html/html-model.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderText } from '../../src/report/text/render-text.ts';
import type { LiveReport } from '../../src/types/reports/live-report.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aHostileReport, HOSTILE, REPORT_CASES } from './report-cases.ts';

const options = { columns: 100, color: false, unicode: true, verbose: false, quiet: false, timing: true };

function liveReport(cassette?: SuiteReport['timing']['cassette']): SuiteReport {
  const report = REPORT_CASES['live'];
  if (report === undefined) throw new Error('The case is missing.');
  return { ...report, timing: { ...report.timing, ...(cassette !== undefined && { cassette }) } };
}

/** What the page shows of the calls. */
function panelOf(report: SuiteReport): HtmlPanel {
  const { panels } = JSON.parse(renderHtml(report, DATA_MARK)) as HtmlReport;
  const panel = panels.find(({ title }) => title === 'Live models');
  if (panel === undefined) throw new Error('The page has no panel of live models.');
  return panel;
}

function notesOf(report: SuiteReport): readonly string[] {
  return panelOf(report).blocks.flatMap((block) => (block.type === 'notes' ? block.sentences : []));
}

function figuresOf(report: SuiteReport): HtmlFigures {
  const figures = panelOf(report).blocks.find((block) => block.type === 'figures');
  if (figures === undefined) throw new Error('The panel has no figures.');
  return figures;
}

describe('calls to real models', () => {
  test('are not shown as free where no provider tells what they took', () => {
    const live = liveReport().live as LiveReport;
    const silent = { calls: 2, promptTokens: 0, completionTokens: 0, costUsd: 0, unknownUsage: 2 };
    const models = live.models.slice(0, 1).map((model) => ({ ...model, ...silent }));
    const report = { ...liveReport(), live: { ...live, models, costUsd: 0, unknownUsage: 2 } };
    expect(panelOf(report).headline).toEqual(['2 calls', 'tokens not told', 'cost not told']);
    expect(renderText(report, options)).toMatch(/2 calls · tokens not told · .*cost not told/);
  });

  test('are shown to people with what is unknown of them', () => {
    expect(panelOf(liveReport())).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "sentences": [
              "The budget was used up, so the run was stopped before its end.",
              "The provider did not tell the tokens of 2 requests: all sums lack them.",
              "The cost lacks 1 row whose model has no price.",
            ],
            "tone": "noticed",
            "type": "notes",
          },
          {
            "corners": [
              "scenario",
              "model",
            ],
            "headers": [
              "calls",
              "reused",
              "retries",
              "no answer",
              "prompt tokens",
              "cached",
              "completion tokens",
              "reasoning",
              "not told",
              "cost",
            ],
            "more": 0,
            "rows": [
              [
                "llm-route",
                "openai llm-route as llm-route",
                [
                  "1,240",
                  "0",
                  "3",
                  "1",
                  "120,400",
                  "64,000",
                  "8,100",
                  "2,048",
                  "2",
                  "at least $0.023",
                ],
              ],
              [
                "llm-route",
                "openai-compatible llm-route as llm-route",
                [
                  "1,240",
                  "0",
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
            "type": "figures",
          },
          {
            "sentences": [
              "Trials of real models are not repeatable: the same command gets other answers.",
            ],
            "tone": "plain",
            "type": "notes",
          },
        ],
        "headline": [
          "2,480 calls",
          "at least 257,000 tokens",
          "at least $0.023",
        ],
        "mark": null,
        "title": "Live models",
      }
    `);
  });

  test('of a model that many scenarios asked are summed up, and listed by scenario in tables alone', () => {
    const live = liveReport().live as LiveReport;
    const [model] = live.models as [LiveReport['models'][number]];
    const models = ['a', 'b', 'c', 'd'].map((scenario) => ({ ...model, scenario, unknownUsage: 0, costUsd: 0.25 }));
    const report = { ...liveReport(), live: { ...live, models, costUsd: 1, unknownUsage: 0 } };
    const names = figuresOf(report).rows.map(([name]) => name);
    expect(names).toEqual(['4 scenarios', 'a', 'b', 'c', 'd']);
    const sum =
      '4 scenarios: openai llm-route as llm-route · 4,960 calls · 481,600 + 32,400 tokens · 256,000 cached · ' +
      '8,192 of reasoning · 12 retries · 4 without an answer · $1.00';
    const textOf = (verbose: boolean): string => renderText(report, { ...options, verbose }).replaceAll(/\s+/g, ' ');
    const text = textOf(false);
    expect(text).toContain(sum);
    expect(text).not.toContain(' a: openai');
    const verbose = textOf(true);
    expect(verbose).toContain(sum);
    expect(verbose).toContain(' a: openai llm-route as llm-route · 1,240 calls');
    const few = { ...report, live: { ...report.live, models: models.slice(1) } };
    expect(figuresOf(few).rows.map(([name]) => name)).toEqual(['b', 'c', 'd']);
  });

  test('are not repeatable, and every report for people says so', () => {
    const sentence = 'Trials of real models are not repeatable: the same command gets other answers.';
    const texts = [renderText(liveReport(), options), renderMarkdown(liveReport(), options)];
    for (const text of texts) expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence);
    expect(notesOf(liveReport())).toContain(sentence);
  });

  test('are repeatable where all answers are from the cache', () => {
    const report = liveReport();
    const models = report.live?.models.map((model) => ({ ...model, calls: 0, reused: 3 })) ?? [];
    const reused = report.live === undefined ? report : { ...report, live: { ...report.live, models } };
    expect(notesOf(reused).at(-1)).toBe('All answers are from the cache: the same command gets them again.');
  });

  test('that were recorded name the cassette, and those from one say so; without clocks neither does', () => {
    const notes = (mode: 'record' | 'replay'): string | undefined =>
      notesOf(liveReport({ mode, name: 'run.cassette' })).at(-1);
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
    const report = aHostileReport(HOSTILE);
    expect(JSON.stringify(panelOf(report))).not.toMatch(/\\u001b|\\n|\\u202e/);
    expect(figuresOf(report).rows.length).toBe(2);
  });

  test('beyond the most that are shown are counted', () => {
    const report = liveReport();
    const [model] = report.live?.models ?? [];
    if (model === undefined || report.live === undefined) throw new Error('The case has no model.');
    const many = { ...report, live: { ...report.live, models: Array.from({ length: 300 }, () => model) } };
    expect([figuresOf(many).rows.length, figuresOf(many).more]).toEqual([200, 101]);
    expect(renderMarkdown(many, options)).toContain('… 251 rows more.');
  });
});
