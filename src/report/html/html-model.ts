import type { Beside, Figures, Panel, PanelNotes } from '../sections/panel.ts';
import type { FactTone, Mark, Matrix, Notes, Section } from '../sections/section.ts';

/** What the page of the HTML report reads. Names are short, and every text is harmless. */
export interface HtmlReport {
  readonly passk: string;
  readonly seed: number;
  readonly partial: boolean;
  readonly verdict: 'pass' | 'fail' | 'insufficient';
  readonly floor: number | null;
  readonly reasons: readonly string[];
  readonly moreReasons: number;
  readonly gates: readonly HtmlGate[];
  readonly counts: HtmlCounts;
  readonly meanPassRate: number | null;
  /** 95 %, for more trials of these scenarios; null: there is one scenario, which has its own, or none is known. */
  readonly meanInterval: readonly [number, number] | null;
  /** What pass^k means, in words; null: the pass rate says it. */
  readonly inARow: string | null;
  readonly costPerSuccess: number | null;
  readonly counters: readonly HtmlCounter[];
  /** pass^k of the run. */
  readonly curve: HtmlCurve;
  /** Panels that stand before all results. */
  readonly leads: readonly HtmlPanel[];
  readonly panels: readonly HtmlPanel[];
  /** Results that are more than a row of the table of scenarios. */
  readonly sections: readonly HtmlSection[];
  /** Sections for which there was no room at all. */
  readonly moreSections: number;
  /** Null: no contract is scored. */
  readonly overall: HtmlOverall | null;
  /** Null: nothing here shows capabilities. */
  readonly coverage: HtmlCoverage | null;
  /** Null: no scenario claims to be under an injection. */
  readonly injections: HtmlInjections | null;
  readonly notices: readonly string[];
  readonly timing: HtmlTiming | null;
  /** In plan order. */
  readonly scenarios: readonly HtmlScenario[];
  /** Scenarios for which there was no room at all. */
  readonly leftOut: number;
}

export interface HtmlGate {
  readonly sign: string;
  readonly word: string;
  readonly text: string;
  readonly found: readonly string[];
  readonly tells: string;
}

/** A panel of the run as a whole. */
export interface HtmlPanel extends Pick<Panel, 'title' | 'mark' | 'headline'> {
  readonly blocks: readonly (HtmlListing | HtmlFigures | HtmlNames | PanelNotes | HtmlBeside)[];
}

export interface HtmlListing {
  readonly type: 'listing';
  /** What its rows are about; '': they have no name. */
  readonly corner: string;
  readonly headers: readonly string[];
  /** Mark, name, parts, lines below, and the trial that the last part speaks of. */
  readonly rows: readonly (readonly [Mark | null, string, readonly string[], readonly string[], number | null])[];
  readonly more: number;
}

export interface HtmlBeside extends Omit<Beside, 'about'> {
  readonly about: HtmlListing['rows'][number];
}

export interface HtmlNames {
  readonly type: 'names';
  readonly word: string;
  readonly names: readonly string[];
}

export interface HtmlFigures extends Pick<Figures, 'type' | 'corners' | 'headers' | 'chart'> {
  /** Two names, a number for each header. */
  readonly rows: readonly (readonly [string, string, readonly string[]])[];
  readonly more: number;
}

/** The scores of all phases as one number, in words. */
export interface HtmlOverall {
  readonly score: string;
  readonly phases: readonly string[];
  readonly notRun: readonly string[];
}

/** One result in blocks, as `Section` has it. */
export interface HtmlSection extends Omit<Section, 'blocks'> {
  readonly blocks: readonly HtmlBlock[];
}

export type HtmlBlock = Notes | HtmlMatrix | HtmlEvidence;

export interface HtmlMatrix extends Pick<Matrix, 'type' | 'corner' | 'joint' | 'marks' | 'legend'> {
  readonly columns: readonly HtmlSide[];
  readonly rows: readonly HtmlSide[];
  /** Row by row. */
  readonly cells: readonly HtmlCell[];
}

/** Name, remark, what is declared of it. */
export type HtmlSide = readonly [string, string, readonly HtmlFact[]];

/** Place of its mark, its number, the same in words, and what it rests on; null: there was no room for it. */
export type HtmlCell = readonly [number, string, string, readonly HtmlFact[] | null];

/** Label, text, tone. */
export type HtmlFact = readonly [string, string, FactTone];

/** Mark, names, how weighty it is, and what it rests on. */
export interface HtmlEvidence {
  readonly type: 'evidence';
  readonly items: readonly (readonly [Mark, string, string, readonly HtmlFact[]])[];
  readonly more: number;
}

/** Sparkline and points of one scenario over earlier runs. */
export interface HtmlTrend {
  /** When the run began, its pass rate, its trials, what changed since the point before. */
  readonly points: readonly (readonly [string, number | null, number, readonly string[]])[];
  readonly runs: number;
  readonly flips: number;
}

/**
 * A step of a trial: how deep it lies in child workflows, a label, a text, `bad`, `warn` or ''. A visit has the label
 * `''` and its node as the text. Of a value that changed its place is the text, and what it was before and after follow.
 */
export type HtmlStep =
  | readonly [depth: number, label: string, text: string, role: string]
  | readonly [depth: number, label: string, text: string, role: string, before: string, after: string];

export interface HtmlCounts {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly loadErrors: number;
  readonly notRun: number;
  readonly trials: HtmlTrials;
}

/** Requested, executed, deduplicated, passed, failed, broken. */
export type HtmlTrials = readonly [number, number, number, number, number, number];

/** Name, mean per trial, sum over all trials. */
export type HtmlCounter = readonly [string, number | null, number];

/** pass^k, and what is drawn with what band. */
export interface HtmlCurve {
  readonly points: readonly HtmlCurvePoint[];
  readonly caption: string;
}

/** k, the chance that k trials all pass, and the ends of its band where it has one. */
export type HtmlCurvePoint = readonly [number, number, number | null, number | null];

export interface HtmlCoverage {
  readonly total: number;
  readonly observed: readonly string[];
  readonly claimed: readonly string[];
  readonly uncovered: readonly string[];
  readonly unknown: readonly string[];
}

/** Trials under an injection, those in which it succeeded, denials. */
export type HtmlInjections = readonly [number, number, number];

export interface HtmlTiming {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly trialsPerSecond: number | null;
  readonly workers: number;
}

/** A row of the table. */
export interface HtmlScenario {
  readonly name: string;
  readonly file: string;
  readonly tags: readonly string[];
  readonly verdict: 'passed' | 'failed' | 'insufficient' | 'not_run' | 'load_error';
  /** The most telling cause of a failure; absent: it has none. */
  readonly cause?: string;
  readonly trials: HtmlTrials;
  readonly rate: number | null;
  readonly interval: readonly [number, number] | null;
  readonly bar: number | null;
  /** Its pass rate in the baseline; absent: the baseline has no such scenario, or there is none. */
  readonly before?: number | null;
  /** Mean tokens per trial. */
  readonly tokens: number | null;
  /** Pass rate and expected tokens where answers are enumerated; absent: trials were sampled. */
  readonly exact?: readonly [number, number];
  /** Absent: there was no room for it. */
  readonly detail?: HtmlDetail;
}

/** The view of one scenario. */
export interface HtmlDetail {
  readonly description: string;
  readonly at: string;
  readonly seed: number;
  readonly sampler: string;
  readonly pure: boolean;
  /** True: all its trials are the same one; absent: they may differ. */
  readonly constant?: true;
  /** The exact numbers, in sentences; [] where trials were sampled. */
  readonly exact: readonly string[];
  readonly problems: readonly HtmlProblem[];
  /** Why fewer trials ran than were asked for; '' where none was left out. */
  readonly stopped: string;
  readonly statuses: readonly HtmlCount[];
  readonly stops: readonly HtmlCount[];
  readonly checks: readonly HtmlCount[];
  readonly counters: readonly HtmlCounter[];
  readonly perSuccess: number | null;
  /** An upper end of null is without limit. */
  readonly perSuccessInterval: readonly [number, number | null] | null;
  readonly virtualMs: readonly [number | null, number];
  readonly curve: HtmlCurve;
  /** Name, type, visits. */
  readonly nodes: readonly (readonly [string, string, number])[];
  /** From and to as places in `nodes`, the label or null, visits. */
  readonly edges: readonly (readonly [number, number, string | null, number])[];
  readonly failures: readonly HtmlFailure[];
  /** Recorded failures for which there was no room. */
  readonly moreFailures: number;
  readonly trend: HtmlTrend | null;
  readonly observed: readonly string[];
  readonly turns: readonly (readonly [string, readonly number[]])[];
}

export type HtmlCount = readonly [string, number];

export interface HtmlProblem {
  readonly message: string;
  readonly at: string;
  /** Several lines. */
  readonly frame: string;
  readonly hint: string;
}

export interface HtmlFailure {
  readonly trial: number;
  readonly verdict: 'failed' | 'broken';
  /** '': it did not end. */
  readonly ended: string;
  readonly reason: string;
  readonly findings: readonly HtmlFinding[];
  readonly path: readonly string[];
  /** Steps of the path that are not listed. */
  readonly morePath: number;
  /** Everything that happened, in order; []: it was not run again. */
  readonly steps: readonly HtmlStep[];
  readonly moreSteps: number;
  /** '': it cannot be run again. */
  readonly replay: string;
}

export interface HtmlFinding {
  readonly check: string;
  readonly at: string;
  readonly message: string;
  readonly expected: string;
  readonly got: string;
}
