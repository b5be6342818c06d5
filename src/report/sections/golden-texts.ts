import type { GoldenReport } from '../../types/golden/golden-report.ts';
import type { PreferenceReport } from '../../types/judges/preference-report.ts';
import { plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { chanceText, rangeText } from '../mean-text.ts';
import { plainText } from '../plain-text.ts';
import { signed } from '../signed.ts';

/** Tasks lost and gained. */
export function lossText({ lost, gained, difference, interval, exact }: NonNullable<GoldenReport['tasks']>): string {
  return `${lost} lost, ${gained} gained, ${signed(difference)}${rangeText(interval)}, ${chanceText(exact)}`;
}

/** That a candidate which passed may be worse than the margin allows all the same: its tasks are too few to say. */
export function unshownText({ verdict, passHatK, limits, noise, paired }: GoldenReport): string | null {
  const last = passHatK.at(-1);
  const least = last?.interval?.[0] ?? 0;
  const margin = Math.max(limits.margin, noise?.passHatK ?? 0);
  if (verdict !== 'pass' || last === undefined || -least <= margin) return null;
  return `${plural(paired, 'task')} may hide a loss of pass^${last.k} of ${formatRate(-least)}, above the margin ${formatRate(margin)}`;
}

/** How many trials make other calls. */
export function trajectoryText({ diverged, interval, floor }: NonNullable<GoldenReport['trajectory']>): string {
  const range = interval === null ? '' : ` ${formatInterval([Math.max(0, interval[0]), Math.min(1, interval[1])])}`;
  const own = floor === null ? '' : `; of the baseline against itself ${formatRate(floor)}`;
  return `${formatRate(diverged)}${range} of trials call something else than before${own}`;
}

/** What the baseline does against itself. */
export function noiseText(noise: GoldenReport['noise']): string {
  if (noise === null) return 'not known: the baseline ran once (passk golden pin --runs 2)';
  const cost = noise.cost === null ? '' : `, cost ${formatRate(noise.cost)}`;
  const { runs, regressionRate, passHatK } = noise;
  return `tasks lost ${formatRate(regressionRate)}, pass^k ${formatRate(passHatK)}${cost}, in ${runs} runs of the baseline`;
}

/** What a judge prefers, and whether it may decide. */
export function preferenceTexts(preference: PreferenceReport): readonly string[] {
  const { judge, pairs, same, better, worse, tied, unread, difference, interval, corrected, p } = preference;
  const counts = [
    `${better} better`,
    `${worse} worse`,
    `${tied} as good`,
    `${same} the same`,
    ...(unread === 0 ? [] : [`${unread} without a verdict`]),
  ];
  const own = difference === null ? '' : `; ${signed(difference)}${rangeText(interval)}, ${chanceText(p)}`;
  return [
    `${plainText(judge.judge)}: ${counts.join(', ')}, of ${plural(pairs, 'pair')}${own}`,
    corrected === null
      ? `advisory, ${judge.verdict}: ${judge.why.map((sentence) => plainText(sentence, LONGEST_WHY)).join(' ')}`
      : `as people would find it ${signed(corrected.difference)}${rangeText(corrected.interval)}`,
  ];
}

const LONGEST_WHY = 400;
