import type { Issue } from '../../types/issue.ts';
import { plural } from '../../text/format-number.ts';
import { issueLines } from './issue-lines.ts';
import type { TextStyle } from './text-style.ts';

/** Without `verbose`, at most so many notices are shown, and of more only what they say. */
const MOST_NOTICES = 3;

/** Warnings of files and of the run. */
export function noticeLines(notices: readonly Issue[], style: TextStyle): readonly string[] {
  if (notices.length === 0) return [];
  const shown = style.verbose ? notices : notices.slice(0, MOST_NOTICES);
  const more = notices.length - shown.length;
  // What is shown in full pushes the verdict off the screen.
  const lines = shown.flatMap((notice) => issueLines(more > 0 ? inShort(notice) : notice, '  ', style));
  if (more > 0) lines.push(`  … ${plural(more, 'notice')} more (--verbose)`);
  return [style.paint('warn', `! ${plural(notices.length, 'notice')}`), ...lines];
}

function inShort({ at, hint: _, ...issue }: Issue): Issue {
  return at === undefined ? issue : { ...issue, at: { file: at.file, line: at.line, column: at.column } };
}
