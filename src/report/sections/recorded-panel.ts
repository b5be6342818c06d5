import type { NeededRuns, RecordingReport, TaskPassHatK } from '../../types/recording.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { formatCount, formatMean, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { formatCost } from '../words/live-texts.ts';
import { plainText } from '../plain-text.ts';
import { scenarioMark } from '../words/scenario-mark.ts';
import type { ListingRow, Panel } from './panel.ts';

/** Most k that are all listed. Of more, the powers of two and the last are. */
const MOST_K = 8;

type Recorded = SampledScenario & { readonly recording: RecordingReport };

/** The recordings of a report. */
export function recordedScenarios(scenarios: readonly ScenarioReport[]): readonly Recorded[] {
  return scenarios.filter((one): one is Recorded => isSampled(one) && one.recording !== undefined);
}

/** Recorded runs as attempts at tasks. There must be at least one recording. */
export function recordedPanel(scenarios: readonly Recorded[]): Panel {
  const sum = (of: (one: Recorded) => number): number => scenarios.reduce((total, one) => total + of(one), 0);
  const runs = sum(({ trials }) => trials.passed + trials.failed + trials.broken);
  const formats = [...new Set(scenarios.map(({ recording }) => recording.format))];
  return {
    title: 'Recorded runs',
    isTitled: true,
    mark: null,
    headline: [
      `${plural(runs, 'run')} of ${plural(
        sum(({ recording }) => recording.tasks),
        'task',
      )}`,
      formats.join(', '),
    ],
    isTelling: true,
    isTrouble: false,
    blocks: [
      {
        type: 'listing',
        corner: 'recording',
        headers: ['', 'runs'],
        groups: [scenarios.map(recordedRow)],
      },
    ],
  };
}

function recordedRow(scenario: Recorded): ListingRow {
  const { name, recording, trials } = scenario;
  const { tasks, trialsPerTask: each } = recording;
  const many = each.least === each.most ? `${each.least}` : `${each.least} to ${each.most}`;
  return {
    mark: scenarioMark(scenario),
    name,
    parts: [`${formatCount(trials.passed)} of ${plural(trials.passed + trials.failed + trials.broken, 'run')} passed`],
    lines: [
      `${plural(tasks, 'task')}, ${many} ${many === '1' ? 'run' : 'runs'} each: ${outcomesOf(recording)}`,
      rateLine(recording),
      ...(each.most > 1 ? [passHatLine(recording), passAtLine(recording)] : []),
      ...luckLines(recording),
      ...recording.needs.map(needLine),
      ...errorLines(recording),
      ...goldLines(scenario),
      costLine(recording),
    ],
  };
}

/** Of the runs that count: those that are left out make no task one that is sometimes, or never, solved. */
function outcomesOf({ histogram, errors: { policy } }: RecordingReport): string {
  const sum = (isOne: (passed: number, trials: number) => boolean): number =>
    histogram.reduce((total, { passed, trials, errors, tasks }) => {
      const counted = policy === 'exclude' ? trials - errors : trials;
      return isOne(passed, counted) ? total + tasks : total;
    }, 0);
  const untried = sum((_, trials) => trials === 0);
  const parts = [
    `${formatCount(sum((passed, trials) => trials > 0 && passed === trials))} always solved`,
    `${formatCount(sum((passed, trials) => passed > 0 && passed < trials))} sometimes`,
    `${formatCount(sum((passed, trials) => trials > 0 && passed === 0))} never`,
    ...(untried === 0 ? [] : [`${formatCount(untried)} without a run that counts`]),
  ];
  return parts.join(', ');
}

function rateLine({ passRate, tasks, crossed }: RecordingReport): string {
  const { rate, interval, error, naiveError, designEffect } = passRate;
  if (interval === null)
    return `pass rate ${formatRate(rate)}; ${plural(tasks, 'task tells', 'tasks tell')} no interval`;
  const by =
    crossed === null
      ? 'task'
      : `the ${plural(crossed.rows, 'row')} and ${plural(crossed.columns, 'column')} that tasks are crossed of`;
  const errors =
    error === null || naiveError === null || designEffect === null
      ? ''
      : `; standard error ${error.toFixed(3)} by ${by}, ${naiveError.toFixed(3)} if runs were independent (design effect ${designEffect.toFixed(2)})`;
  return `pass rate ${formatRate(rate)} ${formatInterval(interval)} for tasks like these${errors}`;
}

function passHatLine({ passHatK }: RecordingReport): string {
  const shown = listed(passHatK);
  const parts = shown.map(({ k, value, interval }) => {
    return `pass^${k} ${formatRate(value)}${interval === null ? '' : ` ${formatInterval(interval)}`}`;
  });
  const dropped = passHatK.find((one) => one.dropped > 0);
  if (dropped === undefined) return parts.join(' · ');
  return `${parts.join(' · ')}; from pass^${dropped.k} on, tasks with fewer runs are left out (${dropped.dropped} of ${dropped.dropped + dropped.tasks})`;
}

function passAtLine({ passAtK }: RecordingReport): string {
  return listed(passAtK)
    .map(({ k, value }) => `pass@${k} ${formatRate(value)}`)
    .join(' · ');
}

function luckLines({ variance }: RecordingReport): readonly string[] {
  if (variance?.luckShare == null) return [];
  return [`luck explains ${Math.round(100 * variance.luckShare)} % of how tasks differ`];
}

const WHY_NOT: Readonly<Record<'tasks_differ' | 'few_tasks', string>> = {
  tasks_differ: 'these differ too much',
  few_tasks: 'so few leave too much unseen',
};

/** How many runs or tasks would settle an open question. Texts of gates are the user's own. */
function needLine({ k, bar, halfWidth, wanted, tasks, trialsPerTask, why }: NeededRuns): string {
  const ways = [
    ...(trialsPerTask === null ? [] : [`${plural(trialsPerTask, 'run')} of each of these tasks`]),
    ...(tasks === null ? [] : [`${plural(tasks, 'task')} like these`]),
  ].join(', or ');
  const spread =
    why === null || why === 'not_known' ? '' : `; more runs of the same tasks alone would not, since ${WHY_NOT[why]}`;
  const aim = `± ${formatRate(wanted)}`;
  // With very few tasks the interval is as wide as the range of a rate.
  const precision = halfWidth >= 0.5 ? 'hardly known' : `known to ± ${formatRate(halfWidth)}`;
  if (bar === null) {
    const open = `pass^1 is ${precision}`;
    return ways === '' ? `${open}${spread}` : `${open}; ${ways} would make it ${aim}${spread}`;
  }
  const open = `${plainText(bar, 200)} is within chance (pass^${k} is ${precision})`;
  return ways === '' ? `${open}${spread}` : `${open}; ${ways} would settle it with a chance of 80 %${spread}`;
}

function listed<One extends Pick<TaskPassHatK, 'k'>>(all: readonly One[]): readonly One[] {
  if (all.length <= MOST_K) return all;
  return all.filter(({ k }, at) => (k & (k - 1)) === 0 || at === all.length - 1);
}

const COUNTED = {
  fail: ['counts as a failure', 'count as failures'],
  exclude: ['is left out', 'are left out'],
  block: ['keeps gates undecided', 'keep gates undecided'],
} as const;

function errorLines({ errors, tasks }: RecordingReport): readonly string[] {
  const { count, rate, policy, otherwise } = errors;
  if (count === 0) return [];
  const countText = COUNTED[policy][count === 1 ? 0 : 1];
  const other = { fail: 'As failures', exclude: 'Left out' };
  const last = otherwise?.passHatK.at(-1);
  // A task with errors has too few other runs for the greatest k.
  const ofTasks = last === undefined || last.tasks >= tasks ? '' : ` of ${last.tasks} of ${plural(tasks, 'task')}`;
  const passHat = last === undefined || last.k === 1 ? '' : `, pass^${last.k} ${formatRate(last.value)}${ofTasks}`;
  const otherwiseLine =
    otherwise === null || otherwise.passRate === null
      ? ''
      : ` ${other[otherwise.policy]}: pass rate ${formatRate(otherwise.passRate)}${passHat}.`;
  return [`${plural(count, 'run')} ended by an error (${formatRate(rate)}) and ${countText}.${otherwiseLine}`];
}

/** How many runs differ from their gold calls, where these are compared. */
function goldLines({ rulings = [], checks }: Recorded): readonly string[] {
  const gold = rulings.find(({ check }) => check === 'gold');
  if (gold === undefined) return [];
  const { judged, undecided, advised } = gold;
  const differing = advised + (checks.find(({ check }) => check === 'gold')?.failed ?? 0);
  const open = undecided === 0 ? '' : `; ${plural(undecided, 'run')} without gold calls`;
  return [`gold calls: ${formatCount(differing)} of ${plural(judged, 'run')} differ${open}`];
}

function costLine({ cost }: RecordingReport): string {
  const { nanoUsd, nanoUsdPerSuccess, nanoUsdPerSuccessInterval: interval, unpriced, tokens, tokensPerSuccess } = cost;
  const tokensText =
    tokens === null
      ? ''
      : `; ${plural(tokens, 'token')}${tokensPerSuccess === null ? '' : `, ${formatMean(tokensPerSuccess)} for each success`}`;
  if (nanoUsd === null) return plainText(`cost: ${plural(unpriced, 'run')} without a price${tokensText}`, 200);
  const all = `cost ${formatCost(nanoUsd / 1e9)}`;
  if (nanoUsdPerSuccess === null) return `${all}, no success to price${tokensText}`;
  const upper = interval?.[1] ?? null;
  const range =
    interval === null || interval === undefined
      ? ''
      : ` [${formatCost(interval[0] / 1e9)}, ${upper === null ? 'no limit' : formatCost(upper / 1e9)}]`;
  return `${all}, ${formatCost(nanoUsdPerSuccess / 1e9)} for each success${range}${tokensText}`;
}
