import type { ScenarioReport } from '../types/report.ts';
import type { Role } from './text-style.ts';

export interface ScenarioMark {
  readonly sign: '✓' | '✗' | '!' | '·';
  /** At most six letters. */
  readonly word: 'pass' | 'FAIL' | 'broken' | 'error' | 'skip';
  readonly role: Role;
}

const BROKEN: ScenarioMark = { sign: '!', word: 'broken', role: 'warn' };

/** The sign, word and colour of a scenario's line. */
export function scenarioMark({ verdict, trials, sampler, exact, reasons }: ScenarioReport): ScenarioMark {
  if (verdict === 'load_error') return { sign: '!', word: 'error', role: 'bad' };
  if (exact !== undefined) {
    if (verdict === 'passed') return { sign: '✓', word: 'pass', role: exact.brokenRate > 0 ? 'warn' : 'good' };
    return exact.failingSequences === 0 ? BROKEN : { sign: '✗', word: 'FAIL', role: 'bad' };
  }
  if (sampler === 'exhaustive' && reasons.exact !== 'not_run') return BROKEN;
  if (trials.executed === 0) return { sign: '·', word: 'skip', role: 'warn' };
  if (verdict === 'passed') return { sign: '✓', word: 'pass', role: trials.broken > 0 ? 'warn' : 'good' };
  if (trials.failed === 0) return BROKEN;
  return { sign: '✗', word: 'FAIL', role: 'bad' };
}
