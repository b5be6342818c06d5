import { GIVEN_UP, type Issue } from '../../types/issue.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { plainText } from '../plain-text.ts';

const LONGEST = 1000;

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
