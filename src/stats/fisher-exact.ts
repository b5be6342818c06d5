import { assertCounts } from './counts.ts';
import type { Run } from './two-proportions.ts';

/**
 * Fisher's exact two-sided p-value for two independent runs: the chance of all tables with the same sums that are no more
 * likely than this one; null when a run has no trials. Weights relative to the likeliest table, summed outwards from it,
 * so that no factorial is needed; about √trials steps, up to 1e9 trials. Source: Fisher 1934; release-gate F-06.
 */
export function fisherExact(baseline: Run, candidate: Run): number | null {
  for (const { trials, passed } of [baseline, candidate]) assertCounts(trials, passed);
  const n1 = baseline.trials;
  const n2 = candidate.trials;
  if (n1 === 0 || n2 === 0) return null;
  const passed = baseline.passed + candidate.passed;
  const least = Math.max(0, passed - n2);
  const most = Math.min(passed, n1);
  const mode = Math.min(most, Math.max(least, Math.floor(((passed + 1) * (n1 + 1)) / (n1 + n2 + 2))));
  // P(x + 1) / P(x) of x passes in the baseline.
  const ratio = (x: number): number => ((n1 - x) / (x + 1)) * ((passed - x) / (n2 - passed + x + 1));
  const observed = weightOf(baseline.passed, mode, ratio);
  if (observed === 0) return 0;
  // Tables as likely as the observed one but for rounding count as such; as in R.
  const bar = observed * (1 + 1e-7);
  let all = 1;
  let extreme = 1 <= bar ? 1 : 0;
  const walk = (from: number, to: number, factor: (x: number) => number): void => {
    let weight = 1;
    for (let x = from; x !== to; x += Math.sign(to - from)) {
      weight *= factor(x);
      all += weight;
      if (weight <= bar) extreme += weight;
      if (weight < extreme * 1e-18) break;
    }
  };
  walk(mode, most, ratio);
  walk(mode, least, (x) => 1 / ratio(x - 1));
  return Math.min(1, extreme / all);
}

/** Weight of the table with x, the likeliest being 1; 0 when it is too small to tell from 0. */
function weightOf(x: number, mode: number, ratio: (x: number) => number): number {
  let weight = 1;
  if (x >= mode) for (let i = mode; i < x && weight > 0; i++) weight *= ratio(i);
  else for (let i = mode; i > x && weight > 0; i--) weight /= ratio(i - 1);
  return weight;
}
