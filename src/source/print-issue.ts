import { styleText } from 'node:util';
import type { Issue } from '../types/issue.ts';

export interface PrintOptions {
  readonly color: boolean;
}

/** Issues shown in full; the rest is counted. */
const MAX_SHOWN = 50;

/** The text that users see: issues grouped by file, errors before warnings, a count at the end; '' for none. */
export function printIssues(issues: readonly Issue[], options: PrintOptions): string {
  if (issues.length === 0) return '';
  const ordered = grouped(issues);
  const blocks = ordered.slice(0, MAX_SHOWN).map((issue) => printIssue(issue, options));
  const hidden = ordered.length - MAX_SHOWN;
  if (hidden > 0) blocks.push(`… and ${hidden} more, not shown.`);
  blocks.push(countLine(issues));
  return `${blocks.join('\n\n')}\n`;
}

/** One issue: what, where, the lines around it, what to do. */
export function printIssue(issue: Issue, options: PrintOptions): string {
  const paint = (style: 'red' | 'yellow' | 'cyan' | 'bold', text: string): string =>
    options.color ? styleText(style, text) : text;
  const label = issue.severity === 'error' ? paint('red', 'error:') : paint('yellow', 'warning:');
  const lines = [`${label} ${paint('bold', issue.message)}`];
  if (issue.at !== undefined) {
    const { file, line, column, frame } = issue.at;
    // A place without a frame is about the file as a whole.
    lines.push(`  --> ${frame === undefined && line === 1 && column === 1 ? file : `${file}:${line}:${column}`}`);
    if (frame !== undefined) lines.push(...frame.split('\n').map((text) => `  ${text}`));
  }
  if (issue.hint !== undefined) lines.push(`  ${paint('cyan', 'help:')} ${issue.hint}`);
  return lines.join('\n');
}

/** Files in order of appearance, those with errors first; inside a file errors first. */
function grouped(issues: readonly Issue[]): readonly Issue[] {
  const files = new Map<string, Issue[]>();
  for (const issue of issues) {
    const file = issue.at?.file ?? '';
    files.set(file, [...(files.get(file) ?? []), issue]);
  }
  const groups = [...files.values()];
  const withErrors = groups.filter((group) => group.some(isError));
  const rest = groups.filter((group) => !group.some(isError));
  return [...withErrors, ...rest].flatMap((group) => [
    ...group.filter(isError),
    ...group.filter((issue) => !isError(issue)),
  ]);
}

function countLine(issues: readonly Issue[]): string {
  const errors = issues.filter(isError).length;
  const warnings = issues.length - errors;
  const files = new Set(issues.flatMap((issue) => issue.at?.file ?? [])).size;
  const counts = [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(', ');
  return files === 0 ? `${counts}.` : `${counts} in ${files} ${files === 1 ? 'file' : 'files'}.`;
}

function counted(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
}

function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}
