/** Runs that are there already: histories, baselines, recordings and traces. */
export { type HistoryTrendOptions, historyTrends } from '../baseline/history-trends.ts';
export { renderHistory, renderKeptRun } from '../report/render-history.ts';
export { renderComparison } from '../report/render-comparison.ts';
export { type AnswerTreeOptions, renderAnswerTree } from '../report/render-answer-tree.ts';
export { renderTrialRow, type TableFormat, trialRowsHead } from '../report/render-trial-row.ts';
export { renderTrace, traceLines } from '../report/render-trace.ts';
export { type RecordedTrial, runRecord } from '../report/run-record.ts';
export { compareRecordings, type CompareRecordingsOptions } from '../suite/recordings/compare-recordings.ts';
export { exportTrials, type ExportTrialsOptions } from '../suite/recordings/export-trials.ts';
export { type GeneratedFiles, generateScenarios } from '../suite/generated/generate-scenarios.ts';
export { openHistory, readHistory } from '../suite/history/open-history.ts';
export type { History, HistoryContents, ReadHistoryOptions } from '../suite/history/open-history.ts';
export { type ExplainOptions, explainScenario } from '../suite/explain-scenario.ts';
export { readReport } from '../suite/read-report.ts';
export { traceFailures, type TraceFailuresOptions } from '../suite/trace-failures.ts';
export { type TracedTrial, traceTrial, type TraceTrialOptions } from '../suite/trace-trial.ts';
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
} from '../types/reports/comparison.ts';
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
} from '../types/recording.ts';
export type {
  HistoryChange,
  HistoryPoint,
  HistoryRun,
  HistoryScenario,
  HistoryTrend,
  KeptRun,
} from '../types/reports/history.ts';
export type { TrialRow } from '../types/rows/trial-row.ts';
export type { Trace, TraceEvent } from '../types/trace.ts';
export type { AnswerTree, ChoicePart, LeafPart, TreeAnswer, TreePart, TreeStep } from '../types/answer-tree.ts';
