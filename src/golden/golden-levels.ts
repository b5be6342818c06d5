/**
 * How one chance of a false alarm is shared: tails of α/2 for the share of tasks lost (McNemar, two-sided at α), α/4 for single
 * tasks (two-sided at α/2, corrected), α/8 for the mean and α/8 for cost. They add up to α (Bonferroni). Where a judge decides,
 * too, it has α/8 (two-sided at α/4), and mean and cost have α/16 each.
 */
export function goldenLevels(alpha: number, isJudged = false) {
  const share = isJudged ? 2 : 1;
  return {
    tasks: alpha / 2,
    meanAlpha: alpha / 8 / share,
    costAlpha: alpha / 4 / share,
    preferenceAlpha: alpha / 4,
  };
}
