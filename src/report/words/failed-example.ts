import type { Finding } from '../../types/reports/finding.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';

/** A failed check as one trial has it. */
export interface FailedExample {
  /** Of an enumerated scenario, its leaf. */
  readonly trial: number;
  readonly finding: Finding;
}

/** The first trial in the report that fails the check, or any where none is named, and what was found. Undefined: none does. */
export function failedExample(failures: readonly FailureReport[], check?: string): FailedExample | undefined {
  for (const { trial, findings } of failures) {
    const finding = findings.find(
      (one) => (check === undefined || one.check === check) && (one.verdict === 'fail' || one.verdict === 'error'),
    );
    if (finding !== undefined) return { trial, finding };
  }
  return undefined;
}
