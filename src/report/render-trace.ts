import type { RenderOptions } from '../types/render-options.ts';
import type { TrialRecord } from '../types/record.ts';
import type { Scenario } from '../types/scenario.ts';
import type { Trace, TraceEvent } from '../types/trace.ts';
import type { Outcome, TrialResult, Verdict } from '../types/trial.ts';
import { finishedText } from './ascii-text.ts';
import { findingLines } from './text/finding-lines.ts';
import { formatCount, formatDuration, plural } from '../text/format-number.ts';
import { plainText } from './plain-text.ts';
import { recordFacts, recordRows } from './record-rows.ts';
import { spacedJson } from './spaced-json.ts';
import { type Role, type TextStyle, textStyle } from './text/text-style.ts';
import { depthOf, endText, inWalkOrder, traceRows, valueText } from './trace-rows.ts';
import { hangText } from './text/wrap-text.ts';

/** One trial and everything that happened in it. */
export interface TracedTrial {
  /** The scenario of the trial. */
  readonly scenario: Pick<Scenario, 'name'>;
  /** How the trial ended. */
  readonly result: TrialResult;
  /** Null: the subject is no workflow. */
  readonly trace: Trace | null;
  /** The record of the trial. */
  readonly record: TrialRecord;
}

/** Characters of values and prompts that are shown, unless `verbose`: `--json` has all of them. */
const LONGEST = 400;
const LABEL = 10;
const VERDICT_ROLES: Readonly<Record<Verdict, Role>> = { passed: 'good', failed: 'bad', broken: 'warn' };

/** Visits that are shown, unless `verbose`. */
const MOST_VISITS = 2000;

/** One trial for people: each visit with what it read, asked, got and gave, then how it ended and what failed. */
export function renderTrace(trial: TracedTrial, options: Partial<RenderOptions> = {}): string {
  return `${[...traceLines(trial, options)].join('\n')}\n`;
}

/**
 * The same line by line: the text of a trial with a million visits could be too long for one string. Unless `verbose`,
 * visits after the first 2,000 are counted and not shown.
 */
export function traceLines(trial: TracedTrial, options: Partial<RenderOptions> = {}): Iterable<string> {
  return linesOf(trial, options);
}

function* linesOf(
  { scenario, result, trace, record }: TracedTrial,
  options: Partial<RenderOptions>,
): Generator<string> {
  const { unicode = true, columns = 80, color = false, verbose = false } = options;
  const style = textStyle({ columns, color, verbose, unicode, quiet: false, timing: false });
  const finished = (line: string): string => finishedText(line, unicode);
  const head = `${plainText(scenario.name)}, trial ${formatCount(result.trial)}: `;
  yield finished(`${style.paint('strong', head)}${style.paint(VERDICT_ROLES[result.verdict], result.verdict)}`);
  const lines = trace === null ? recordLines(record, style) : walkLines(trace, style);
  for (const line of lines) yield finished(line);
  yield* verdictLines(result, style).map(finished);
}

function* walkLines(trace: Trace, style: TextStyle): Generator<string> {
  const { verbose } = style;
  const clock = clockOf(trace);
  const most = verbose ? Number.POSITIVE_INFINITY : MOST_VISITS;
  let visits = 0;
  for (const event of inWalkOrder(trace.events)) {
    const isEnd = event.kind === 'end' && event.walk === '';
    if (event.kind === 'visit') visits++;
    if (isEnd && visits > most) yield* ['', `  ${moreText(visits - most)}`];
    if (isEnd || visits <= most) yield* eventLines(event, clock, style);
  }
}

function recordLines(record: TrialRecord, style: TextStyle): readonly string[] {
  const { ending } = record;
  const rows = recordRows(record).flatMap(({ label, text, role }) =>
    rowLines('  ', label, text, role === undefined ? style : { ...style, role }),
  );
  if (ending.status === 'broken') return rows.length === 0 ? [] : ['', ...rows];
  return [
    '',
    ...rows,
    '',
    ...rowLines('  ', 'ended', ending.reason === null ? ending.status : `${ending.status}: ${ending.reason}`, style),
    ...rowLines('  ', 'answers', recordFacts(record).join(' · '), style),
  ];
}

function moreText(visits: number): string {
  return `… ${plural(visits, 'more visit')}, not shown: --verbose shows all of them, and --json everything.`;
}

/** The words for time: it is real where anything real answered. */
function clockOf({ events }: Trace): string {
  const isReal = events.some(
    (event) => event.kind === 'reply' && (event.source === 'effect' || event.source === 'host'),
  );
  return isReal ? 'in all' : 'of virtual time';
}

function eventLines(event: TraceEvent, clock: string, style: TextStyle): readonly string[] {
  if (event.kind === 'end' && event.walk === '') return ['', ...endLines(event.outcome, clock, style)];
  const indent = '  '.repeat(1 + depthOf(event.walk));
  return traceRows(event).flatMap((row) => {
    if (row.kind === 'visit') {
      return ['', `${indent}${style.paint('strong', plainText(row.node, LONGEST))}  ${style.paint('dim', row.type)}`];
    }
    const { label, text, role } = row;
    return rowLines(`${indent}  `, label, text, role === undefined ? style : { ...style, role });
  });
}

function endLines(outcome: Outcome, clock: string, style: TextStyle): readonly string[] {
  const { llmCalls, llmTokens, nodeExecutions, policyDenials } = outcome.counters;
  const counts = [
    plural(nodeExecutions, 'node'),
    plural(llmCalls, 'model call'),
    plural(llmTokens, 'token'),
    ...(policyDenials > 0 ? [plural(policyDenials, 'denial')] : []),
  ];
  const time = outcome.elapsedUs > 0 ? [`${formatDuration(outcome.elapsedUs / 1000)} ${clock}`] : [];
  const facts = [...counts, ...time];
  return [
    ...rowLines('  ', 'ended', endText(outcome), style),
    ...(outcome.finalValue === null ? [] : rowLines('  ', 'value', valueText(outcome.finalValue), style)),
    ...(outcome.response === null ? [] : rowLines('  ', 'reply', responseText(outcome.response), style)),
    ...rowLines('  ', 'cost', facts.join(' · '), style),
  ];
}

function responseText({ status, contentType, body }: NonNullable<Outcome['response']>): string {
  return `${status} ${contentType} ${spacedJson(body)}`;
}

function verdictLines({ findings, brokenBy }: TrialResult, style: TextStyle): readonly string[] {
  const cause = brokenBy === null ? [] : ['', ...rowLines('  ', 'broken', brokenBy, { ...style, role: 'warn' })];
  const failed = findings.flatMap((finding) => findingLines(finding, '', '  ', style));
  return [...cause, ...(failed.length === 0 ? [] : ['', ...failed.map((line) => style.paint('bad', line))])];
}

function rowLines(
  indent: string,
  label: string,
  text: string,
  style: TextStyle & { readonly role?: Role },
): readonly string[] {
  const plain = plainText(text, style.verbose ? Number.POSITIVE_INFINITY : LONGEST);
  const [first = '', ...more] = hangText(`${indent}${label.padEnd(LABEL)}`, plain, style.columns);
  const head = `${indent}${style.paint('dim', label.padEnd(LABEL))}`;
  const rest = first.slice(indent.length + Math.max(label.length, LABEL));
  const { role } = style;
  const paint = (line: string): string => (role === undefined ? line : style.paint(role, line));
  return [head + paint(rest), ...more.map(paint)];
}
