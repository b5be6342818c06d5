import { isSampled, type PasskError, runSuite, type RunSuiteOptions, type SuiteReport } from 'passk';
import type { NodeType, Step } from 'passk/plugin';
import { clusteredInterval, type ClusteredInterval } from 'passk/stats';

const options: RunSuiteOptions = { paths: ['scenarios'], trials: 10, seed: 1, workers: 0 };
const report: SuiteReport = await runSuite(options);
export const verdict: 'pass' | 'fail' | 'insufficient' = report.gate.verdict;
export const rates: readonly (number | null)[] = report.scenarios.map((scenario) =>
  isSampled(scenario) ? scenario.passRate : null,
);

// @ts-expect-error The report is read-only.
report.seed = 2;
// @ts-expect-error An unknown option is a mistake.
export const mistyped: RunSuiteOptions = { trails: 10 };

export function codeOf(error: PasskError): string {
  return error.code;
}

export const clustered: ClusteredInterval | null = clusteredInterval([{ trials: 4, passed: 3 }]);

export type Plugged = NodeType<Record<never, never>> | Step;
