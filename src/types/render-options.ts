import type { HistoryTrend } from './reports/history.ts';
import type { TraceEvent } from './trace.ts';

/** How a report is shown; plain data, so that a reporter is a function of it and the report. */
export interface RenderOptions {
  /** Widest line; kept between 40 and 120. */
  readonly columns: number;
  /** ANSI colours; never the only carrier of a meaning. */
  readonly color: boolean;
  /** False: ASCII only, for terminals that do not speak UTF-8. */
  readonly unicode: boolean;
  /** Every scenario, every recorded failure, every notice. */
  readonly verbose: boolean;
  /** Failures and the verdict only. */
  readonly quiet: boolean;
  /** True: clocks, workers and host are part of machine-readable reports. */
  readonly timing: boolean;
  /** Put before names of files, with a `/`, for readers that start from another folder. */
  readonly filePrefix?: string;
  /** The longest text, in bytes, that its reader takes; reporters that can be cut keep to it. */
  readonly maxBytes?: number;
  /** What became of the scenarios over earlier runs, this one included; only some reporters show it. */
  readonly trends?: readonly HistoryTrend[];
  /** Failing trials of the report step by step; only some reporters show them. */
  readonly traces?: readonly FailureTrace[];
}

/** What happened in a failing trial. */
export interface FailureTrace {
  /** The scenario's file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** The scenario's name: a file may hold several. */
  readonly scenario: string;
  /** Number of the trial. */
  readonly trial: number;
  /** What happened, in order. */
  readonly events: readonly TraceEvent[];
}

/** A file in the folder of a reporter that writes several. */
export interface ReportFile {
  /** Path inside the folder, with `/`. */
  readonly name: string;
  /** The file's text. */
  readonly text: string;
}
