import { pairScenarios } from '../baseline/pair-scenarios.ts';
import { trailDivergence } from '../baseline/trail-divergence.ts';
import { boundedMeanInterval } from '../stats/bounded-mean-interval.ts';
import { meanOf } from '../stats/mean.ts';
import { rateChange } from '../stats/paired-difference.ts';
import type { GoldenTrajectory } from '../types/golden/golden-report.ts';
import type { GoldenRun } from '../types/golden/golden-set.ts';
import { divergedShare, type TaskPair } from './golden-tasks.ts';

/** Tasks of which is said where their calls part. */
const MOST_PARTED = 20;

/** Whether sessions make other calls than before, beyond what the baseline does against itself. */
export function trajectoryOf(
  paired: readonly TaskPair[],
  runs: readonly GoldenRun[],
  candidate: GoldenRun,
): GoldenTrajectory | null {
  const shares = paired.flatMap(({ before, after, runs: own }) => {
    const diverged = divergedShare(before, after);
    if (diverged === null) return [];
    const again = own.slice(1).map((one) => divergedShare(before, one) ?? 0);
    return [{ diverged, floor: again.length === 0 ? null : again.reduce((sum, one) => sum + one, 0) / again.length }];
  });
  const diverged = shares.map((one) => one.diverged);
  const mean = meanOf(diverged);
  if (mean === null) return null;
  const floors = shares.flatMap(({ floor }) => (floor === null ? [] : [floor]));
  const beyond =
    floors.length < shares.length ? null : rateChange(shares.map((one) => one.diverged - (one.floor ?? 0)));
  return {
    diverged: mean,
    interval: boundedMeanInterval(diverged),
    floor: floors.length < shares.length ? null : meanOf(floors),
    beyondFloor: beyond?.interval ?? null,
    first: firstParted(runs, candidate),
  };
}

function firstParted(runs: readonly GoldenRun[], candidate: GoldenRun): GoldenTrajectory['first'] {
  const { both } = pairScenarios(runs[0]?.baseline ?? { scenarios: [] }, candidate.baseline);
  return both
    .flatMap(({ before: { calls: was }, after: { name, calls: is } }) => {
      if (was === undefined || is === undefined || was.digest === is.digest) return [];
      return [{ task: name, text: trailDivergence(was, is).text }];
    })
    .slice(0, MOST_PARTED);
}
