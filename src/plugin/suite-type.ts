import type { FailureReport } from '../types/scenario-report.ts';
import type { Invariant, InvariantRule } from '../types/invariant.ts';
import type { JsonObject } from '../types/json.ts';
import type { TrialCounts } from '../types/suite-summary.ts';
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

export interface SuiteFile {
  /** As shown to users. */
  readonly name: string;
  readonly data: JsonObject;
}

/** What a file holds. */
export interface SuitePlan {
  readonly name: string;
  readonly description?: string;
  /** Carried to `fold`, through shards too. */
  readonly data?: JsonObject;
  readonly cases: readonly SuiteCase[];
}

export interface SuiteCase {
  /** Unique in its file. */
  readonly name: string;
  /** `type`: that of a subject plug-in; `data`: what it is opened with. */
  readonly subject: { readonly type: string; readonly data: JsonObject };
  /** Absent: 1. */
  readonly trials?: number;
  /** What the answers must obey. */
  readonly invariants: readonly (Pick<Invariant, 'id'> & { readonly rule: InvariantRule })[];
}

/** Something wrong with a file. */
export interface SuiteProblem {
  readonly message: string;
  /** Keys and positions that lead to it from the root; []: the file as a whole. */
  readonly at: readonly (string | number)[];
  /** What to do about it. */
  readonly hint?: string;
}

/** What one case gave. */
export interface CaseResult {
  readonly name: string;
  readonly trials: TrialCounts;
  /** Trials that failed each invariant, most frequent first. */
  readonly checks: readonly { readonly check: string; readonly failed: number }[];
  /** The lowest failing and broken trials, with their records. */
  readonly failures: readonly FailureReport[];
}

/** What all cases of a file come to. */
export interface SuiteOutcome extends Pick<ResultBase, 'verdict' | 'reasons'> {
  /** Anything that is to stand in the report. */
  readonly data?: JsonObject;
}
