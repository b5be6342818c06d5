import type { Count, Proportion } from '../numbers.ts';
import type { JudgeAsking } from './judge-calibration.ts';
import type { JudgeReport } from './judge-report.ts';

/** What a judge that compares prefers: the trials of a candidate, or those of a baseline at the same tasks. */
export interface PreferenceReport {
  /** Whether it may decide, and what was seen of it in these comparisons. */
  readonly judge: JudgeReport;
  /** Tasks of which both have a trial that can be shown. */
  readonly pairs: Count;
  /** Of these, those in which both say and do the same: nobody is asked, and neither is better. */
  readonly same: Count;
  /** Of the others, by both orders together: the candidate is better, is worse, is as good. */
  readonly better: Count;
  /** Pairs in which the candidate's answer is worse. */
  readonly worse: Count;
  /** Pairs in which neither is better. */
  readonly tied: Count;
  /** Pairs without a verdict. */
  readonly unread: Count;
  /** (better − worse) / pairs with a verdict, by the judge itself; null: there is none. */
  readonly difference: number | null;
  /** 95 %; null like `difference`. */
  readonly interval: readonly [number, number] | null;
  /** The same as people would find it; null: the judge may not decide, or tells nothing. */
  readonly corrected: {
    /** The share of better answers minus that of worse ones, corrected for the errors of the judge. */
    readonly difference: number;
    /** Its confidence interval. */
    readonly interval: readonly [number, number];
  } | null;
  /** Chance of a split between better and worse at least as uneven of equal candidates, exact and two-sided. */
  readonly p: Proportion;
  /** Names of tasks in which the candidate is worse, the first 20. */
  readonly worseTasks: readonly string[];
  /** What asking took. */
  readonly asked: JudgeAsking;
}
