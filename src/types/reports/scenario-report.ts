import type { BrokenCause } from '../scenarios/broken-cause.ts';
import type { DeclinedQuestions } from '../scenarios/declined-questions.ts';
import type { FailureReport, FaultCount, RulingCount } from '../scenarios/failure-report.ts';
import type { CostReport } from '../scenarios/cost-report.ts';
import type { ExactReport } from './exact.ts';
import type { Issue, Location } from '../issue.ts';
import type { JudgeReport } from '../judges/judge-report.ts';
import type { SuiteName } from '../release/origin.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { EffectPort } from '../permissions.ts';
import type { LedgerSum } from '../record.ts';
import type { RecordingReport } from '../recording.ts';
import type { Sampler } from '../scenario.ts';
import type { SessionReport } from '../sessions/session-report.ts';
import type { ScenarioPlace } from '../ladders/scenario-place.ts';
import type { StoppedBy, SubjectStatus } from '../trial.ts';
import type { StopEarlyReport } from '../stop-early.ts';
import type { TrialCounts } from './suite-summary.ts';

/**
 * What became of a scenario, by `verdict` and `sampler`: trials were run, or its answers were enumerated, or the run ended
 * before it, or its file did not load. What one of these has not, it has no key for.
 */
export type ScenarioReport = SampledScenario | EnumeratedScenario | NotRunScenario | UnloadedScenario;

/** A scenario that the run reached, so that it passed or failed. */
export type JudgedScenario = SampledScenario | EnumeratedScenario;

/** A scenario whose file loaded. */
export type LoadedScenarioReport = JudgedScenario | NotRunScenario;

/** What is known of every scenario. */
interface ScenarioHead {
  /** The scenario's name. */
  readonly name: string;
  /** Relative to the root of the suite, with `/`. */
  readonly file: string;
  /** The verdict of the scenario. */
  readonly verdict: 'passed' | 'failed' | 'insufficient' | 'not_run' | 'load_error';
  /** What its author claims. */
  readonly capabilities: readonly string[];
  /** The seed of its trials. */
  readonly seed: Count;
  /** How answers were drawn. */
  readonly sampler: Sampler;
  /** Trials that were asked for, and what became of them. */
  readonly trials: TrialCounts;
}

/** Its file did not load. */
export interface UnloadedScenario extends ScenarioHead {
  readonly verdict: 'load_error';
  /** The problems that kept it from running. */
  readonly loadErrors: readonly Issue[];
}

/** What is known of a scenario that loaded. */
interface LoadedHead extends ScenarioHead, ScenarioPlace {
  /** What it is for; null: its file does not say. */
  readonly description: string | null;
  /** Words that choose it. */
  readonly tags: readonly string[];
  /** The part of the test material that it belongs to; absent: its file does not say. */
  readonly suite?: SuiteName;
  /** True: every answer came from the plan, so the same seed gives the same bytes. */
  readonly pure: boolean;
  /** Ports that the real world could answer, by the user's grants; absent: none. */
  readonly effects?: readonly EffectPort[];
  /** The scenario's own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
}

/** The run ended before it. */
export interface NotRunScenario extends LoadedHead {
  readonly verdict: 'not_run';
}

interface JudgedHead extends LoadedHead {
  /**
   * By the higher of its own bar and the suite's floor; `failed` where no trial has a result. `insufficient`: the run ended
   * early, and trials that did not run could make it pass or fail.
   */
  readonly verdict: 'passed' | 'failed' | 'insufficient';
  /** Where the file says what did not hold, without a frame; looked up for the first failing scenarios only. */
  readonly at?: Location;
  /** The suite's floor, where that alone failed it: it clears its own bar. */
  readonly belowFloor?: Proportion;
}

/** At least one trial was run. */
export interface SampledScenario extends Evidence, Measures, JudgedHead {
  /** How answers were drawn. */
  readonly sampler: Exclude<Sampler, 'exhaustive'>;
}

/** Every sequence of its answers was walked once; no trial was sampled. */
export interface EnumeratedScenario extends Evidence, Enumeration, JudgedHead {
  readonly sampler: 'exhaustive';
}

/** What is measured on trials. */
interface Measures {
  /** True: nobody outside is asked and nothing is drawn, so that all its trials are the same one; absent: they may differ. */
  readonly constant?: true;
  /** Absent: it ran all its trials, whatever they gave. */
  readonly stopEarly?: StopEarlyReport;
  /** Passed over passed, failed and broken. */
  readonly passRate: Proportion;
  /** 95 %: Wilson's score interval; with `stopEarly` a confidence sequence, which holds whenever a run stops. */
  readonly passRateInterval: readonly [Proportion, Proportion];
  /** 1 when every trial passed, else 0. */
  readonly strictPassK: 0 | 1;
  /** What only recorded trials have; absent: passk ran them. */
  readonly recording?: RecordingReport;
  /** What only sessions have; absent: its trials are none. */
  readonly session?: SessionReport;
  /** What judges made of its trials; absent: none was asked. Then all rates are those of the judges, uncorrected. */
  readonly judges?: readonly JudgeReport[];
  /** Unbiased chance that k trials all pass, for listed k. */
  readonly passHatK: readonly {
    /** The k of pass^k. */
    readonly k: Count;
    /** The value of pass^k. */
    readonly value: Proportion;
  }[];
  /** What its trials cost. */
  readonly cost: CostReport;
  /** What all trials cost, by kind, name and attempt; absent: the run was not asked for it. */
  readonly ledger?: readonly LedgerSum[];
  /** Trials by how their run ended. */
  readonly statuses: Readonly<Record<SubjectStatus, Count>>;
  /** What ended the trials; kinds that never happened are left out. */
  readonly stoppedBy: Readonly<Partial<Record<StoppedBy, Count>>>;
  /** Virtual time, milliseconds. */
  readonly virtualMs: {
    /** The mean, in milliseconds of virtual time. */
    readonly mean: Amount;
    /** The longest, in milliseconds of virtual time. */
    readonly max: Amount;
  };
  /** Trials that failed each check, most frequent first. */
  readonly checks: readonly {
    /** The name of the check. */
    readonly check: string;
    /** Trials that failed it. */
    readonly failed: Count;
  }[];
  /** Which checks fail together, most frequent first; at most 64. */
  readonly failureClasses: readonly {
    /** The checks that failed together. */
    readonly checks: readonly string[];
    /** Trials that failed these checks and no others. */
    readonly count: Count;
    /** The first of these trials. */
    readonly lowestTrial: Count;
  }[];
  /** Why trials are broken, most frequent first; at most 64 causes. Absent: none is. */
  readonly brokenCauses?: readonly BrokenCause[];
  /** Broken trials that were not run, because trials before them ended their workers or hung too often. Absent: none. */
  readonly notRun?: Count;
  /** Broken trials that asked for what was never recorded, and their share of all that were run. Absent: none did. */
  readonly replayMisses?: {
    /** Trials that asked for what was never recorded. */
    readonly count: Count;
    /** Their share of all trials. */
    readonly rate: Proportion;
  };
  /** Trials that were run again since they were broken, those of them that passed then, and how often in all. Absent: none. */
  readonly retried?: {
    /** Trials that were run again. */
    readonly trials: Count;
    /** Those of them that passed in the end. */
    readonly passed: Count;
    /** How often trials were run again. */
    readonly retries: Count;
  };
  /** What MCP servers asked a user and nothing answered, most frequent first; at most 64. Absent: nothing. */
  readonly declined?: readonly DeclinedQuestions[];
  /** How often each variant of each turn was served. */
  readonly turns: readonly {
    /** The name of the turn. */
    readonly turn: string;
    /** How often each variant was served. */
    readonly served: readonly Count[];
  }[];
  /** Why a number of its costs is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** What enumerating answers gave. */
interface Enumeration {
  /** Null: they could not be enumerated; `failures` say why. */
  readonly exact: ExactReport | null;
}

/** What verdict and measures rest on. */
interface Evidence {
  /** The lowest failing trials, shown in full. */
  readonly failures: readonly FailureReport[];
  /** Capabilities seen in passing trials. */
  readonly observed: readonly string[];
  /** Visits over all trials, in file order; children as `key#node`. Enumerated answers count none. */
  readonly nodes: readonly {
    /** The node. */
    readonly node: string;
    /** Its type. */
    readonly type: string;
    /** How often the trials passed here. */
    readonly visits: Count;
  }[];
  /** How often each edge was followed, in file order. */
  readonly edges: readonly {
    /** The node that the edge leaves. */
    readonly from: string;
    /** The node that the edge leads to. */
    readonly to: string;
    /** The condition of the edge; null: it has none. */
    readonly when: string | null;
    /** How often the trials passed here. */
    readonly visits: Count;
  }[];
  /** Every fault declared around the subject; absent: none is declared. */
  readonly chaos?: readonly FaultCount[];
  /** Names of calls of tools that were seen under chaos, in alphabetical order, at most 32; absent: no chaos is declared. */
  readonly calls?: readonly string[];
  /** How often each invariant could be judged; absent: in every trial that passed or failed. */
  readonly rulings?: readonly RulingCount[];
}

/** True for a scenario that the run reached. */
export function isJudged(scenario: ScenarioReport): scenario is JudgedScenario {
  return scenario.verdict !== 'not_run' && scenario.verdict !== 'load_error';
}

/** True for a scenario of which trials were run. */
export function isSampled(scenario: ScenarioReport): scenario is SampledScenario {
  return isJudged(scenario) && scenario.sampler !== 'exhaustive';
}

/**
 * Trials that rates count: all but those that a simulated user spoilt, where these are no more than its file allows. `broken`
 * are the broken ones among them.
 */
export function ratedTrials(scenario: ScenarioReport): { readonly ran: Count; readonly broken: Count } {
  const { passed, failed, broken } = scenario.trials;
  const spoilt = isSampled(scenario) ? (scenario.session?.user?.leftOut ?? 0) : 0;
  return { ran: passed + failed + broken - spoilt, broken: broken - spoilt };
}

/** The part of the test material that a scenario belongs to; undefined: its file does not say, or did not load. */
export function suiteOf(scenario: ScenarioReport): SuiteName | undefined {
  return scenario.verdict === 'load_error' ? undefined : scenario.suite;
}

/** The exact numbers of a scenario whose answers were enumerated; null: it has none. */
export function exactOf(scenario: ScenarioReport): ExactReport | null {
  return isJudged(scenario) && scenario.sampler === 'exhaustive' ? scenario.exact : null;
}

/** The first failing trials that are shown in full; []: none is. */
export function failuresOf(scenario: ScenarioReport): readonly FailureReport[] {
  return isJudged(scenario) ? scenario.failures : [];
}

/** The problems of a file that did not load; []: it did. */
export function loadErrorsOf(scenario: ScenarioReport): readonly Issue[] {
  return scenario.verdict === 'load_error' ? scenario.loadErrors : [];
}
