import { wilsonInterval } from '../stats/wilson.ts';
import type { JudgeRuling } from '../types/judges/judge.ts';
import type { ReliabilityBin } from '../types/judges/judge-calibration.ts';
import type { LabelRow } from './read-labels.ts';

const BINS = 10;

/**
 * How far a judge that says how sure it is can be believed: labelled rows in ten bins of equal width, and of each the share
 * that people passed, with its interval (Wilson, 95 %). Bins without a row are left out; []: no row says how sure the judge
 * is. Source: DeGroot and Fienberg 1983.
 */
export function reliabilityBins(rows: readonly LabelRow[]): readonly ReliabilityBin[] {
  const sure = rows.flatMap(({ human, confidence }) =>
    human === null || confidence === undefined ? [] : [{ human, confidence }],
  );
  return Array.from({ length: BINS }, (_, at) => at).flatMap((at): readonly ReliabilityBin[] => {
    const own = sure.filter(({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === at);
    const passed = own.filter(({ human }) => human).length;
    const interval = wilsonInterval(own.length, passed);
    if (interval === null) return [];
    // In the order of size, so that the sum does not depend on that of rows.
    const sum = own
      .map(({ confidence }) => confidence)
      .toSorted((a, b) => a - b)
      .reduce((all, one) => all + one, 0);
    return [
      {
        from: at / BINS,
        to: (at + 1) / BINS,
        items: own.length,
        confidence: Math.min(1, sum / own.length),
        passed,
        share: passed / own.length,
        interval,
      },
    ];
  });
}

/**
 * How sure a judge is that a trial passes: the mean score of its claims, where models score them; else the share of answers
 * by which the criterion in most doubt is met, of two answers or more. Undefined: it says yes or no.
 */
export function confidenceOf({ answers, criteria, claims }: JudgeRuling): number | undefined {
  if (claims?.pairScore != null) return claims.pairScore;
  if (answers.length < 2 || criteria.length === 0) return undefined;
  return Math.min(...criteria.map(({ votes: [met, unmet] }) => met / Math.max(1, met + unmet)));
}
