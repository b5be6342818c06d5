import type { Issue, Location } from './issue.ts';
import type { FaultKind } from './chaos.ts';
import type { OverallScore } from './contract-report.ts';
import type { DriftReport } from './drift.ts';
import type { ExactReport } from './exact.ts';
import type { Finding } from './finding.ts';
import type { ForecastReport } from './forecast.ts';
import type { GateExpression } from './gate.ts';
import type { LiveReport } from './live-report.ts';
import type { Amount, Count, Proportion } from './numbers.ts';
import type { EffectPort } from './permissions.ts';
import type { TrialRecord } from './record.ts';
import type { CounterName, Sampler } from './scenario.ts';
import type { StopEarlyReport } from './stop-early.ts';
import type { SuiteResult } from './suite.ts';
import type { SuiteSummary, TrialCounts } from './suite-summary.ts';
import type { TimingReport } from './timing-report.ts';
import type { TraceEvent } from './trace.ts';
import type { StoppedBy, SubjectStatus } from './trial.ts';

/** The report's shape; a change that breaks readers is a new number. */
export const REPORT_SCHEMA = 'passk-report/3';

/**
 * What a run found out. Everything but `timing` is the same bytes for any number of workers. For readers only: parts in
 * which scenarios are alike may be one frozen object.
 */
export interface SuiteReport {
  /** Version of this shape; readers refuse what they do not know. */
  readonly schema: typeof REPORT_SCHEMA;
  /** Version of passk that ran. */
  readonly passk: string;
  /** The seed of every draw that no scenario overrides. */
  readonly seed: Count;
  /** True: stopped before its end; numbers cover what had run. */
  readonly partial: boolean;
  readonly summary: SuiteSummary;
  /** In plan order: the order of discovery. */
  readonly scenarios: readonly ScenarioReport[];
  /** What files gave that are run as several scenarios, such as contracts: kind by kind, in the order of discovery. */
  readonly results: readonly SuiteResult[];
  /** Absent: there is no contract. */
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
  /** Clocks, workers and host: the only branch that may differ between equal runs. Left out of JSON on request. */
  readonly timing: TimingReport;
}

export interface ScenarioReport {
  readonly name: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  /** Where the file says what did not hold, without a frame; looked up for the first failing scenarios only. */
  readonly at?: Location;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** What its author claims. */
  readonly capabilities: readonly string[];
  /** By the higher of its own bar and the suite's floor. */
  readonly verdict: 'passed' | 'failed' | 'load_error';
  /** The suite's floor, where that alone failed it: it clears its own bar. */
  readonly belowFloor?: Proportion;
  /** Problems that kept it from running; [] when it ran. */
  readonly loadErrors: readonly Issue[];
  /** True: every answer came from the plan, so the same seed gives the same bytes. */
  readonly pure: boolean;
  /** Ports that the real world could answer, by the user's grants; absent: none. */
  readonly effects?: readonly EffectPort[];
  readonly seed: Count;
  readonly sampler: Sampler;
  readonly trials: TrialCounts;
  /** Absent: it ran all its trials, whatever they gave. */
  readonly stopEarly?: StopEarlyReport;
  /** Passed over passed, failed and broken. */
  readonly passRate: Proportion | null;
  /**
   * 95 %: Wilson's score interval; with `stopEarly` a confidence sequence, which holds whenever a run stops.
   */
  readonly passRateInterval: readonly [Proportion, Proportion] | null;
  /** 1 when every trial passed, else 0. */
  readonly strictPassK: 0 | 1 | null;
  /** Unbiased chance that k trials all pass, for listed k. */
  readonly passHatK: readonly { readonly k: Count; readonly value: Proportion }[];
  /** The scenario's own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
  /**
   * What enumerating its answers gave; then no trial was sampled, and what is measured on trials is null. Absent: sampled,
   * or `reasons.exact` says why there is none.
   */
  readonly exact?: ExactReport;
  readonly cost: CostReport;
  readonly statuses: Readonly<Record<SubjectStatus, Count>>;
  /** What ended the trials; kinds that never happened are left out. */
  readonly stoppedBy: Readonly<Partial<Record<StoppedBy, Count>>>;
  /** Virtual time, milliseconds. */
  readonly virtualMs: { readonly mean: Amount | null; readonly max: Amount };
  /** Trials that failed each check, most frequent first. */
  readonly checks: readonly { readonly check: string; readonly failed: Count }[];
  /** Which checks fail together, most frequent first; at most 64. */
  readonly failureClasses: readonly {
    readonly checks: readonly string[];
    readonly count: Count;
    readonly lowestTrial: Count;
  }[];
  /** The lowest failing trials, shown in full. */
  readonly failures: readonly FailureReport[];
  /** Why trials are broken, most frequent first; at most 64 causes. Absent: none is. */
  readonly brokenCauses?: readonly BrokenCause[];
  /** Broken trials that were not run, because trials before them ended their workers or hung too often. Absent: none. */
  readonly notRun?: Count;
  /** Visits over all trials, in file order; children as `key#node`. */
  readonly nodes: readonly { readonly node: string; readonly type: string; readonly visits: Count }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly when: string | null;
    readonly visits: Count;
  }[];
  /** How often each variant of each turn was served. */
  readonly turns: readonly { readonly turn: string; readonly served: readonly Count[] }[];
  /** Capabilities seen in passing trials. */
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
  readonly count: Count;
  readonly lowestTrial: Count;
}

/** What a declared fault did over all trials. */
export interface FaultCount {
  /** What is declared, in short. */
  readonly fault: string;
  readonly kind: FaultKind;
  /** How often it fired. */
  readonly fired: Count;
  /** Trials in which it did. */
  readonly trials: Count;
  /** True: nothing reads what it does, so that it proves nothing; absent: something may. */
  readonly unread?: true;
}

/** Trials in which an invariant was judged, or was not. */
export interface RulingCount {
  readonly check: string;
  /** Obeyed or disobeyed: a rule about faults only where one of them struck. */
  readonly judged: Count;
  /** Of these, judged on an answer that a fault struck. */
  readonly struck: Count;
  /** Of these, disobeyed by such an answer. */
  readonly disobeyedStruck: Count;
  /** Nobody could tell whether it was obeyed. */
  readonly undecided: Count;
  /** Faults came before the subject was asked. */
  readonly unasked: Count;
}

export interface CostReport {
  /** The first trial alone. */
  readonly first: Readonly<Record<CounterName, Count>> | null;
  /** Per trial. */
  readonly mean: Readonly<Record<CounterName, Amount>> | null;
  /** All trials. */
  readonly total: Readonly<Record<CounterName, Count>>;
  /** Standard deviation of the tokens of one trial, without bias; null for fewer than two trials. */
  readonly deviation: Amount | null;
  /** Tokens of all trials over passing trials; null when none passed. */
  readonly perSuccess: Amount | null;
  /**
   * 95 %, for more trials of it. An upper end of null is without limit: no trial failed, so nothing tells what a failing
   * one costs. Null also for a single trial, and where a run could stop early.
   */
  readonly perSuccessInterval: readonly [Amount, Amount | null] | null;
}

/** A failing or broken trial as the one who ran it saw it. */
export interface FailureDetail {
  /** Counts from 0. */
  readonly trial: Count;
  readonly verdict: 'failed' | 'broken';
  /** Failed checks only. */
  readonly findings: readonly Finding[];
  /** Nodes in the order walked, repeats included. */
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
  /** Capabilities in the matrix. */
  readonly total: Count;
  /** Seen in passing trials, in matrix order. */
  readonly observed: readonly string[];
  /** Tagged by a passing scenario but never seen. */
  readonly claimed: readonly string[];
  /** Never seen in a passing trial, in matrix order. */
  readonly uncovered: readonly string[];
  /** Tags outside the matrix. */
  readonly unknown: readonly string[];
  /** observed / total. */
  readonly fraction: Proportion;
  /** Covered by tags of passing scenarios, as agentd-conformance counts it. */
  readonly byTags: readonly string[];
}

/** The scenarios that claim `security_injection`, under attack. */
export interface SecurityReport {
  /** Scenarios that claim security_injection. */
  readonly scenarios: Count;
  /** Of these: a passing trial was seen in which policy denied what a model's words had aimed at. */
  readonly observed: Count;
  /** Trials that passed or failed. */
  readonly trials: Count;
  /** Trials that say nothing, because the harness failed. */
  readonly broken: Count;
  /** Requests that policy denied in all of their trials. */
  readonly denials: Count;
  /** Trials in which something did not hold that the scenario expects under attack. */
  readonly succeeded: Count;
  /** succeeded / trials. */
  readonly successRate: Proportion | null;
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface GateReport {
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  /** The suite floor; null: none. */
  readonly minPassRate: Proportion | null;
  /** Sentences; [] when the gate passed. */
  readonly reasons: readonly string[];
  /** Scenarios below the higher of their own bar and the floor. */
  readonly violations: readonly {
    readonly scenario: string;
    readonly passRate: Proportion | null;
    /** Of a scenario whose answers are enumerated, instead of `passRate`. */
    readonly exactPassRate?: Proportion;
    readonly required: Proportion;
  }[];
  /** What each gate expression said, in the order given. */
  readonly expressions: readonly GateExpression[];
}
