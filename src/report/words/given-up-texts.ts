import { GIVEN_UP, type Issue } from '../../types/issue.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { plural } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';

const LONGEST = 1000;
const MOST_WARNINGS = 100;

/** What the run gave up, and why, in lines of harmless text. They stand at the top of every report. */
export function givenUpTexts({ notices }: Pick<SuiteReport, 'notices'>): readonly string[] {
  return notices
    .filter(({ code }) => code === GIVEN_UP)
    .map(({ message, hint }) => plainText(hint === undefined ? message : `${message} ${hint}`, LONGEST));
}

/** All other notices. */
export function otherNotices({ notices }: Pick<SuiteReport, 'notices'>): readonly Issue[] {
  return notices.filter(({ code }) => code !== GIVEN_UP);
}

/** A notice in one line: its place, what is the matter, and what to do. */
export function noticeText({ message, at, hint }: Issue): string {
  const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `;
  return `${place}${message}${hint === undefined ? '' : ` ${hint}`}`;
}

/** All other notices in lines of harmless text, for formats that machines read: no verdict depends on them. */
export function warningTexts(report: Pick<SuiteReport, 'notices'>): readonly string[] {
  const notices = otherNotices(report);
  const more = notices.length - MOST_WARNINGS;
  return [
    ...notices.slice(0, MOST_WARNINGS).map((notice) => `warning: ${plainText(noticeText(notice), LONGEST)}`),
    ...(more > 0 ? [`warning: ${plural(more, 'more notice')} left out`] : []),
  ];
}
