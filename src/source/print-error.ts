import { PasskError } from '../errors.ts';
import type { Issue } from '../types/issue.ts';
import { printIssues, type PrintOptions } from './print-issue.ts';
import { LONGEST_MESSAGE, visibleLines } from '../text/visible-text.ts';

/** Why passk could not do what was asked, as a person reads it on a terminal that obeys nothing of it. */
export function printError(error: unknown, { color }: PrintOptions): string {
  if (!(error instanceof PasskError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `passk: internal error, please report it.\n${shownLines(text)}\n`;
  }
  const { at, hint = '' } = error;
  if (error.code === 'USAGE' && error.issues.some((issue) => issue.at?.frame !== undefined)) {
    return error.issues.map(usageText).join('');
  }
  const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column} `;
  // A usage error's message says it all; problems of files need their places.
  const issues = error.code === 'USAGE' ? '' : printIssues(error.issues, { color });
  const lines = [`passk: ${place}${error.message}`, at?.frame ?? '', hint].map(shownLines);
  return `${[issues, ...lines].filter((line) => line !== '').join('\n')}\n`;
}

/** What is wrong with a flag's text, with the place marked under it. */
function usageText({ message, at, hint }: Issue): string {
  const frame = at?.frame === undefined ? [] : at.frame.split('\n').map((line) => `  ${line}`);
  const lines = [`passk: ${message}`, ...frame, ...(hint === undefined ? [] : [`  ${hint}`])];
  return `${lines.map(shownLines).join('\n')}\n`;
}

function shownLines(text: string): string {
  return visibleLines(text, { longest: LONGEST_MESSAGE });
}
