import type { SuiteReport } from '../../types/reports/report.ts';
import { barReasons, gateTexts } from '../words/gate-texts.ts';
import { formatCount, formatDuration, formatSpeed, plural } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import { resultCounts } from '../result-kinds.ts';
import type { Role, TextStyle } from './text-style.ts';
import { hangPainted, hangText, joinParts, wrapText } from './wrap-text.ts';

/** Without `verbose`, at most so many reasons are shown, and the others counted. */
const MOST_REASONS = 20;

const TITLES: Readonly<Record<SuiteReport['gate']['verdict'], { readonly text: string; readonly role: Role }>> = {
  pass: { text: '✓ Gate passed', role: 'good' },
  fail: { text: '✗ Gate FAILED', role: 'bad' },
  insufficient: { text: '! Gate undecided: not enough evidence', role: 'warn' },
};

/** The gate's verdict with its reasons. */
export function gateLines({ gate, partial, summary }: SuiteReport, style: TextStyle): readonly string[] {
  const { text, role } = TITLES[gate.verdict];
  const lines: string[] = [];
  if (partial) {
    const { executed, deduplicated, requested } = summary.trials;
    // Results of suites have counts of their own.
    const covered =
      requested === 0 ? 'what had run' : `${formatCount(executed + deduplicated)} of ${plural(requested, 'trial')}`;
    const stopped = `Stopped early: numbers cover ${covered}.`;
    for (const line of wrapText(stopped, style.columns)) lines.push(style.paint('warn', line));
  }
  lines.push(style.paint(role, text));
  const reasons = barReasons(gate);
  const shown = style.verbose ? reasons : reasons.slice(0, MOST_REASONS);
  for (const reason of shown) lines.push(...hangText('  ', plainText(reason, 600), style.columns));
  const more = reasons.length - shown.length;
  if (more > 0) lines.push(`  … ${plural(more, 'reason')} more (--verbose)`);
  for (const { sign, word, role: color, text: gateText, reasons: texts, tells } of gateTexts(gate)) {
    const head = `  ${sign} ${word}  `;
    const blank = ' '.repeat(head.length);
    lines.push(...hangPainted(head, gateText, { role: color, style }));
    for (const line of texts) lines.push(...hangText(blank, line, style.columns));
    for (const line of hangText(blank, tells, style.columns)) if (tells !== '') lines.push(style.paint('dim', line));
  }
  return lines;
}

/** The seed, which gives the same run again, and how fast the run was. */
export function timingLines(report: SuiteReport, style: TextStyle): readonly string[] {
  const { seed, summary, timing } = report;
  // The count of scenarios does not hold trials of other results.
  const trials = resultCounts(report).length > 0 ? '' : `${plural(summary.trials.executed, 'trial')} in `;
  const parts = [`seed ${seed}`, `${trials}${formatDuration(timing.durationMs)}`];
  parts.push(timing.executor === 'inline' ? 'inline' : plural(timing.workers, 'worker'));
  if (timing.trialsPerSecond !== null) parts.push(`${formatSpeed(timing.trialsPerSecond)} trials/s`);
  return wrapText(joinParts(parts), style.columns).map((line) => style.paint('dim', line));
}
