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
  const { summary, at, hint = '' } = error;
  const framed = error.code === 'USAGE' ? error.issues.filter((issue) => issue.at?.frame !== undefined) : [];
  if (framed.length > 0)
    return framed.every(isOfGate) ? error.issues.map(usageText).join('') : missingText(error, color);
  const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column} `;
  // A usage error's message says it all; problems of files need their places.
  const issues = error.code === 'USAGE' ? '' : printIssues(error.issues, { color });
  const lines = [`passk: ${place}${summary}`, at?.frame ?? '', hint].map(shownLines);
  return `${[issues, ...lines].filter((line) => line !== '').join('\n')}\n`;
}

/** A gate is no file, but has a frame of its own. */
function isOfGate({ at }: Issue): boolean {
  return at?.file.startsWith('gates[') === true;
}

/** What a run lacks, of which files say where they ask for it. */
function missingText({ issues }: PasskError, color: boolean): string {
  const problems = `${issues.length} problem${issues.length === 1 ? '' : 's'}`;
  return `${printIssues(issues, { color })}\npassk: ${problems}; nothing was run.\n`;
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
