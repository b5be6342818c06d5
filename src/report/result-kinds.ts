import type { ContractReport } from '../types/contract-report.ts';
import type { ScenarioReport, SuiteReport } from '../types/report.ts';
import { contractCases } from './cases/contract-cases.ts';
import { gateCases } from './cases/gate-cases.ts';
import type { CaseContext, ReportedSuite } from './cases/reported-case.ts';
import { scenarioCases } from './cases/scenario-cases.ts';
import { contractSection } from './sections/contract-section.ts';
import type { Section } from './sections/section.ts';

/** What reporters must know of a kind of result: its cases and its section. They know nothing else of it. */
export interface ResultKind<Result = unknown> {
  resultsOf(report: SuiteReport): readonly Result[];
  /** For CI servers and other tools. */
  casesOf(result: Result, context: CaseContext): ReportedSuite;
  /** For people. Absent: its results are rows of the table of scenarios. */
  sectionOf?(result: Result): Section;
}

const scenarios: ResultKind<ScenarioReport> = { resultsOf: (report) => report.scenarios, casesOf: scenarioCases };

const contracts: ResultKind<ContractReport> = {
  resultsOf: (report) => report.contracts ?? [],
  casesOf: contractCases,
  sectionOf: contractSection,
};

/** In the order in which reports have them. */
export const RESULT_KINDS: readonly ResultKind[] = [scenarios, contracts];

/** Every case of a report: its results kind by kind, in report order, then what was judged of the run as a whole. */
export function reportedSuites(context: CaseContext, kinds = RESULT_KINDS): readonly ReportedSuite[] {
  const { report } = context;
  const suites = kinds.flatMap((kind) => kind.resultsOf(report).map((result) => kind.casesOf(result, context)));
  return [...suites, gateCases(report, suites)];
}

/** The sections of a report, kind by kind, in report order. */
export function reportedSections(report: SuiteReport, kinds = RESULT_KINDS): readonly Section[] {
  return kinds.flatMap((kind) => kind.resultsOf(report).flatMap((result) => kind.sectionOf?.(result) ?? []));
}
