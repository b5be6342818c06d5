/** Types of what goes in and comes out. */
export type { NodeKeys } from '../types/definitions/node-keys.ts';
export type { Gate, GateChance, GateDescription, GateExpression, GateJudgement } from '../types/reports/gate.ts';
export type { GateOperator, GateResult, GateScope, GateSide, GateVerdict } from '../types/reports/gate.ts';
export type { Baseline, BaselineScenario } from '../types/baseline.ts';
export type {
  DriftLevels,
  DriftName,
  DriftReport,
  DriftRule,
  DriftRun,
  OverallDrift,
  ScenarioDrift,
  TokenDrift,
} from '../types/reports/drift.ts';
export type { Agent, AgentAnswer, AgentProxy, AgentReset, AgentRun, AgentTarget } from '../types/agent.ts';
export type { Chaos, ContextAttack, FaultTrigger, LlmFault, ToolFault } from '../types/chaos.ts';
export type { ChaosScenario, Contract, ContractPart, ContractSubject, PhaseWeights } from '../types/contract.ts';
export type {
  ContractCell,
  ContractColumn,
  ContractEvidence,
  ContractReport,
  ContractRow,
  OverallPhase,
  OverallScore,
} from '../types/reports/contract-report.ts';
export type { TaskRow } from '../types/recordings/task-row.ts';
export type { Finding } from '../types/reports/finding.ts';
export type { ProgressReport, SessionReport } from '../types/sessions/session-report.ts';
export type { Invariant, InvariantRule, Severity, When } from '../types/invariant.ts';
export type {
  ForecastOptions,
  ForecastPayment,
  ForecastReport,
  ForecastRow,
  PriceTable,
} from '../types/reports/forecast.ts';
export type { Isolation } from '../types/isolation.ts';
export type { Issue, Location } from '../types/issue.ts';
export type { Json, JsonObject } from '../types/json.ts';
export type { LiveModelReport, LiveReport } from '../types/reports/live-report.ts';
export type { EffectPort, Grant, Permissions } from '../types/permissions.ts';
export type { BrokenCause } from '../types/scenarios/broken-cause.ts';
export type { DeclinedQuestions } from '../types/scenarios/declined-questions.ts';
export type { FailingScenario, ProgressEvent, ProgressRow, RowState } from '../types/progress.ts';
export type { SequentialTest, StopEarlyReport, StopRule } from '../types/stop-early.ts';
export type { FailureTrace, RenderOptions, ReportFile } from '../types/render-options.ts';
export type { ReportAnswer, ReportMessage, ReportSender } from '../types/reports/report-message.ts';
export type { CoverageReport, GateReport, SecurityReport, SuiteReport } from '../types/reports/report.ts';
export type {
  EnumeratedScenario,
  JudgedScenario,
  LoadedScenarioReport,
  NotRunScenario,
  SampledScenario,
  ScenarioReport,
  UnloadedScenario,
} from '../types/reports/scenario-report.ts';
export type {
  FailureDetail,
  FailureReport,
  FaultCount,
  RecordedTrace,
  RulingCount,
} from '../types/scenarios/failure-report.ts';
export type { CostReport } from '../types/scenarios/cost-report.ts';
export type { TimingReport } from '../types/reports/timing-report.ts';
export type { SuitePassHatK, SuiteSummary, TrialCounts } from '../types/reports/suite-summary.ts';
export type { LoadedScenario, Sampler, Scenario } from '../types/scenario.ts';
export type { CounterName } from '../types/trial.ts';
export type { ShardId, ShardScenario, ShardSummary } from '../types/shard.ts';
export type { PlannedBar, SuitePlan } from '../types/suite-plan.ts';
export type { ErrorCategory, Outcome, StoppedBy, SubjectStatus, TrialResult, Verdict } from '../types/trial.ts';
export type { ExactReport, FailingAnswers, ServedAnswer } from '../types/reports/exact.ts';
export type { DefinitionPart, PluginDefinition, PluginPart, SuiteDefinition } from '../types/suite.ts';
export type { PluginCase, PluginReport, SuiteResult } from '../types/reports/report.ts';
export type { DefinitionBase, ResultBase } from '../types/suite-base.ts';
