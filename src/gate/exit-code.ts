import type { SuiteReport } from '../types/reports/report.ts';

/** 0: passed; 1: failed; 2: input or output that cannot be used; 3: not enough evidence; 4: results contradict each other; 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** What happened to a run besides its report. */
export interface RunEnding {
  /** Stopped by the user (Ctrl-C). */
  readonly interrupted?: boolean;
  /** Results contradicted each other or their plan. */
  readonly integrityFailed?: boolean;
  /** A reporter broke, or a report could not be written. */
  readonly outputFailed?: boolean;
}

/** The exit code of a run: 130 interrupted, 4 integrity, 2 input or output, 3 not enough evidence, 1 failed, 0 passed. */
export function exitCode(report: Pick<SuiteReport, 'gate' | 'summary'>, ending: RunEnding = {}): ExitCode {
  if (ending.interrupted === true) return 130;
  if (ending.integrityFailed === true) return 4;
  if (ending.outputFailed === true || report.summary.loadErrors > 0) return 2;
  if (report.gate.verdict === 'insufficient') return 3;
  return report.gate.verdict === 'fail' ? 1 : 0;
}
