import type { ContractCell } from '../../types/reports/contract-report.ts';
import type { ResultBase } from '../../types/suite-base.ts';
import type { Mark } from '../sections/section.ts';

/** The sign, word and colour of a cell; the sign alone tells them apart. */
export const CELL_MARKS: Readonly<Record<ContractCell['state'], Mark>> = {
  passed: { sign: '✓', word: 'pass', name: 'passed', role: 'good' },
  failed: { sign: '✗', word: 'FAIL', name: 'failed', role: 'bad' },
  broken: { sign: '!', word: 'broken', name: 'broken', role: 'warn' },
  inconclusive: { sign: '?', word: 'open', name: 'inconclusive', role: 'warn' },
  not_applicable: { sign: '·', word: 'n/a', name: 'not applicable', role: 'dim' },
};

/** The mark of what was left out on purpose. */
export const SKIPPED_MARK: Mark = { sign: '-', word: 'skip', name: 'skipped', role: 'dim' };

/** The marks of the verdicts of results, of any kind. */
export const VERDICT_MARKS: Readonly<Record<ResultBase['verdict'], Mark>> = {
  passed: CELL_MARKS.passed,
  failed: CELL_MARKS.failed,
  insufficient: { sign: '?', word: 'open', name: 'undecided: not enough evidence', role: 'warn' },
  skipped: SKIPPED_MARK,
};
