import path from 'node:path';
import { formatRate } from '../text/format-rate.ts';
import {
  askPreference,
  preferenceJudge,
  type PreferenceJudge,
  type TrialPair,
} from '../suite/judges/ask-preference.ts';
import type { GoldenLimits } from '../types/golden/golden-report.ts';
import type { GoldenRun } from '../types/golden/golden-set.ts';
import type { PreferenceReport } from '../types/judges/preference-report.ts';
import { goldenLevels } from './golden-levels.ts';
import type { RunGoldenOptions } from './golden-options.ts';
import { firstRecord, taskPairs } from './golden-tasks.ts';

/** The judge of a golden run, before anything runs; null: none is named. Throws `USAGE` and `INPUT`. */
export function goldenJudge(name: string | undefined, options: JudgeOptions): PreferenceJudge | null {
  return name === undefined ? null : preferenceJudge(name, options);
}

type JudgeOptions = Omit<RunGoldenOptions, 'set' | 'paths' | 'runs' | 'limits' | 'issueSink' | 'judge'>;

/** What a judge prefers, task by task: the first trial of the baseline, or that of the candidate. */
export async function goldenPreference(
  judge: PreferenceJudge,
  { runs, candidate }: { readonly runs: readonly GoldenRun[]; readonly candidate: GoldenRun },
  { judges, models, permissions, maxCost, maxTokens, record, replay, signal, cwd }: JudgeOptions,
): Promise<PreferenceReport> {
  const pairs = taskPairs(runs, candidate).paired.flatMap(({ name, before, after }): readonly TrialPair[] => {
    const [was, is] = [firstRecord(before), firstRecord(after)];
    return was === null || is === null ? [] : [{ task: name, before: was, after: is }];
  });
  return askPreference(judge, pairs, {
    ...(judges !== undefined && { judges }),
    ...(models !== undefined && { models }),
    ...(permissions !== undefined && { permissions }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(record !== undefined && { record: judgeCassette(record) }),
    ...(replay !== undefined && { replay: judgeCassette(replay) }),
    ...(signal !== undefined && { signal }),
    ...(cwd !== undefined && { cwd }),
  });
}

/** Beside the cassette of the run: what the judge said, for it is asked when the run is over. */
function judgeCassette(cassette: string): string {
  const { dir, name, ext } = path.parse(cassette);
  return path.join(dir, `${name}.judge${ext}`);
}

/**
 * What a preference says of the candidate; nothing, where the judge may not decide. The candidate fails where people would
 * find more worse than better by more than the limit, and that is no chance. Pairs without a verdict may hide as much.
 * Where both are alike, a judge that is asked in both orders prefers either equally often, whatever it gets wrong: the
 * sign test holds its level.
 */
export function preferenceReasons(
  preference: PreferenceReport | undefined,
  { alpha, maxPreferenceLoss }: GoldenLimits,
): { readonly fails: readonly string[]; readonly open: readonly string[] } {
  if (preference?.judge.verdict !== 'calibrated') return { fails: [], open: [] };
  const { judge, pairs, better, worse, unread, p, corrected } = preference;
  const loss = corrected === null ? 0 : -corrected.difference;
  const fails =
    worse > better && p < goldenLevels(alpha).preferenceAlpha && loss > maxPreferenceLoss
      ? [
          `The judge ${judge.judge} finds ${worse} answers worse and ${better} better (p = ${p.toPrecision(2)}): people would find ${formatRate(loss)} more worse than better, above ${formatRate(maxPreferenceLoss)}.`,
        ]
      : [];
  const open =
    corrected === null || unread / pairs > maxPreferenceLoss
      ? [`The judge ${judge.judge} has no verdict on ${unread} of ${pairs} pairs.`]
      : [];
  return { fails, open };
}
