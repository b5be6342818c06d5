import type { ContractReport } from '../../types/contract-report.ts';
import type { ScenarioReport, SuiteReport } from '../../types/report.ts';
import { contractCases } from './contract-cases.ts';
import { gateCases } from './gate-cases.ts';
import type { CaseContext, ReportedSuite } from './reported-case.ts';
import { scenarioCases } from './scenario-cases.ts';

/** The cases of one kind of result. */
export interface CaseKind<Result = unknown> {
  resultsOf(report: SuiteReport): readonly Result[];
  casesOf(result: Result, context: CaseContext): ReportedSuite;
}

const scenarios: CaseKind<ScenarioReport> = { resultsOf: (report) => report.scenarios, casesOf: scenarioCases };
const contracts: CaseKind<ContractReport> = { resultsOf: (report) => report.contracts ?? [], casesOf: contractCases };

/** In the order in which they are listed. */
export const CASE_KINDS: readonly CaseKind[] = [scenarios, contracts];

/** Every case of a report: its results kind by kind, in report order, then what was judged of the run as a whole. */
export function reportedSuites(
  context: CaseContext,
  kinds: readonly CaseKind[] = CASE_KINDS,
): readonly ReportedSuite[] {
  const { report } = context;
  const suites = kinds.flatMap((kind) => kind.resultsOf(report).map((result) => kind.casesOf(result, context)));
  return [...suites, gateCases(report, suites)];
}
