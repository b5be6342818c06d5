/** Suites loaded, planned, run, gated and reported: all that `passk run` is made of. */
export { parsePrices } from '../baseline/price-table.ts';
export { endPrograms } from '../effects/granted/own-folder.ts';
export { type ErrorCode, PasskError, type PasskErrorOptions } from '../errors.ts';
export { exitCode, type ExitCode, type RunEnding } from '../gate/exit-code.ts';
export { regressionGate } from '../gate/regression-gate.ts';
export type { PairedRuns, RegressionLimits, RegressionVerdict } from '../gate/regression-gate.ts';
export { writeFileWhole } from '../records/write-file-whole.ts';
export { filesToReplace, type MayReplace, writeFolderWhole } from '../records/write-folder-whole.ts';
export { passkReporters as builtinReporters } from '../suite/passk-reporters.ts';
export type { Reporter } from '../report/reporter.ts';
export { renderIssueAnnotations } from '../report/ci/render-github.ts';
export { renderReports } from '../report/render-reports.ts';
export type {
  OutgoingReport,
  RenderedFolder,
  RenderedReport,
  RenderedReports,
  ReportRequest,
} from '../report/render-reports.ts';
export { defineAgentScenario } from '../scenario/objects/define-agent-scenario.ts';
export type {
  AgentScenarioDefinition,
  FunctionCheckDefinition,
  MadeScenario,
} from '../scenario/objects/define-agent-scenario.ts';
export { defineContract } from '../scenario/objects/define-contract.ts';
export type {
  AgentContractDefinition,
  BareContractDefinition,
  ContractDefinition,
  FunctionRuleDefinition,
  PromptAgentDefinition,
  WorkflowContractDefinition,
} from '../scenario/objects/define-contract.ts';
export { defineScenario, type NodeDefinition, type ScenarioDefinition } from '../scenario/objects/define-scenario.ts';
export { didYouMean } from '../text/did-you-mean.ts';
export { printError } from '../source/print-error.ts';
export { printIssues } from '../source/print-issue.ts';
export { findConfig } from '../settings/find-config.ts';
export { type LoadedSuite, loadSuite } from '../suite/load-suite.ts';
export { loadPrices } from '../settings/load-prices.ts';
export type { LiveModel, LiveModelAnswer, LiveModelRequest, LiveNodeOptions } from '../settings/live-functions.ts';
export { type ModelOption, parseModel } from '../settings/model-options.ts';
export type { RunJournalOptions } from '../settings/journal-options.ts';
export type { BaselineOptions, LoadSuiteOptions, RunSuiteOptions } from '../settings/options.ts';
export type { QueueOptions } from '../settings/queue-options.ts';
export type { PermissionOptions } from '../settings/permission-options.ts';
export { renderReport, type RenderReportOptions } from '../suite/render-report.ts';
export { type ReporterSources, resolveReporters } from '../suite/resolve-reporters.ts';
export { type SendOptions, type SendProblem, sendReports } from '../suite/send-reports.ts';
export { nameFilter } from '../suite/select-scenarios.ts';
export { runSuite } from '../suite/run-suite.ts';
export type { SuitePart } from '../settings/suite-part.ts';
export type { StopEarlyOption } from '../settings/stop-early-option.ts';
export { exactOf, failuresOf, isJudged, isSampled, loadErrorsOf } from '../types/reports/scenario-report.ts';
export { VERSION } from '../version.ts';
