import type { Issue } from '../../types/issue.ts';
import { shorten } from '../../text/display-width.ts';
import { plainText } from '../plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

/** Characters of a text from a file that are shown. */
const LONGEST = 600;

/** One problem or warning: place and message, the code frame, what to do. */
export function issueLines(issue: Issue, indent: string, style: TextStyle): readonly string[] {
  const { at, hint } = issue;
  const place = at === undefined ? '' : `${plainText(at.file, LONGEST)}:${at.line}:${at.column}  `;
  const inner = `${indent}  `;
  const message = hangText(indent, `${place}${plainText(issue.message, LONGEST)}`, style.columns);
  const frame = (at?.frame ?? '').split('\n').filter((line) => line.trim() !== '');
  const lines = frame.map((line) => style.paint('dim', shorten(`${inner}${plainText(line)}`, style.columns)));
  if (hint === undefined) return [...message, ...lines];
  return [...message, ...lines, ...hangText(inner, plainText(hint, LONGEST), style.columns)];
}
