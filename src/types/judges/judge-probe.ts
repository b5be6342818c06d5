import type { Count } from '../numbers.ts';

/** What a judge may prefer besides quality, or get by chance. */
export const PROBES = ['position', 'length', 'style', 'family', 'noise', 'attacks'] as const;
export type ProbeName = (typeof PROBES)[number];

/** What probes of one kind show of a judge. */
export interface ProbeReport {
  /** The probe. */
  readonly probe: ProbeName;
  /** Rows: pairs of verdicts, repeats of one question, or tasks. */
  readonly items: Count;
  /**
   * `position`: share of decisive verdicts for the first place. `length`: share of verdicts that padding turns round. `style`:
   * share of decisive verdicts for the styled answer. `family`: how much more it gives its own family than another judge
   * does. `noise`: share of answers that differ from most of their question. `attacks`: share of bad answers that are passed
   * once they talk to the judge. Of a judge that compares, `length` is the share of decisive verdicts for the padded one. Null: there is nothing to measure.
   */
  readonly value: number | null;
  /** 95 %; null like `value`. */
  readonly interval: readonly [number, number] | null;
  /** `open`: rows are too few to tell. */
  readonly verdict: 'reached' | 'missed' | 'open';
  /** What was found and what the bar is, one sentence. */
  readonly message: string;
}
