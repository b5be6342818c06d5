import type { BrokenCause } from './scenarios/broken-cause.ts';
import type { DeclinedQuestions } from './scenarios/declined-questions.ts';
import type { CostReport } from './scenarios/cost-report.ts';
import type { FaultKind } from './chaos.ts';
import type { ExactReport } from './exact.ts';
import type { Finding } from './finding.ts';
import type { Issue, Location } from './issue.ts';
import type { JudgeReport } from './judges/judge-report.ts';
import type { SuiteName } from './release/origin.ts';
import type { Amount, Count, Proportion } from './numbers.ts';
import type { EffectPort } from './permissions.ts';
import type { LedgerSum, TrialRecord } from './record.ts';
import type { RecordingReport } from './recording.ts';
import type { Sampler } from './scenario.ts';
import type { SessionReport } from './sessions/session-report.ts';
import type { ScenarioPlace } from './ladders/scenario-place.ts';
import type { StoppedBy, SubjectStatus } from './trial.ts';
import type { StopEarlyReport } from './stop-early.ts';
import type { TrialCounts } from './suite-summary.ts';
import type { TraceContext, TraceEvent } from './trace.ts';

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
  readonly verdict: 'passed' | 'failed' | 'not_run' | 'load_error';
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
  /** By the higher of its own bar and the suite's floor. */
  readonly verdict: 'passed' | 'failed';
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
  readonly passHatK: readonly { readonly k: Count; readonly value: Proportion }[];
  /** What its trials cost. */
  readonly cost: CostReport;
  /** What all trials cost, by kind, name and attempt; absent: the run was not asked for it. */
  readonly ledger?: readonly LedgerSum[];
  /** Trials by how their run ended. */
  readonly statuses: Readonly<Record<SubjectStatus, Count>>;
  /** What ended the trials; kinds that never happened are left out. */
  readonly stoppedBy: Readonly<Partial<Record<StoppedBy, Count>>>;
  /** Virtual time, milliseconds. */
  readonly virtualMs: { readonly mean: Amount; readonly max: Amount };
  /** Trials that failed each check, most frequent first. */
  readonly checks: readonly { readonly check: string; readonly failed: Count }[];
  /** Which checks fail together, most frequent first; at most 64. */
  readonly failureClasses: readonly {
    readonly checks: readonly string[];
    readonly count: Count;
    readonly lowestTrial: Count;
  }[];
  /** Why trials are broken, most frequent first; at most 64 causes. Absent: none is. */
  readonly brokenCauses?: readonly BrokenCause[];
  /** Broken trials that were not run, because trials before them ended their workers or hung too often. Absent: none. */
  readonly notRun?: Count;
  /** Broken trials that asked for what was never recorded, and their share of all that were run. Absent: none did. */
  readonly replayMisses?: { readonly count: Count; readonly rate: Proportion };
  /** Trials that were run again since they were broken, those of them that passed then, and how often in all. Absent: none. */
  readonly retried?: { readonly trials: Count; readonly passed: Count; readonly retries: Count };
  /** What MCP servers asked a user and nothing answered, most frequent first; at most 64. Absent: nothing. */
  readonly declined?: readonly DeclinedQuestions[];
  /** How often each variant of each turn was served. */
  readonly turns: readonly { readonly turn: string; readonly served: readonly Count[] }[];
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
  readonly nodes: readonly { readonly node: string; readonly type: string; readonly visits: Count }[];
  /** How often each edge was followed, in file order. */
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly when: string | null;
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
  return scenario.verdict === 'passed' || scenario.verdict === 'failed';
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

/** What a declared fault did over all trials. */
export interface FaultCount {
  /** What is declared, in short. */
  readonly fault: string;
  /** What kind of fault it is. */
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
  /** The check's name. */
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
  /** Of those judged, disobeyed where the check only advises, so that the trial passes all the same. */
  readonly advised: Count;
}

/** A failing or broken trial as the one who ran it saw it. */
export interface FailureDetail {
  /** Counts from 0. */
  readonly trial: Count;
  /** Whether the subject failed, or the harness broke the trial. */
  readonly verdict: 'failed' | 'broken';
  /** Failed checks only. */
  readonly findings: readonly Finding[];
  /** Nodes in the order walked, repeats included. */
  readonly path: readonly string[];
  /** How the subject ended; null: it did not. */
  readonly status: SubjectStatus | null;
  /** What made it end there; null when it is broken. */
  readonly stoppedBy: StoppedBy | null;
  /** Why, as the subject says; null: it does not. */
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
  /** What happened, in order. */
  readonly events: readonly TraceEvent[];
  /** Events after these that did not fit. */
  readonly omitted: number;
}

/** A failing or broken trial that is shown in full. */
export interface FailureReport extends FailureDetail {
  /** The command that shows this trial, or the call for a scenario made in memory; its file is named as `file` is. Null: it was
   * live and was not recorded, or functions of a program answered it. */
  readonly replay: string | null;
  /** The trace that agents, models and servers were told to take part in; absent: they were not told. */
  readonly traceContext?: TraceContext;
}
