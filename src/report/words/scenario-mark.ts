import { exactOf, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { outcomeOf } from './scenario-outcome.ts';
import type { Mark } from '../sections/section.ts';

/** The mark of a scenario that passed without a broken trial. */
export const PASSED: Mark = { sign: '✓', word: 'pass', name: 'passed', role: 'good' };

const MARKS: Readonly<Record<ReturnType<typeof outcomeOf>, Mark>> = {
  passed: PASSED,
  failed: { sign: '✗', word: 'FAIL', name: 'failed', role: 'bad' },
  undecided: { sign: '?', word: 'open', name: 'undecided', role: 'warn' },
  broken: { sign: '!', word: 'broken', name: 'broken', role: 'warn' },
  load_error: { sign: '!', word: 'error', name: 'not loaded', role: 'bad' },
  skipped: { sign: '·', word: 'skip', name: 'not run', role: 'warn' },
};

/** The sign, word and colour of a scenario's line. */
export function scenarioMark(scenario: ScenarioReport): Mark {
  const mark = MARKS[outcomeOf(scenario)];
  const isBroken = (exactOf(scenario)?.brokenRate ?? 0) > 0 || scenario.trials.broken > 0;
  return mark === PASSED && isBroken ? { ...PASSED, role: 'warn' } : mark;
}
