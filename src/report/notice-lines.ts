import type { Issue } from '../types/issue.ts';
import { plural } from './format-number.ts';
import { issueLines } from './issue-lines.ts';
import type { TextStyle } from './text-style.ts';

/** Without `verbose`, at most so many notices are shown, and the others counted. */
const MOST_NOTICES = 8;

/** Warnings of files and of the run. */
export function noticeLines(notices: readonly Issue[], style: TextStyle): readonly string[] {
  if (notices.length === 0) return [];
  const shown = style.verbose ? notices : notices.slice(0, MOST_NOTICES);
  const lines = shown.flatMap((notice) => issueLines(notice, '  ', style));
  const more = notices.length - shown.length;
  if (more > 0) lines.push(`  … ${plural(more, 'notice')} more (--verbose)`);
  return [style.paint('warn', `! ${plural(notices.length, 'notice')}`), ...lines];
}
