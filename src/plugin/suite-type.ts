import type { FailureReport } from '../types/scenarios/failure-report.ts';
import type { Invariant, InvariantRule } from '../types/invariant.ts';
import type { JsonObject } from '../types/json.ts';
import type { TrialCounts } from '../types/reports/suite-summary.ts';
import type { ResultBase } from '../types/suite-base.ts';

/**
 * A kind of suite file that a plug-in brings: files with one of its keys at their root are planned as cases, each with a
 * subject, and what these gave is folded into one result for each file.
 */
export interface SuiteType {
  readonly kind: 'suite';
  /** The word that results and reports call it by. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Keys at the root of a TOML file that make it one of these. */
  readonly rootKeys: readonly string[];
  /** The cases of a file, or what is wrong with it. Pure. */
  load(file: SuiteFile): SuitePlan | readonly SuiteProblem[];
  /** What the cases gave together. Pure, and the same for any order of cases. */
  fold(plan: Pick<SuitePlan, 'name' | 'data'>, cases: readonly CaseResult[]): SuiteOutcome;
}

/** A file, as a suite plug-in gets it. */
export interface SuiteFile {
  /** As shown to users. */
  readonly name: string;
  /** The file as plain data. */
  readonly data: JsonObject;
}

/** What a file holds. */
export interface SuitePlan {
  /** The name of the result. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string;
  /** Carried to `fold`, through shards too. */
  readonly data?: JsonObject;
  /** What is to be tried. */
  readonly cases: readonly SuiteCase[];
}

/** One thing that a file asks to be tried. */
export interface SuiteCase {
  /** Unique in its file. */
  readonly name: string;
  /** `type`: that of a subject plug-in; `data`: what it is opened with. */
  readonly subject: {
    /** The subject's word. */
    readonly type: string;
    /** What it is opened with. */
    readonly data: JsonObject;
  };
  /** Absent: 1. */
  readonly trials?: number;
  /** What the answers must obey. */
  readonly invariants: readonly (Pick<Invariant, 'id'> & {
    /** What must hold of the answers. */
    readonly rule: InvariantRule;
  })[];
}

/** Something wrong with a file. */
export interface SuiteProblem {
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** Keys and positions that lead to it from the root; []: the file as a whole. */
  readonly at: readonly (string | number)[];
  /** What to do about it. */
  readonly hint?: string;
}

/** What one case gave. */
export interface CaseResult {
  /** The case's name. */
  readonly name: string;
  /** Trials of the case. */
  readonly trials: TrialCounts;
  /** Trials that failed each invariant, most frequent first. */
  readonly checks: readonly {
    /** The check's name. */
    readonly check: string;
    /** Trials that it failed in. */
    readonly failed: number;
  }[];
  /** The lowest failing and broken trials, with their records. */
  readonly failures: readonly FailureReport[];
}

/** What all cases of a file come to. */
export interface SuiteOutcome extends Pick<ResultBase, 'verdict' | 'reasons'> {
  /** Anything that is to stand in the report. */
  readonly data?: JsonObject;
}
