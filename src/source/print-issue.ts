import { styleText } from 'node:util';
import { placeText } from '../errors.ts';
import type { Issue } from '../types/issue.ts';
import { LONGEST_MESSAGE, visibleText } from '../text/visible-text.ts';
import { groupBy } from '../values/group-by.ts';

export interface PrintOptions {
  /** True: with ANSI colours. */
  readonly color: boolean;
}

/** Issues shown in full; the rest is counted. */
const MAX_SHOWN = 50;

/** The text that users see: issues grouped by file, errors before warnings, a count at the end; '' for none. */
export function printIssues(issues: readonly Issue[], options: PrintOptions): string {
  if (issues.length === 0) return '';
  const kinds = [...groupBy(byImportance(issues), kindOf).values()];
  const blocks = kinds.slice(0, MAX_SHOWN).map((equal) => printEqual(equal, options));
  const hidden = kinds.slice(MAX_SHOWN).flat().length;
  if (hidden > 0) blocks.push(`… and ${hidden} more, not shown.`);
  blocks.push(countLine(issues));
  return `${blocks.join('\n\n')}\n`;
}

/** One issue: what, where, the lines around it, what to do. */
export function printIssue(issue: Issue, { color }: PrintOptions): string {
  const label = issue.severity === 'error' ? paint('red', 'error:', color) : paint('yellow', 'warning:', color);
  const lines = [`${label} ${paint('bold', visibleText(issue.message, { longest: LONGEST_MESSAGE }), color)}`];
  if (issue.at !== undefined) {
    const { frame } = issue.at;
    lines.push(`  --> ${placeText(issue.at)}`);
    if (frame !== undefined) lines.push(...frame.split('\n').map((text) => `  ${text}`));
  }
  if (issue.hint !== undefined)
    lines.push(`  ${paint('cyan', 'help:', color)} ${visibleText(issue.hint, { longest: LONGEST_MESSAGE })}`);
  return lines.join('\n');
}

/** What is the same in problems that differ by their places only. */
function kindOf({ severity, message, hint }: Issue): string {
  return JSON.stringify([severity, message, hint]);
}

/** Places of equal problems that are named beside the first one. */
const MAX_PLACES = 5;

/** The first of equal issues, and where the others are. */
function printEqual([first, ...others]: readonly Issue[], options: PrintOptions): string {
  if (first === undefined) return '';
  const places = others.slice(0, MAX_PLACES).map(({ at }) => (at === undefined ? '' : placeText(at)));
  const more = others.length - places.length;
  const also = [...places.filter((place) => place !== ''), ...(more > 0 ? [`${more} more`] : [])];
  const text = printIssue(first, options);
  return also.length === 0 ? text : `${text}\n  the same at ${listed(also)}`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function paint(style: 'red' | 'yellow' | 'cyan' | 'bold', text: string, color: boolean): string {
  // Whoever asks for colour has already looked at the stream and NO_COLOR.
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** Files in order of appearance, those with errors first; inside a file errors first. */
function byImportance(issues: readonly Issue[]): readonly Issue[] {
  const byFile = groupBy(issues, ({ at }) => at?.file ?? '');
  const groups = [...byFile.values()].map((group) => [...group.filter(isError), ...group.filter(isWarning)]);
  return [...groups.filter((group) => group.some(isError)), ...groups.filter((group) => !group.some(isError))].flat();
}

function countLine(issues: readonly Issue[]): string {
  const errors = issues.filter(isError).length;
  const warnings = issues.length - errors;
  const files = new Set(issues.flatMap((issue) => issue.at?.file ?? [])).size;
  const counts = [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(' and ');
  return files === 0 ? `${counts}.` : `${counts} in ${counted(files, 'file').join('')}.`;
}

function counted(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
}

function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

function isWarning(issue: Issue): boolean {
  return issue.severity === 'warning';
}
