import type { Pointer } from '../source/place-tree.ts';
import type { Issue, Location } from '../types/issue.ts';

/** A problem and the part of the document it is about. */
export interface Found {
  readonly code: string;
  readonly message: string;
  readonly at: Pointer;
  /** Mark the key instead of its value. */
  readonly part?: 'key' | 'value';
  /** Asked for only when the problem is listed. */
  readonly hint?: string | (() => string);
  /** Left out: error. */
  readonly severity?: 'error' | 'warning';
}

/** Takes problems in the order in which they are found. */
export type Report = (found: Found) => void;

/** Finds the place of a part of a document. */
export type Locate = (at: Pointer, part?: 'key' | 'value') => Location;

/** Problems of one kind of rule that are listed before the rest is only counted. */
export const LISTED = 200;

/** Runs rules over a document: their problems as issues with places, in the order found. */
export function collectIssues(locate: Locate, run: (report: Report) => void): readonly Issue[] {
  const issues: Issue[] = [];
  let unlisted = 0;
  let unlistedErrors = 0;
  run((found) => {
    if (issues.length < LISTED) {
      issues.push(toIssue(found, locate));
      return;
    }
    unlisted++;
    if (found.severity !== 'warning') unlistedErrors++;
  });
  if (unlisted > 0) {
    issues.push({
      code: 'too_many',
      severity: unlistedErrors > 0 ? 'error' : 'warning',
      message: `There are ${unlisted} more problems of this kind.`,
    });
  }
  return issues;
}

/** A problem as an issue with its place. */
export function toIssue({ code, message, at, part, hint, severity = 'error' }: Found, locate: Locate): Issue {
  const text = typeof hint === 'function' ? hint() : hint;
  return { code, severity, message, at: locate(at, part), ...(text === undefined ? {} : { hint: text }) };
}
