import { PasskError } from '../../errors.ts';
import { unruled } from '../../judges/rule-answers.ts';
import { correctedPreference } from '../../stats/judged/corrected-preference.ts';
import { type PairOutcome, swappedOutcome } from '../../stats/judged/position-bias.ts';
import { mcNemar } from '../../stats/mcnemar.ts';
import { pairedDifferenceInterval } from '../../stats/paired-difference.ts';
import { JudgeCounts } from '../../trial/tally/judge-counts.ts';
import { resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import type { JudgeRuling, PlannedJudge } from '../../types/judges/judge.ts';
import type { JudgeStanding } from '../../types/judges/judge-report.ts';
import type { PreferenceReport } from '../../types/judges/preference-report.ts';
import type { TrialRecord } from '../../types/record.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import type { Json } from '../../types/json.ts';
import { type AskedItems, askItems } from './ask-items.ts';
import type { AskOptions } from './ask-labels.ts';
import { readCalibration } from './calibrate-judge.ts';
import { foldJudges } from './fold-judges.ts';
import { standingOf } from './standing-of.ts';
import { plannedJudge } from './plan-judges.ts';
import { judgeNamed } from './judge-named.ts';

/** A judge that compares, ready to be asked. */
export interface PreferenceJudge {
  readonly planned: PlannedJudge;
  /** Null: it has no calibration. */
  readonly standing: JudgeStanding | null;
}

/** Trials of one task: of the baseline, and of the candidate. */
export interface TrialPair {
  readonly task: string;
  readonly before: TrialRecord;
  readonly after: TrialRecord;
}

/** Names of tasks that are listed. */
const MOST_NAMED = 20;

/**
 * The judge of the options that has this name, with what its calibration says. Throws `USAGE` where there is none, or it
 * compares nothing, and `INPUT` where its calibration cannot be read: before anything runs.
 */
export function preferenceJudge(name: string, settings: RunSuiteOptions): PreferenceJudge {
  const options = resolveRunOptions(settings);
  const setting = judgeNamed(name, options.judges);
  if (setting.compares !== true) {
    throw new PasskError('USAGE', `The judge "${name}" compares nothing, so that it has no preference.`, {
      hint: 'Set compares = true in its [[judges]].',
    });
  }
  const planned = plannedJudge(setting, options);
  const { calibration } = setting;
  const standing = calibration === undefined ? null : standingOf(planned, readCalibration(calibration, options));
  return { planned, standing };
}

/**
 * Which of two trials a judge prefers, task by task, in both orders and as often as it repeats, through the queue, the limits
 * and the budget of live models. Pairs that say and do the same are not asked about.
 */
export async function askPreference(
  { planned, standing }: PreferenceJudge,
  pairs: readonly TrialPair[],
  options: AskOptions & Pick<RunSuiteOptions, 'judges'>,
): Promise<PreferenceReport> {
  const different = pairs.filter(({ before, after }) => doneOf(before) !== doneOf(after));
  const same = pairs.length - different.length;
  const items = different.map(({ before, after }) => ({ record: after, over: before }));
  const { rulings, asked } = items.length === 0 ? NOBODY_ASKED : await askItems(planned.name, items, options);
  const outcomes = rulings.map((ruling) => (ruling === null ? null : outcomeOf(ruling)));
  const count = (outcome: PairOutcome | null): number => outcomes.filter((one) => one === outcome).length;
  const [better, worse, tied, unread] = [count('win'), count('loss'), count('tie'), count(null)];
  const verdicts = pairs.length - unread;
  const judge = reportOf({ planned, standing }, rulings);
  return {
    judge,
    pairs: pairs.length,
    same,
    better,
    worse,
    tied,
    unread,
    difference: verdicts === 0 ? null : (better - worse) / verdicts,
    interval: pairedDifferenceInterval(worse, better, verdicts),
    corrected: correctedOf(judge, { better, worse, pairs: better + worse + tied, same, unread }),
    p: mcNemar(worse, better, verdicts)?.exact ?? 1,
    worseTasks: different.flatMap(({ task }, at) => (outcomes[at] === 'loss' ? [task] : [])).slice(0, MOST_NAMED),
    asked,
  };
}

const NOBODY_ASKED: AskedItems = {
  rulings: [],
  asked: { items: 0, unread: 0, promptTokens: 0, completionTokens: 0, nanoUsd: 0 },
};

/** What a trial said and did, as text: nothing of clocks, costs or thoughts. */
function doneOf({ turns, calls, world, ending }: TrialRecord): string {
  const said = turns.map(({ role, parts }) => [role, parts.filter(({ kind }) => kind !== 'reasoning')]);
  const done = calls?.map(({ names, by, turn, args, result, problem }) => [names, by, turn, args, result, problem]);
  return canonicalJson([said, done ?? null, world?.state?.after ?? null, ending.status] as unknown as Json);
}

/** What all answers that could be read say together, each in both orders. */
function outcomeOf({ answers }: JudgeRuling): PairOutcome {
  const scores = answers.flatMap(({ orders }) => (orders === undefined ? [] : [SCORES[swappedOutcome(orders)]]));
  const score = scores.reduce<number>((sum, one) => sum + one, 0);
  return score === 0 ? 'tie' : score > 0 ? 'win' : 'loss';
}

const SCORES = { win: 1, tie: 0, loss: -1 } as const;

function reportOf(
  { planned, standing }: PreferenceJudge,
  rulings: readonly (JudgeRuling | null)[],
): PreferenceReport['judge'] {
  const counts = new JudgeCounts([planned.models.length]);
  for (const ruling of rulings) {
    const whole = ruling ?? unruled(planned, 'There is no verdict.');
    counts.add([whole], whole.met === null ? null : whole.met ? 0 : 1);
  }
  const met = counts.of(0, 'met');
  const tally = { scenario: '', ran: met + counts.of(0, 'unmet'), passed: met, counts };
  const standings = new Map(standing === null ? [] : [[planned.name, standing]]);
  const [report] = foldJudges([planned], tally, standings);
  if (report === undefined) throw new TypeError('one judge has one report');
  return report;
}

function correctedOf(
  { verdict, accuracy }: PreferenceReport['judge'],
  { better, worse, pairs, same, unread }: { readonly [of in 'better' | 'worse' | 'pairs' | 'same' | 'unread']: number },
): PreferenceReport['corrected'] {
  if (verdict !== 'calibrated' || accuracy === null) return null;
  const { sensitivity: onBetter, specificity: onOthers } = accuracy;
  // Where nothing was asked, everything was the same.
  if (pairs === 0) return same === 0 || unread > 0 ? null : { difference: 0, interval: [0, 0] };
  const found = correctedPreference({ pairs, better, worse, onBetter, onOthers });
  if (found === null) return null;
  const share = pairs / (pairs + same);
  return { difference: share * found.difference, interval: [share * found.interval[0], share * found.interval[1]] };
}
