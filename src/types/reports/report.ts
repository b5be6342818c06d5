import type { AttackReport } from '../sessions/attack-report.ts';
import type { Issue } from '../issue.ts';
import type { ContractReport, OverallScore } from './contract-report.ts';
import type { DriftReport } from './drift.ts';
import type { GoldenReport } from '../golden/golden-report.ts';
import type { GeneratedReport } from '../generated/generated-set.ts';
import type { ForecastReport } from './forecast.ts';
import type { GateExpression } from './gate.ts';
import type { JsonObject } from '../json.ts';
import type { LiveReport } from './live-report.ts';
import type { ModelReport } from '../model-suite.ts';
import type { LadderReport } from '../ladders/ladder.ts';
import type { MatrixReport } from '../matrix/matrix.ts';
import type { RobustnessReport } from '../mutations/mutation.ts';
import type { Count, Proportion } from '../numbers.ts';
import type { ReleaseReport } from '../release/release-report.ts';
import type { ScenarioReport } from './scenario-report.ts';
import type { ResultBase } from '../suite-base.ts';
import type { SuiteSummary, TrialCounts } from './suite-summary.ts';
import type { TimingReport } from './timing-report.ts';

/** The report's shape; a change that breaks readers is a new number. */
export const REPORT_SCHEMA = 'passk-report/3';

/**
 * What a run found out. Everything but `timing` is the same bytes for any number of workers.
 */
export interface SuiteReport {
  /** Version of this shape; readers refuse what they do not know. */
  readonly schema: typeof REPORT_SCHEMA;
  /** Version of passk that ran. */
  readonly passk: string;
  /** The seed of every draw that no scenario overrides. */
  readonly seed: Count;
  /** True: stopped before its end, by a signal, a budget or `bail`; numbers cover what had run. */
  readonly partial: boolean;
  /** The run in numbers. */
  readonly summary: SuiteSummary;
  /** In plan order: the order of discovery. */
  readonly scenarios: readonly ScenarioReport[];
  /** What files gave that are run as several scenarios, such as contracts: kind by kind, in the order of discovery. */
  readonly results: readonly SuiteResult[];
  /** Absent: there is no contract. */
  readonly overall?: OverallScore;
  /** What prompts, models or settings came to that were compared; absent: no file has a matrix. */
  readonly matrices?: readonly MatrixReport[];
  /** What grew with the rungs of ladders; absent: there is none. */
  readonly ladders?: readonly LadderReport[];
  /** What generators made, and how changed scenarios came out beside the original ones; absent: no file generates any. */
  readonly generated?: readonly GeneratedReport[];
  /** What mutations did to sessions; absent: none was declared, or none ran. */
  readonly robustness?: RobustnessReport;
  /** What attacks came to, agent by agent; absent: no file has attacks. */
  readonly attacks?: readonly AttackReport[];
  /** Which capabilities were claimed, and seen. */
  readonly coverage: CoverageReport;
  /** How injections ended. */
  readonly security: SecurityReport;
  /** The verdict with its reasons. */
  readonly gate: GateReport;
  /** Absent: not compared with a baseline. */
  readonly drift?: DriftReport;
  /** Absent: not asked for. */
  readonly forecast?: ForecastReport;
  /** What the run decided of a release; absent: it was none. */
  readonly release?: ReleaseReport;
  /** How the run compares with the baseline of a golden set; absent: it was held to none. */
  readonly golden?: GoldenReport;
  /** Absent: no real model was asked. */
  readonly live?: LiveReport;
  /** Warnings of all files, then what the run itself has to say. */
  readonly notices: readonly Issue[];
  /** Clocks, workers and host: the only branch that may differ between equal runs. Left out of JSON on request. */
  readonly timing: TimingReport;
}

/** Which capabilities were claimed, and which were seen. */
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

/** Injections: the scenarios that claim `security_injection`. Attacks on sessions are another thing, see `attacks`. */
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
  /** Trials in which something did not hold that the scenario expects under an injection. */
  readonly succeeded: Count;
  /** succeeded / trials. */
  readonly successRate: Proportion | null;
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The verdict of a run, with its reasons. */
export interface GateReport {
  /** Whether the run may pass. */
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  /** The suite floor; null: none. */
  readonly minPassRate: Proportion | null;
  /** Sentences; [] when the gate passed. */
  readonly reasons: readonly string[];
  /** Scenarios below the higher of their own bar and the floor. */
  readonly violations: readonly {
    /** The scenario below its bar. */
    readonly scenario: string;
    /** Its pass rate; null: it was not run. */
    readonly passRate: Proportion | null;
    /** Of a scenario whose answers are enumerated, instead of `passRate`. */
    readonly exactPassRate?: Proportion;
    /** The bar. */
    readonly required: Proportion;
  }[];
  /** What each gate expression said, in the order given. */
  readonly expressions: readonly GateExpression[];
}

/** What the cases of a file gave together, as the plug-in says that loaded it. */
export interface PluginReport extends ResultBase {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  /** The cases, in the order of the file. */
  readonly cases: readonly PluginCase[];
  /** Whatever the plug-in has to say. */
  readonly data: JsonObject;
}

/** One case, in the order of its file. */
export interface PluginCase {
  /** The case's name. */
  readonly name: string;
  /** Trials of the case. */
  readonly trials: TrialCounts;
  /** Trials that failed each invariant, most frequent first. */
  readonly checks: readonly {
    /** The check's name. */
    readonly check: string;
    /** Trials that it failed in. */
    readonly failed: Count;
  }[];
  /** Of the lowest failing or broken trial: what was wrong; null: none was, or nothing is known of it. */
  readonly message: string | null;
  /** The command that repeats that trial; null: none does. */
  readonly replay: string | null;
}

/** What a definition gave. */
export type SuiteResult = ContractReport | ModelReport | PluginReport;
