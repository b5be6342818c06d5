import type { FailureReport } from '../types/report.ts';
import { commandLines } from './command-lines.ts';
import { formatCount } from './format-number.ts';
import { plainText } from './plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

const INDENT = '    ';
const LONGEST = 600;
/** Steps of a long walk that are kept at its start and at its end. */
const KEPT_STEPS = 12;
const NOT_AGAIN = 'Asked live and not recorded, so it cannot be run again; with --record FILE it could.';

/** One trial: where it went, how it ended, why, and the command that shows it step by step. */
export function failedTrialLines(failure: FailureReport, style: TextStyle): readonly string[] {
  const row = (label: string, text: string): readonly string[] =>
    hangText(`${INDENT}${label.padEnd(6)}  `, text, style.columns);
  const lines: string[] = [];
  if (failure.brokenBy !== null) lines.push(...row('cause', plainText(failure.brokenBy, LONGEST)));
  if (failure.path.length > 0) lines.push(...row('walked', walkText(failure.path, style.verbose)));
  if (failure.status !== null) lines.push(...row('ended', failure.status));
  if (failure.reason !== null) lines.push(...row('reason', plainText(failure.reason, LONGEST)));
  if (failure.replay === null) return [...lines, ...row('show', NOT_AGAIN)];
  return [...lines, ...showLines(failure.replay, style)];
}

/** The command that shows a trial. */
export function showLines(command: string, style: TextStyle): readonly string[] {
  return commandLines(`${INDENT}show    `, plainText(command), style);
}

function walkText(path: readonly string[], verbose: boolean): string {
  const names = (part: readonly string[]): readonly string[] => part.map((name) => plainText(name, 80));
  if (verbose || path.length <= 2 * KEPT_STEPS + 1) return names(path).join(' → ');
  const skipped = `… ${formatCount(path.length - 2 * KEPT_STEPS)} more …`;
  return [...names(path.slice(0, KEPT_STEPS)), skipped, ...names(path.slice(-KEPT_STEPS))].join(' → ');
}
