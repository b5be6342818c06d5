/** The public names of passk, by hand. What is not here may change without notice. */
export { auditExitCode, auditTable, type AuditTableOptions } from './audit/audit-table.ts';
export { renderSetAudit } from './audit/render-set-audit.ts';
export { renderTableAudit } from './audit/render-table-audit.ts';
export type { TableReading } from './audit/resolve-rows.ts';
export { canary } from './canary/canary.ts';
export type { CanaryOptions, RehearseCanaryOptions, SetAside, StepCanaryOptions } from './canary/canary-options.ts';
export { golden } from './golden/golden.ts';
export type { AcceptGoldenOptions, PinGoldenOptions, RunGoldenOptions } from './golden/golden-options.ts';
export type { GoldenIssue, GoldenLimits, GoldenReport } from './types/golden/golden-report.ts';
export { type HistoryTrendOptions, historyTrends } from './baseline/history-trends.ts';
export { parsePrices } from './baseline/price-table.ts';
export { endPrograms } from './effects/granted/own-folder.ts';
export { type ErrorCode, PasskError, type PasskErrorOptions } from './errors.ts';
export { checkSupport } from './faithfulness/check-support.ts';
export { type AskModel, modelSampler, modelSplitter, modelVerifier } from './faithfulness/model-verifier.ts';
export { heuristicVerifier, scoreClaims, scorePairs, scoreSamples } from './faithfulness/score-claims.ts';
export type { AnswerSampler, ClaimSplitter, ClaimVerifier, PairScorer } from './faithfulness/score-claims.ts';
export { claimScore, pairScoreMean, sampleAgreement, tokenConfidence } from './faithfulness/scores.ts';
export { tokenLogProbabilities } from './faithfulness/token-log-probabilities.ts';
export { scorerVerifier, splitterModel, verifierModel } from './faithfulness/values-as-models.ts';
export { splitClaims } from './faithfulness/split-claims.ts';
export { exitCode, type ExitCode, type RunEnding } from './gate/exit-code.ts';
export { regressionGate } from './gate/regression-gate.ts';
export type { PairedRuns, RegressionLimits, RegressionVerdict } from './gate/regression-gate.ts';
export { type Certification, certify, type CertifyOptions } from './release/certify/certify.ts';
export { checkCertificate } from './release/certify/check-certificate.ts';
export type { CertificateCheck, CheckCertificateOptions } from './release/certify/check-certificate.ts';
export { renderCertificateCheck, renderCertification } from './release/render-certificate.ts';
export { explainRelease } from './release/explain/explain-release.ts';
export { type InitializedRelease, initRelease, type InitReleaseOptions } from './release/init-release.ts';
export { readRecord } from './release/record-files.ts';
export { finishedEvidence } from './release/finished-kind.ts';
export { parseRanges } from './release/price/parse-ranges.ts';
export { priceExitCode, priceRun, type PriceRunOptions } from './release/price/price-run.ts';
export { renderPrice, renderPriceMarkdown } from './release/price/render-price.ts';
export { releaseExitCode } from './release/release-exit-code.ts';
export { renderExplanation } from './release/render-explanation.ts';
export { renderRelease, renderVerification } from './release/render-release.ts';
export { runReleaseShard } from './release/run-release-shard.ts';
export { runRelease, type RunReleaseOptions } from './release/run-release.ts';
export { type KeyTexts, makeKeys } from './release/signing-keys.ts';
export { type Verification, verifyRelease, type VerifyReleaseOptions } from './release/verify-release.ts';
export type { VerificationCheck } from './release/verification.ts';
export type { ShardSource } from './records/read-shard.ts';
export { writeFileWhole } from './records/write-file-whole.ts';
export { filesToReplace, type MayReplace, writeFolderWhole } from './records/write-folder-whole.ts';
export { passkReporters as builtinReporters } from './suite/passk-reporters.ts';
export type { Reporter } from './report/reporter.ts';
export { NO_PROGRESS, nextProgress, renderProgress } from './report/progress/render-progress.ts';
export type { ProgressOptions, ProgressState } from './report/progress/render-progress.ts';
export { type LiveRun, nextLiveRun, NO_LIVE_RUN } from './report/progress/live-run.ts';
export { renderEvent } from './report/render-event.ts';
export { renderHistory, renderKeptRun } from './report/render-history.ts';
export { renderComparison } from './report/render-comparison.ts';
export { renderIssueAnnotations } from './report/render-github.ts';
export { type AnswerTreeOptions, renderAnswerTree } from './report/render-answer-tree.ts';
export { renderPlan } from './report/render-plan.ts';
export { renderReports } from './report/render-reports.ts';
export type {
  OutgoingReport,
  RenderedFolder,
  RenderedReport,
  RenderedReports,
  ReportRequest,
} from './report/render-reports.ts';
export { renderShard } from './report/render-shard.ts';
export { renderTrialRow, type TableFormat, trialRowsHead } from './report/render-trial-row.ts';
export { renderTrace, traceLines } from './report/render-trace.ts';
export { type RecordedTrial, runRecord } from './report/run-record.ts';
export { renderJudgeCalibration } from './report/judges/render-judge-calibration.ts';
export { renderJudgeTunnel } from './report/judges/render-judge-tunnel.ts';
export { type OutputDocument, outputSchema } from './report/output-schema.ts';
export { reportSchema } from './report/report-schema.ts';
export { defineScenario, type NodeDefinition, type ScenarioDefinition } from './scenario/define-scenario.ts';
export type { NodeKeys } from './types/definitions/node-keys.ts';
export { didYouMean } from './text/did-you-mean.ts';
export { printError } from './source/print-error.ts';
export { printIssues } from './source/print-issue.ts';
export { pairQuestion, rubricHash, rubricQuestion } from './judges/judge-prompt.ts';
export type { AskOptions, Criterion, JudgeQuestion, Rubric, Unjudgeable } from './judges/judge-prompt.ts';
export { type PairReading, type PairVerdict, readPairVerdict } from './judges/read-pair-verdict.ts';
export { type CriterionVerdict, readRubricVerdict, type RubricReading } from './judges/read-rubric-verdict.ts';
export type { UnreadableVerdict, VerdictProblem } from './judges/answer-objects.ts';
export { judgeTunnel, type JudgeTunnelOptions } from './judges/tunnel/judge-tunnel.ts';
export { judgedTunnel, type JudgedTunnelOptions } from './suite/judges/judged-tunnel.ts';
export { servedTunnel, type ServedTunnelOptions } from './suite/judges/served-tunnel.ts';
export {
  type FakeJudgeServer,
  type FakeJudgeServerOptions,
  startFakeJudge,
} from './suite/judges/fake-judge-server.ts';
export { trialSampler } from './suite/judges/trial-sampler.ts';
export { calibrateJudge, readCalibration, staleParts } from './suite/judges/calibrate-judge.ts';
export type { CalibrateJudgeOptions, JudgeIdentity } from './suite/judges/calibrate-judge.ts';
export { affectedFiles } from './suite/affected-files.ts';
export { auditSet, type AuditSetOptions, READING_TOOLS, setAuditExitCode } from './suite/audit-set/audit-set.ts';
export { importTraces, type ImportReport, type ImportTracesOptions } from './suite/production/import-traces.ts';
export { scrubFiles, type ScrubFilesOptions, type ScrubReport } from './suite/production/scrub-files.ts';
export { compareRecordings, type CompareRecordingsOptions } from './suite/recordings/compare-recordings.ts';
export { exportTrials, type ExportTrialsOptions } from './suite/recordings/export-trials.ts';
export { type ChaosProxyRunOptions, openChaosProxy, type RunningChaosProxy } from './suite/chaos-proxy.ts';
export { createEngine, type EngineOptions, type SuiteEngine } from './suite/create-engine.ts';
export { defaultConfig } from './settings/default-config.ts';
export { defineConfig, type PasskConfig } from './settings/define-config.ts';
export { contractJsonSchema, scenarioJsonSchema, sessionJsonSchema, workflowJsonSchema } from './suite/json-schemas.ts';
export { type GeneratedFiles, generateScenarios } from './suite/generated/generate-scenarios.ts';
export { type ListedPlugin, listPlugins } from './suite/list-plugins.ts';
export { type ConfigKey, type ConfigRequest, configRequests } from './settings/config-requests.ts';
export { findConfig } from './settings/find-config.ts';
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from './settings/load-config.ts';
export { type LoadedSuite, loadSuite } from './suite/load-suite.ts';
export { loadPrices } from './settings/load-prices.ts';
export type { LiveModel, LiveModelAnswer, LiveModelRequest, LiveNodeOptions } from './settings/live-functions.ts';
export { type ModelOption, parseModel } from './settings/model-options.ts';
export type { RunJournalOptions } from './settings/journal-options.ts';
export type { BaselineOptions, LoadSuiteOptions, RunSuiteOptions } from './settings/options.ts';
export type { QueueOptions } from './settings/queue-options.ts';
export { type MergedShards, mergeShards, type MergeShardsOptions } from './suite/merge-shards.ts';
export { openHistory, readHistory } from './suite/history/open-history.ts';
export type { History, HistoryContents, ReadHistoryOptions } from './suite/history/open-history.ts';
export type { PermissionOptions } from './settings/permission-options.ts';
export { type ExplainOptions, explainScenario } from './suite/explain-scenario.ts';
export { planSuite, type PlanSuiteOptions } from './suite/plan-suite.ts';
export { readReport } from './suite/read-report.ts';
export { renderReport, type RenderReportOptions } from './suite/render-report.ts';
export { type ReporterSources, resolveReporters } from './suite/resolve-reporters.ts';
export { type SendOptions, type SendProblem, sendReports } from './suite/send-reports.ts';
export { nameFilter } from './suite/select-scenarios.ts';
export { type LintedModels, lintModels, type LintModelsOptions, modelSpecs } from './suite/model-specs.ts';
export { runShard, type RunShardOptions, type ShardResult } from './suite/run-shard.ts';
export { runSuite } from './suite/run-suite.ts';
export type { SuitePart } from './settings/suite-part.ts';
export { runWorker, type RunWorkerOptions } from './suite/run-worker.ts';
export type { StopEarlyOption } from './settings/stop-early-option.ts';
export { traceFailures, type TraceFailuresOptions } from './suite/trace-failures.ts';
export { type TracedTrial, traceTrial, type TraceTrialOptions } from './suite/trace-trial.ts';
export type { Gate, GateChance, GateDescription, GateExpression, GateJudgement } from './types/gate.ts';
export type { GateOperator, GateResult, GateScope, GateSide, GateVerdict } from './types/gate.ts';
export type { Baseline, BaselineScenario } from './types/baseline.ts';
export type {
  DriftLevels,
  DriftName,
  DriftReport,
  DriftRule,
  DriftRun,
  OverallDrift,
  ScenarioDrift,
  TokenDrift,
} from './types/drift.ts';
export type { Agent, AgentAnswer, AgentProxy, AgentReset, AgentRun, AgentTarget } from './types/agent.ts';
export type { Chaos, ContextAttack, FaultTrigger, LlmFault, ToolFault } from './types/chaos.ts';
export { CELL_STATES as MODEL_CELL_STATES } from './types/model-suite.ts';
export type {
  ModelAccess,
  ModelCell,
  ModelCellState,
  ModelColumn,
  ModelPart,
  ModelReport,
  ModelRetries,
  ModelSubject,
  ModelSuite,
  Samples,
  SpecModel,
  SpecTest,
  StartedEntry,
} from './types/model-suite.ts';
export { CAPABILITIES, COMPATS } from './types/model-test.ts';
export type { Capability, Compat, ModelFacts, ModelTest, RetriedAttempt, ValidatorUse } from './types/model-test.ts';
export type { ChaosScenario, Contract, ContractPart, ContractSubject, PhaseWeights } from './types/contract.ts';
export type {
  ContractCell,
  ContractColumn,
  ContractEvidence,
  ContractReport,
  ContractRow,
  OverallPhase,
  OverallScore,
} from './types/contract-report.ts';
export type {
  ComparedCost,
  ComparedMean,
  ComparedPairs,
  ComparedSet,
  ComparedTasks,
  ComparedVariance,
  ComparisonReport,
  ComparisonVerdict,
  NeededEvidence,
  TaskDifference,
} from './types/comparison.ts';
export type {
  ClusteredRate,
  ErrorPolicy,
  ErrorReport,
  RecordedCost,
  RecordedFile,
  RecordingFacts,
  RecordingReport,
  TaskClass,
  TaskPassHatK,
} from './types/recording.ts';
export type { TaskRow } from './types/recordings/task-row.ts';
export type { CheckedClaim, CheckedFact, FactKind, SupportReport } from './types/faithfulness/support-report.ts';
export type { Finding } from './types/finding.ts';
export type { ProgressReport, SessionReport } from './types/sessions/session-report.ts';
export type { Invariant, InvariantRule, Severity, When } from './types/invariant.ts';
export type { ForecastOptions, ForecastPayment, ForecastReport, ForecastRow, PriceTable } from './types/forecast.ts';
export type {
  HistoryChange,
  HistoryPoint,
  HistoryRun,
  HistoryScenario,
  HistoryTrend,
  KeptRun,
} from './types/history.ts';
export type { Isolation } from './types/isolation.ts';
export type { Issue, Location } from './types/issue.ts';
export type { Json, JsonObject } from './types/json.ts';
export type { LiveModelReport, LiveReport } from './types/live-report.ts';
export type { ModelEndpoint, ModelPrice, ModelProvider } from './types/model-endpoint.ts';
export type { EffectPort, Grant, Permissions } from './types/permissions.ts';
export type { FailingScenario, ProgressEvent, ProgressRow, RowState } from './types/progress.ts';
export type { SequentialTest, StopEarlyReport, StopRule } from './types/stop-early.ts';
export type { QueueWorker } from './types/queue-worker.ts';
export type { FailureTrace, RenderOptions, ReportFile } from './types/render-options.ts';
export type { ReportAnswer, ReportMessage, ReportSender } from './types/report-message.ts';
export type { CoverageReport, GateReport, SecurityReport, SuiteReport } from './types/report.ts';
export type {
  BrokenCause,
  EnumeratedScenario,
  FailureDetail,
  FailureReport,
  FaultCount,
  JudgedScenario,
  LoadedScenarioReport,
  NotRunScenario,
  RecordedTrace,
  RulingCount,
  SampledScenario,
  ScenarioReport,
  UnloadedScenario,
} from './types/scenario-report.ts';
export type { CostReport } from './types/scenarios/cost-report.ts';
export { exactOf, failuresOf, isJudged, isSampled, loadErrorsOf } from './types/scenario-report.ts';
export type { TimingReport } from './types/timing-report.ts';
export type { SuitePassHatK, SuiteSummary, TrialCounts } from './types/suite-summary.ts';
export type { LoadedScenario, Sampler, Scenario } from './types/scenario.ts';
export type { CounterName } from './types/trial.ts';
export type {
  AxisReason,
  AxisResult,
  CostFacts,
  EvalBody,
  EvalScenario,
  GovernanceFinding,
} from './types/release/eval-body.ts';
export type { SafetyFacts } from './types/release/safety-facts.ts';
export type { AuditEntry, EvalResult } from './types/release/eval-result.ts';
export type { Certificate } from './types/release/certificate.ts';
export type { ReleaseChange, ReleaseExplanation } from './types/release/release-explanation.ts';
export type { PriceInput, PriceReport, TornadoBar } from './types/release/price-report.ts';
export type { ReleaseIssue } from './types/release/release-issue.ts';
export type { Axis, ReleaseSettings, Tier, TierRules } from './types/release/release-rules.ts';
export type { TrialLine } from './types/release/trial-line.ts';
export type { Origin, SuiteName } from './types/release/origin.ts';
export type { ShardId, ShardScenario, ShardSummary } from './types/shard.ts';
export type { PlannedBar, SuitePlan } from './types/suite-plan.ts';
export type {
  AuditedRow,
  RowConflict,
  RowHistograms,
  RowOutcome,
  RowVerdict,
  StatedCount,
  TableAudit,
} from './types/audit/table-audit.ts';
export type { TrialRow } from './types/rows/trial-row.ts';
export type { JudgeCriterion, JudgeRuling, JudgeSetting } from './types/judges/judge.ts';
export type { JudgeReport, JudgeStanding } from './types/judges/judge-report.ts';
export type { CalibrationPins, JudgeCalibration } from './types/judges/judge-calibration.ts';
export type { JudgeTunnel, TunnelJudge, TunnelProtocol } from './types/judges/judge-tunnel.ts';
export type { AuditedTask, GoldResult, SetAudit, TrivialResult, TrivialSubject } from './types/audit/set-audit.ts';
export type { Trace, TraceEvent } from './types/trace.ts';
export type { ErrorCategory, Outcome, StoppedBy, SubjectStatus, TrialResult, Verdict } from './types/trial.ts';
export type { AnswerTree, ChoicePart, LeafPart, TreeAnswer, TreePart, TreeStep } from './types/answer-tree.ts';
export type { ExactReport, FailingAnswers, ServedAnswer } from './types/exact.ts';
export { VERSION } from './version.ts';
export type { DefinitionPart, PluginDefinition, PluginPart, SuiteDefinition } from './types/suite.ts';
export type { PluginCase, PluginReport, SuiteResult } from './types/report.ts';
export type { DefinitionBase, ResultBase } from './types/suite-base.ts';
