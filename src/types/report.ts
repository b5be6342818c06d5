import type { Issue, Location } from './issue.ts';
import type { FaultKind } from './chaos.ts';
import type { ContractReport, OverallScore } from './contract-report.ts';
import type { DriftReport } from './drift.ts';
import type { ExactReport } from './exact.ts';
import type { Finding } from './finding.ts';
import type { ForecastReport } from './forecast.ts';
import type { GateExpression } from './gate.ts';
import type { CassetteMode } from './cassette.ts';
import type { LiveReport } from './live-report.ts';
import type { EffectPort } from './permissions.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { TrialRecord } from './record.ts';
import type { CounterName, Sampler } from './scenario.ts';
import type { StopEarlyReport } from './stop-early.ts';
import type { SuiteSummary, TrialCounts } from './suite-summary.ts';
import type { TraceEvent } from './trace.ts';
import type { StoppedBy, SubjectStatus } from './trial.ts';

/** The report's shape; a change that breaks readers is a new number. */
export const REPORT_SCHEMA = 'passk-report/2';

/**
 * What a run found out. Everything but `timing` is the same bytes for any number of workers. For readers only: parts in
 * which scenarios are alike may be one frozen object.
 */
export interface SuiteReport {
  readonly schema: typeof REPORT_SCHEMA;
  /** Version of passk that ran. */
  readonly passk: string;
  readonly seed: number;
  /** True: stopped before its end; numbers cover what had run. */
  readonly partial: boolean;
  readonly summary: SuiteSummary;
  /** In plan order: the order of discovery. */
  readonly scenarios: readonly ScenarioReport[];
  /** Absent: the suite holds no contract. */
  readonly contracts?: readonly ContractReport[];
  /** Absent: the suite holds no contract. */
  readonly overall?: OverallScore;
  readonly coverage: CoverageReport;
  readonly security: SecurityReport;
  readonly gate: GateReport;
  /** Absent: not compared with a baseline. */
  readonly drift?: DriftReport;
  /** Absent: not asked for. */
  readonly forecast?: ForecastReport;
  /** Absent: no real model was asked. */
  readonly live?: LiveReport;
  /** Warnings of all files, then what the run itself has to say. */
  readonly notices: readonly Issue[];
  /** Clocks, workers and host: the only branch that may differ between equal runs. */
  readonly timing: TimingReport;
}

export interface ScenarioReport {
  readonly name: string;
  readonly file: string;
  /** Where the file says what did not hold, without a frame; looked up for the first failing scenarios only. */
  readonly at?: Location;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly capabilities: readonly string[];
  /** By the higher of its own bar and the suite's floor. */
  readonly verdict: 'passed' | 'failed' | 'load_error';
  /** The suite's floor, where that alone failed it: it clears its own bar. */
  readonly belowFloor?: number;
  /** Problems that kept it from running; [] when it ran. */
  readonly loadErrors: readonly Issue[];
  /** True: every answer came from the plan, so the same seed gives the same bytes. */
  readonly pure: boolean;
  /** Ports that the real world could answer, by the user's grants; absent: none. */
  readonly effects?: readonly EffectPort[];
  readonly seed: number;
  readonly sampler: Sampler;
  readonly trials: TrialCounts;
  /** Absent: it ran all its trials, whatever they gave. */
  readonly stopEarly?: StopEarlyReport;
  readonly passRate: number | null;
  /**
   * 95 %: Wilson's score interval; with `stopEarly` a confidence sequence, which holds whenever a run stops.
   */
  readonly passRateInterval: readonly [number, number] | null;
  /** 1 when every trial passed, else 0. */
  readonly strictPassK: number | null;
  /** Unbiased chance that k trials all pass, for listed k. */
  readonly passHatK: readonly { readonly k: number; readonly value: number }[];
  /** The scenario's own bar; null: every trial must pass. */
  readonly minPassRate: number | null;
  /**
   * What enumerating its answers gave; then no trial was sampled, and what is measured on trials is null. Absent: sampled,
   * or `reasons.exact` says why there is none.
   */
  readonly exact?: ExactReport;
  readonly cost: CostReport;
  readonly statuses: Readonly<Record<SubjectStatus, number>>;
  readonly stoppedBy: Readonly<Partial<Record<StoppedBy, number>>>;
  /** Virtual time, milliseconds. */
  readonly virtualMs: { readonly mean: number | null; readonly max: number };
  /** Trials that failed each check, most frequent first. */
  readonly checks: readonly { readonly check: string; readonly failed: number }[];
  /** Which checks fail together, most frequent first; at most 64. */
  readonly failureClasses: readonly {
    readonly checks: readonly string[];
    readonly count: number;
    readonly lowestTrial: number;
  }[];
  /** The lowest failing trials, shown in full. */
  readonly failures: readonly FailureReport[];
  /** Why trials are broken, most frequent first; at most 64 causes. Absent: none is. */
  readonly brokenCauses?: readonly BrokenCause[];
  /** Broken trials that were not run, because trials before them ended their workers or hung too often. Absent: none. */
  readonly notRun?: number;
  /** Visits over all trials, in file order; children as `key#node`. */
  readonly nodes: readonly { readonly node: string; readonly type: string; readonly visits: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly when: string | null;
    readonly visits: number;
  }[];
  /** How often each variant of each turn was served. */
  readonly turns: readonly { readonly turn: string; readonly served: readonly number[] }[];
  readonly observed: readonly string[];
  /** Every fault declared around the subject; absent: none is declared. */
  readonly chaos?: readonly FaultCount[];
  /** Names of calls of tools that were seen under chaos, in alphabetical order, at most 32; absent: no chaos is declared. */
  readonly calls?: readonly string[];
  /** How often each invariant could be judged; absent: in every trial that passed or failed. */
  readonly rulings?: readonly RulingCount[];
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Broken trials with one cause; of long causes the beginning counts. */
export interface BrokenCause {
  readonly cause: string;
  readonly count: number;
  readonly lowestTrial: number;
}

/** What a declared fault did over all trials. */
export interface FaultCount {
  readonly fault: string;
  readonly kind: FaultKind;
  /** How often it fired. */
  readonly fired: number;
  /** Trials in which it did. */
  readonly trials: number;
  /** True: nothing reads what it does, so that it proves nothing; absent: something may. */
  readonly unread?: true;
}

/** Trials in which an invariant was judged, or was not. */
export interface RulingCount {
  readonly check: string;
  /** Obeyed or disobeyed: a rule about faults only where one of them struck. */
  readonly judged: number;
  /** Of these, judged on an answer that a fault struck. */
  readonly struck: number;
  /** Of these, disobeyed by such an answer. */
  readonly disobeyedStruck: number;
  /** Nobody could tell whether it was obeyed. */
  readonly undecided: number;
  /** Faults came before the subject was asked. */
  readonly unasked: number;
}

export interface CostReport {
  readonly first: Readonly<Record<CounterName, number>> | null;
  readonly mean: Readonly<Record<CounterName, number>> | null;
  readonly total: Readonly<Record<CounterName, number>>;
  /** Standard deviation of the tokens of one trial, without bias; null for fewer than two trials. */
  readonly deviation: number | null;
  /** Tokens of all trials over passing trials; null when none passed. */
  readonly perSuccess: number | null;
  /**
   * 95 %, for more trials of it. An upper end of null is without limit: no trial failed, so nothing tells what a failing
   * one costs. Null also for a single trial, and where a run could stop early.
   */
  readonly perSuccessInterval: readonly [number, number | null] | null;
}

/** A failing or broken trial as the one who ran it saw it. */
export interface FailureDetail {
  readonly trial: number;
  readonly verdict: 'failed' | 'broken';
  /** Failed checks only. */
  readonly findings: readonly Finding[];
  readonly path: readonly string[];
  readonly status: SubjectStatus | null;
  /** What made it end there; null when it is broken. */
  readonly stoppedBy: StoppedBy | null;
  readonly reason: string | null;
  /** Why the harness failed; null unless `broken`. */
  readonly brokenBy: string | null;
  /** Declared faults that fired in this trial; absent: none is declared. */
  readonly fired?: readonly string[];
  /** The trial step by step, recorded while it ran; absent where it can be run again, because it is pure. */
  readonly trace?: RecordedTrace;
  /** What was said and done, where the subject is no workflow; absent where it is one, or others are kept instead. */
  readonly record?: TrialRecord;
}

/** What was kept of a trial's trace. */
export interface RecordedTrace {
  readonly events: readonly TraceEvent[];
  /** Events after these that did not fit. */
  readonly omitted: number;
}

export interface FailureReport extends FailureDetail {
  /**
   * The command that shows this trial step by step, or for a scenario made in memory the call; its file is named from the
   * suite root, as `file` is. Null: the trial was live and was not recorded, or functions of a program answered it.
   */
  readonly replay: string | null;
}

export interface CoverageReport {
  readonly total: number;
  /** Seen in passing trials, in matrix order. */
  readonly observed: readonly string[];
  /** Tagged by a passing scenario but never seen. */
  readonly claimed: readonly string[];
  readonly uncovered: readonly string[];
  /** Tags outside the matrix. */
  readonly unknown: readonly string[];
  /** observed / total. */
  readonly fraction: number;
  /** Covered by tags of passing scenarios, as agentd-conformance counts it. */
  readonly byTags: readonly string[];
}

/** The scenarios that claim `security_injection`, under attack. */
export interface SecurityReport {
  readonly scenarios: number;
  /** Of these: a passing trial was seen in which policy denied what a model's words had aimed at. */
  readonly observed: number;
  /** Trials that passed or failed. */
  readonly trials: number;
  /** Trials that say nothing, because the harness failed. */
  readonly broken: number;
  /** Requests that policy denied in all of their trials. */
  readonly denials: number;
  /** Trials in which something did not hold that the scenario expects under attack. */
  readonly succeeded: number;
  /** succeeded / trials. */
  readonly successRate: number | null;
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface GateReport {
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  /** The suite floor; null: none. */
  readonly minPassRate: number | null;
  readonly reasons: readonly string[];
  readonly violations: readonly {
    readonly scenario: string;
    readonly passRate: number | null;
    /** Of a scenario whose answers are enumerated, instead of `passRate`. */
    readonly exactPassRate?: number;
    readonly required: number;
  }[];
  /** What each gate expression said, in the order given. */
  readonly expressions: readonly GateExpression[];
}

export interface TimingReport {
  /**
   * The folder that names of files, and files in commands, start from, as seen from the folder that passk ran in; absent:
   * they start from that very folder.
   */
  readonly root?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly trialsPerSecond: number | null;
  /** Worker threads that took part; 0: the calling thread did it all. */
  readonly workers: number;
  readonly executor: 'inline' | 'workers' | 'queue';
  /** The worker processes that took part, by name; absent: there was no queue. */
  readonly queue?: readonly QueueWorker[];
  /** Code of the user, and what was granted, ran in processes of their own; absent: in threads, or there was none. */
  readonly isolation?: 'process';
  /** The file that answers were kept in or taken from; absent: there was none. */
  readonly cassette?: { readonly mode: CassetteMode; readonly name: string };
  readonly host: { readonly platform: string; readonly cores: number; readonly node: string };
}
