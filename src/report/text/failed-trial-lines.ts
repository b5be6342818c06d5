import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { commandLines } from './command-lines.ts';
import { endingText } from '../words/ending-text.ts';
import { formatCount } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

const INDENT = '    ';
const LONGEST = 600;
/** Steps of a long walk that are shown at its start, and as many at its end. */
const END_STEPS = 12;
const NOT_REPEATABLE =
  'Asked live, or functions of a program, and not recorded, so it cannot be run again; with --record FILE it could.';

/** One trial: its walk, how it ended, why, and the command that shows it step by step. */
export function failedTrialLines(failure: FailureReport, style: TextStyle): readonly string[] {
  const row = (label: string, text: string): readonly string[] => labelled(label, text, style);
  const lines: string[] = [];
  if (failure.brokenBy !== null) lines.push(...causeLines(failure.brokenBy, style));
  if (failure.path.length > 0) lines.push(...row('walked', walkText(failure.path, style.verbose)));
  const ending = endingText(failure);
  if (ending !== null) lines.push(...row('ended', ending));
  if (failure.reason !== null) lines.push(...row('reason', plainText(failure.reason, LONGEST)));
  if (failure.traceContext !== undefined) lines.push(...row('trace', failure.traceContext.trace));
  if (failure.replay === null) return [...lines, ...row('show', NOT_REPEATABLE)];
  return [...lines, ...showLines(failure.replay, style)];
}

/** Why the harness failed. */
export function causeLines(cause: string, style: TextStyle): readonly string[] {
  return labelled('cause', plainText(cause, LONGEST), style);
}

function labelled(label: string, text: string, { columns }: TextStyle): readonly string[] {
  return hangText(`${INDENT}${label.padEnd(6)}  `, text, columns);
}

/** The command, or call, that shows a trial. */
export function showLines(command: string, style: TextStyle): readonly string[] {
  const first = `${INDENT}show    `;
  // A call is no command: a shell's backslash at the end of a line would break it.
  return command.startsWith('traceTrial(')
    ? hangText(first, plainText(command), style.columns)
    : commandLines(first, plainText(command), style);
}

function walkText(path: readonly string[], verbose: boolean): string {
  const names = (part: readonly string[]): readonly string[] => part.map((name) => plainText(name, 80));
  if (verbose || path.length <= 2 * END_STEPS + 1) return names(path).join(' → ');
  const skipped = `… ${formatCount(path.length - 2 * END_STEPS)} more …`;
  return [...names(path.slice(0, END_STEPS)), skipped, ...names(path.slice(-END_STEPS))].join(' → ');
}
