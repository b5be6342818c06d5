import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { finishedText } from './ascii-text.ts';
import { failureLines } from './failure-lines.ts';
import { panelLines } from './sections/panel-lines.ts';
import { reportPanels } from './sections/report-panels.ts';
import { givenUpTexts, otherNotices } from './given-up-texts.ts';
import { noticeLines } from './notice-lines.ts';
import { reportedSections, reportedTables } from './result-kinds.ts';
import { tableLines } from './sections/table-lines.ts';
import { sectionLines } from './sections/text-sections.ts';
import { summaryLines } from './summary-lines.ts';
import { textStyle } from './text-style.ts';
import { trendLines } from './trend-lines.ts';
import { gateLines, timingLines } from './verdict-lines.ts';
import { PLAIN_OPTIONS } from './plain-options.ts';
import { hangText } from './wrap-text.ts';

/** The report for people: a line per scenario, failures in full, the suite in numbers, the gate's verdict last. */
export function renderText(report: SuiteReport, options: Partial<RenderOptions> = {}): string {
  const filled = { ...PLAIN_OPTIONS, ...options };
  const style = textStyle(filled);
  const panels = reportPanels(report, filled);
  const results = sectionLines(reportedSections(report), filled.quiet, style);
  const givenUp = givenUpTexts(report)
    .flatMap((text) => hangText('! ', text, style.columns))
    .map((line) => style.paint('warn', line));
  const sections = filled.quiet
    ? [
        givenUp,
        failureLines(report.scenarios, style),
        results,
        ...panels.filter(({ isTrouble }) => isTrouble).map((panel) => panelLines(panel, style)),
        gateLines(report, style),
        timingLines(report, style),
      ]
    : [
        givenUp,
        ...reportedTables(report, filled.verbose).map((table) => tableLines(table, style)),
        failureLines(report.scenarios, style),
        results,
        trendLines(filled.trends ?? [], style),
        noticeLines(otherNotices(report), style),
        summaryLines(report, style),
        ...panels.map((panel) => panelLines(panel, style)),
        gateLines(report, style),
        timingLines(report, style),
      ];
  const text = joinSections(sections);
  return finishedText(text, filled.unicode);
}

/** Sections with one empty line between them. */
function joinSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.map((lines) => lines.join('\n').replace(/^\n+/, '')).filter((text) => text !== '');
  return `${texts.join('\n\n')}\n`;
}
