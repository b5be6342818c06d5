import type { Issue, Location } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';

/**
 * One test as CI servers list it. All texts are harmless, and in one line unless said otherwise; `place` and `problems`
 * are not escaped.
 */
export interface ReportedCase {
  /** Within its suite. */
  readonly name: string;
  /** In a list of all suites. */
  readonly fullName: string;
  /** Where it stands alone: its name, and the cause where there is room. */
  readonly title: string;
  /**
   * `error` and `undecided` say nothing about the subject: something broke, or there is not enough evidence. `skipped`:
   * it was not run.
   */
  readonly outcome: 'passed' | 'failed' | 'error' | 'undecided' | 'skipped';
  /** False: the gate passes whatever its outcome is. */
  readonly counts: boolean;
  /** Failures of a suite with the highest weight are shown first. */
  readonly weight: number;
  /** What lists of failures are grouped by. */
  readonly group: string;
  /** The first line of a longer text: `details` follow it. */
  readonly summary: string;
  /** Outcome and cause; '' where the outcome says all. */
  readonly message: string;
  /** What explains the outcome, line by line. */
  readonly details: readonly string[];
  /** What a reader should know although the outcome does not say it, line by line. */
  readonly remarks: readonly string[];
  /** Null: it is about the run as a whole. */
  readonly place: Location | null;
  /** What kept it from running, each with a place of its own. */
  readonly problems: readonly Issue[];
  /** Virtual time of all its trials; null: not measured. */
  readonly seconds: number | null;
  /** Its numbers, for people who compare runs. */
  readonly properties: readonly Property[];
  /** Its numbers and what explains the outcome, for programs; {}: nothing beyond the message. */
  readonly diagnostics: Readonly<Record<string, Json>>;
}

/** Null: left out. */
export type Property = readonly [name: string, value: string | number | boolean | null];

/** Cases that belong together. Suites of a kind with the same name are one. */
export interface ReportedSuite {
  readonly kind: string;
  readonly name: string;
  /** What its cases are about besides their file; '': nothing. */
  readonly subject: string;
  /** Its verdict and numbers as a whole, in one line; '': it has none. */
  readonly headline: string;
  /** What a reader must know of it, in sentences. */
  readonly notes: readonly string[];
  /** Null: those of the whole run. */
  readonly properties: readonly Property[] | null;
  readonly cases: readonly ReportedCase[];
}

/** What cases may depend on besides their result. */
export interface CaseContext {
  readonly report: SuiteReport;
  readonly options: RenderOptions;
}

/** Whether a case keeps the gate from passing. */
export function failsGate({ outcome, counts }: Pick<ReportedCase, 'outcome' | 'counts'>): boolean {
  return counts && outcome !== 'passed' && outcome !== 'skipped';
}
