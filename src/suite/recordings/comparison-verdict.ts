import { signed } from '../../report/signed.ts';
import { percent } from '../../text/percent.ts';
import type { ComparedMean, ComparisonVerdict } from '../../types/reports/comparison.ts';
import type { LossWithin } from './mean-difference.ts';

/** What the verdict of a comparison rests on. */
export interface ComparedFacts {
  readonly passRate: ComparedMean | null;
  readonly margin: number | null;
  readonly alpha: number;
  readonly lossWithin: LossWithin;
}

/** A difference is sure where its test and its interval at the same level both say so: they suppose different things. */
export function comparisonVerdict({ passRate, margin, alpha, lossWithin }: ComparedFacts): ComparisonVerdict {
  if (passRate === null) return 'undecided';
  const confidence = 1 - alpha / 2;
  const change = isBelow(passRate, alpha) ? lossWithin(0, confidence) : null;
  if (change === 'holds') return 'better';
  const loss = margin === null ? null : lossWithin(margin, confidence);
  if (loss === 'holds') return 'no_worse';
  return loss === 'worse' || change === 'worse' ? 'worse' : 'undecided';
}

function isBelow({ p }: ComparedMean, alpha: number): boolean {
  return p !== null && p < alpha;
}

/** Why the verdict is what it is, in a sentence. */
export function comparisonReasons(
  verdict: ComparisonVerdict,
  { passRate, margin, alpha }: ComparedFacts,
): readonly string[] {
  if (passRate === null) return ['The two sets share no task.'];
  const { baseline, candidate, difference, interval, p } = passRate;
  const moved = `The pass rate, mean over tasks, went from ${percent(baseline)} to ${percent(candidate)}`;
  const chance = p === null ? '' : ` (p = ${p.toPrecision(2)})`;
  const range =
    interval === null
      ? ''
      : `: a difference of ${points(difference)}, between ${points(interval[0])} and ${points(interval[1])} at 95 %`;
  switch (verdict) {
    case 'better':
    case 'worse':
      return [`${moved}${range}${chance}.`];
    case 'no_worse':
      return [`${moved}${range}; the loss is surely below the margin ${percent(margin ?? 0)}.`];
    case 'undecided':
      return [
        `${moved}${range}${chance}; ${
          margin === null
            ? whyOpen(passRate, alpha)
            : `these runs do not tell whether the loss is below the margin ${percent(margin)}`
        }.`,
      ];
  }
}

/** Why a difference is neither better nor worse, where no margin is stated. */
function whyOpen(passRate: ComparedMean, alpha: number): string {
  if (passRate.p === null) return 'so few tasks tell nothing of tasks like them';
  if (isBelow(passRate, alpha)) return `p is below the level ${alpha}, but the interval at that level holds 0`;
  return `that is within chance at the level ${alpha}, and without a margin nothing says how small a loss would not matter`;
}

/** In points of a hundred. */
function points(difference: number): string {
  return signed(100 * difference, (size) => size.toFixed(1));
}
