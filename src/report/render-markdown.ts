import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { finishedText } from './ascii-text.ts';
import { overallParts } from './words/contract-texts.ts';
import { failurePlace } from './text/failure-lines.ts';
import { failureText } from './words/failure-text.ts';
import { fitBlocks } from './text/fit-blocks.ts';
import { formatCount, formatDuration, plural } from '../text/format-number.ts';
import { gateTexts, barReasons } from './words/gate-texts.ts';
import { givenUpTexts, otherNotices } from './words/given-up-texts.ts';
import { codeBlock, codeHtml, details } from './markdown-text.ts';
import { noticeLines } from './text/notice-lines.ts';
import { plainName, plainText } from './plain-text.ts';
import { reportedSections, reportedTables, resultCounts } from './result-kinds.ts';
import { sectionBlocks } from './sections/markdown-sections.ts';
import { panelBlocks } from './sections/markdown-panels.ts';
import { leadPanels, reportPanels } from './sections/report-panels.ts';
import { tableBlocks } from './sections/markdown-table.ts';
import { isTrouble, type ScenarioOutcome, scenarioOutcomes } from './words/scenario-outcome.ts';
import { fileStyle } from './text/text-style.ts';

/** What GitHub takes as the summary of a step. */
const MOST_BYTES = 1024 * 1024;
/** Without `verbose`, at most so many are shown, and the others counted. */
const MOST = { failures: 50, reasons: 20 } as const;
const LONGEST_NAME = 120;

/**
 * Markdown for step summaries, comments and chats: the verdict, a table of scenarios, failures folded. Texts of files, models
 * and tools stand in code, where they are no markup, link or mention.
 */
export function renderMarkdown(report: SuiteReport, options: RenderOptions): string {
  const outcomes = scenarioOutcomes(report);
  const blocks = [
    ...verdictBlocks(report, options),
    ...panelBlocks(leadPanels(report), options),
    ...(options.quiet ? [] : reportedTables(report, options.verbose).flatMap(tableBlocks)),
    ...failureBlocks(outcomes, options),
    ...sectionBlocks(reportedSections(report), options),
    ...panelBlocks(reportPanels(report, options), options),
    ...(options.quiet ? [] : noticeBlocks(report, options)),
  ];
  const text = fitBlocks(
    blocks,
    Math.min(MOST_BYTES, options.maxBytes ?? MOST_BYTES),
    (left) => `\n_The rest (${plural(left, 'part')}) is left out: the report would be longer than its reader takes._\n`,
  );
  return finishedText(text, options.unicode);
}

const TITLES = {
  pass: '✓ passk: gate passed',
  fail: '✗ passk: gate failed',
  insufficient: '! passk: gate undecided, not enough evidence',
} as const;

function verdictBlocks(report: SuiteReport, { quiet, verbose, timing }: RenderOptions): readonly string[] {
  const { gate, summary, seed, partial } = report;
  const { trials } = summary;
  const results = resultCounts(report);
  // A release has no score.
  const overall = report.release === undefined ? overallParts(report) : [];
  const allReasons = barReasons(gate);
  const shown = verbose ? allReasons : allReasons.slice(0, MOST.reasons);
  const reasons = shown.map((reason) => plainText(reason, 600));
  const more = allReasons.length - shown.length;
  if (more > 0) reasons.push(`… ${plural(more, 'reason')} more`);
  const gates = gateTexts(gate).flatMap(({ sign, word, text, reasons: texts, tells }) => [
    `${sign} ${word}  ${text}`,
    ...[...texts, tells].filter((line) => line !== '').map((line) => `        ${line}`),
  ]);
  const hasScenarios = summary.scenarios > 0 || results.length === 0;
  // One may be about a misspelt key.
  const hidden = quiet ? otherNotices(report).length : 0;
  const facts = [
    ...results.map(({ plural: kind, parts }) => `**${kind}: ${parts.join(', ')}**`),
    ...(overall.length === 0 ? [] : [`overall ${overall.join(', ')}`]),
    ...(hasScenarios
      ? [
          `**${formatCount(summary.passed)} of ${plural(summary.scenarios, 'scenario')} passed**`,
          `${formatCount(trials.passed)} of ${plural(trials.passed + trials.failed + trials.broken, 'trial')} passed`,
        ]
      : []),
    ...(trials.broken > 0 ? [`${formatCount(trials.broken)} broken`] : []),
    ...(partial ? [`stopped early, ${formatCount(trials.requested)} trials were asked for`] : []),
    ...(hasScenarios && summary.total.llmTokens !== null ? [plural(summary.total.llmTokens, 'token')] : []),
    `seed ${seed}`,
    ...(timing ? [formatDuration(report.timing.durationMs)] : []),
    ...(hidden === 0 ? [] : [`${plural(hidden, 'notice')}, shown without --quiet`]),
  ];
  return [
    `## ${TITLES[gate.verdict]}\n`,
    `\n${facts.join(' · ')}\n`,
    ...givenUpTexts(report).map((text) => `\n${codeBlock(`! ${text}`)}`),
    ...(reasons.length === 0 ? [] : [`\n${codeBlock(reasons.join('\n'))}`]),
    ...(gates.length === 0 ? [] : [`\n${codeBlock(gates.join('\n'))}`]),
  ];
}

function failureBlocks(outcomes: readonly ScenarioOutcome[], options: RenderOptions): readonly string[] {
  const trouble = outcomes.filter(isTrouble);
  const shown = options.verbose ? trouble : trouble.slice(0, MOST.failures);
  const more = trouble.length - shown.length;
  return [
    ...shown.map(({ scenario, counts }) => {
      const name = codeHtml(plainName(scenario.name, LONGEST_NAME));
      return details(`${name}: ${counts}`, `${failurePlace(scenario)}\n${failureText(scenario, options)}`);
    }),
    ...(more > 0 ? [`\n… ${plural(more, 'more failing scenario')}.\n`] : []),
  ];
}

function noticeBlocks(report: SuiteReport, options: RenderOptions): readonly string[] {
  const notices = otherNotices(report);
  if (notices.length === 0) return [];
  const [, ...lines] = noticeLines(notices, fileStyle(options));
  return [details(plural(notices.length, 'notice'), lines.join('\n'))];
}
