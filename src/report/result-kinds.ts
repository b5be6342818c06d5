import type { ContractCell, ContractExample, ContractReport, ContractRow } from '../types/reports/contract-report.ts';
import type { PluginReport, SuiteReport, SuiteResult } from '../types/reports/report.ts';
import type { ScenarioReport } from '../types/reports/scenario-report.ts';
import type { ModelReport } from '../types/model-suite.ts';
import type { ResultBase } from '../types/suite-base.ts';
import { contractCases } from './cases/contract-cases.ts';
import { gateCases } from './cases/gate-cases.ts';
import type { CaseContext, ReportedSuite } from './cases/reported-case.ts';
import { modelCases } from './cases/model-cases.ts';
import { pluginCases } from './cases/plugin-cases.ts';
import { scenarioCases } from './cases/scenario-cases.ts';
import { formatCount } from '../text/format-number.ts';
import { contractSection } from './sections/contract-section.ts';
import { modelSection } from './sections/model-section.ts';
import { pluginSection } from './sections/plugin-section.ts';
import { scenarioTable } from './sections/scenario-table.ts';
import type { ResultTable, Section } from './sections/section.ts';

/**
 * All that reporters know of a kind of result: its cases, its sections and its table. A new kind is a file of its own and a
 * line in the list below.
 */
export interface ResultKind<Result = unknown> {
  /** The `kind` of its results. */
  readonly type: string;
  /** The word for several of them, such as `contracts`. */
  readonly plural: string;
  resultsOf(report: SuiteReport): readonly Result[];
  /** The result with files and commands as a reader types them; absent: only its file changes. */
  placed?(result: Result, placing: Placing): Result;
  /** For CI servers and other tools. */
  casesOf(result: Result, context: CaseContext): ReportedSuite;
  /** For people; null: its results are rows of a table, and the summary of the suite counts them. */
  readonly sections: ResultSections<Result> | null;
  /** A row for each result, some counted by folder unless `verbose`; absent: each has a section. */
  tableOf?(results: readonly Result[], verbose: boolean): ResultTable;
}

/** Gives names of files, and commands that name a file first, as a reader types them. */
export interface Placing {
  file(name: string): string;
  command(command: string | null, file: string): string | null;
}

export interface ResultSections<Result = unknown> {
  outcomeOf(result: Result): ResultOutcome;
  sectionOf(result: Result): Section;
}

export type ResultOutcome = 'passed' | 'failed' | 'undecided' | 'skipped';

function outcomeOf({ verdict }: Pick<ResultBase, 'verdict'>): ResultOutcome {
  return verdict === 'insufficient' ? 'undecided' : verdict;
}

const scenarios: ResultKind<ScenarioReport> = {
  type: 'scenario',
  plural: 'scenarios',
  resultsOf: (report) => report.scenarios,
  casesOf: scenarioCases,
  sections: null,
  tableOf: scenarioTable,
};

const contracts: ResultKind<ContractReport> = {
  type: 'contract',
  plural: 'contracts',
  resultsOf: (report) => report.results.filter((one) => one.kind === 'contract'),
  placed: placeContract,
  casesOf: contractCases,
  sections: { outcomeOf, sectionOf: contractSection },
};

const models: ResultKind<ModelReport> = {
  type: 'model',
  plural: 'models',
  resultsOf: (report) => report.results.filter((one) => one.kind === 'model'),
  placed: (result, { file, command }) => ({
    ...result,
    file: file(result.file),
    cells: result.cells.map((cell) => ({ ...cell, replay: command(cell.replay, result.file) })),
  }),
  casesOf: modelCases,
  sections: { outcomeOf, sectionOf: modelSection },
};

const plugins: ResultKind<PluginReport> = {
  type: 'plugin',
  plural: 'suites',
  resultsOf: (report) => report.results.filter((one) => one.kind === 'plugin'),
  placed: (result, { file, command }) => ({
    ...result,
    file: file(result.file),
    cases: result.cases.map((one) => ({ ...one, replay: command(one.replay, result.file) })),
  }),
  casesOf: pluginCases,
  sections: { outcomeOf, sectionOf: pluginSection },
};

/** All kinds, in the order of reports. */
export const RESULT_KINDS: readonly ResultKind[] = [scenarios, contracts, models, plugins];

/** Every case of a report: its results kind by kind, in report order, then the cases about the whole run. */
export function reportedSuites(context: CaseContext, kinds = RESULT_KINDS): readonly ReportedSuite[] {
  const { report } = context;
  const suites = kinds.flatMap((kind) => kind.resultsOf(report).map((result) => kind.casesOf(result, context)));
  return [...suites, gateCases(report, suites)];
}

/** The contract with its file, and the commands of its cells, as a reader types them. */
function placeContract(contract: ContractReport, { file, command }: Placing): ContractReport {
  const placed = <T extends ContractExample>(one: T): T => ({ ...one, replay: command(one.replay, contract.file) });
  const placeCell = (cell: ContractCell): ContractCell => ({
    ...cell,
    evidence: cell.evidence === null ? null : placed(cell.evidence),
    ...(cell.example !== undefined && { example: placed(cell.example) }),
  });
  const placeRow = (row: ContractRow): ContractRow =>
    row.at === undefined ? row : { ...row, at: { ...row.at, file: file(row.at.file) } };
  return {
    ...contract,
    file: file(contract.file),
    invariants: contract.invariants.map(placeRow),
    cells: contract.cells.map(placeCell),
  };
}

/** The results of a report with files and commands as a reader types them. */
export function placedResults(
  { results }: SuiteReport,
  placing: Placing,
  kinds = RESULT_KINDS,
): readonly SuiteResult[] {
  return results.map((result) => {
    const placed = kinds.find(({ type }) => type === result.kind)?.placed?.(result, placing);
    // A kind gives results of its own type.
    return (placed as SuiteResult | undefined) ?? { ...result, file: placing.file(result.file) };
  });
}

/** The sections of a report, kind by kind, in report order. */
export function reportedSections(report: SuiteReport, kinds = RESULT_KINDS): readonly Section[] {
  return kinds.flatMap(({ sections, ...kind }) =>
    sections === null ? [] : kind.resultsOf(report).map((result) => sections.sectionOf(result)),
  );
}

/** The tables of a report: one for every kind that has a table and results in the report. */
export function reportedTables(report: SuiteReport, verbose: boolean, kinds = RESULT_KINDS): readonly ResultTable[] {
  return kinds.flatMap((kind) => {
    const results = kind.resultsOf(report);
    return results.length === 0 ? [] : (kind.tableOf?.(results, verbose) ?? []);
  });
}

/** How many results of a kind had each outcome, in words. */
export interface ResultCounts {
  readonly plural: string;
  readonly parts: readonly string[];
}

/** The counts of every kind that has sections and results in the report. */
export function resultCounts(report: SuiteReport, kinds = RESULT_KINDS): readonly ResultCounts[] {
  return kinds.flatMap(({ plural, sections, ...kind }) => {
    const results = sections === null ? [] : kind.resultsOf(report);
    if (sections === null || results.length === 0) return [];
    const outcomes = results.map((result) => sections.outcomeOf(result));
    const count = (outcome: ResultOutcome): number => outcomes.filter((one) => one === outcome).length;
    const undecided = count('undecided');
    const parts = [`${formatCount(count('passed'))} passed`, `${formatCount(count('failed'))} failed`];
    const skipped = count('skipped');
    return [
      {
        plural,
        parts: [
          ...parts,
          ...(undecided === 0 ? [] : [`${formatCount(undecided)} undecided`]),
          ...(skipped === 0 ? [] : [`${formatCount(skipped)} skipped`]),
        ],
      },
    ];
  });
}
