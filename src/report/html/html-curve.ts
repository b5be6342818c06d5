import { formatCount } from '../../text/format-number.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import type { HtmlCurve } from './html-model.ts';

/** Whether a curve has a point at k: up to 16 each, then powers of two, which is enough for a smooth line. */
function isShown(k: number): boolean {
  return k <= 16 || Number.isInteger(Math.log2(k));
}

/**
 * pass^k of one scenario. The ends of the band are those of the pass rate's interval, to the k-th power. Recorded runs are
 * attempts at tasks that differ, of which the k-th power says nothing: their bands are the intervals of the report.
 */
export function passCurve({ passHatK, passRateInterval, recording }: SampledScenario): HtmlCurve {
  const last = passHatK.at(-1)?.k;
  const intervals = recording && new Map(recording.passHatK.map(({ k, interval }) => [k, interval]));
  const points = passHatK
    .filter(({ k }) => isShown(k) || k === last)
    .map(({ k, value }) => {
      if (intervals !== undefined) {
        const [low, high] = intervals.get(k) ?? [null, null];
        return [k, round(value), low === null ? null : round(low), high === null ? null : round(high)] as const;
      }
      const [low, high] = passRateInterval;
      // Without replacement pass^k falls faster than the k-th power: the band never leaves its own line outside.
      return [k, round(value), round(Math.min(value, low ** k)), round(Math.max(value, high ** k))] as const;
    });
  const caption =
    recording === undefined
      ? "Chance that k trials all pass; shaded: what the ends of the pass rate's 95 % interval give."
      : 'Chance that k trials of a task all pass, mean over tasks; shaded: its 95 % interval, for tasks like these.';
  return { points, caption };
}

/**
 * pass^k of the run, as its text report and gates on `suite.pass^k` have it; of an only scenario the curve that its own view
 * has.
 */
export function runCurve({ scenarios, summary: { passHatK, reasons } }: CurvedRun): HtmlCurve {
  const [only] = scenarios.length === 1 ? scenarios.filter(isSampled) : [];
  if (only !== undefined) return passCurve(only);
  const last = passHatK.at(-1)?.k;
  const points = passHatK
    .filter(({ k }) => isShown(k) || k === last)
    .map(({ k, value, interval }) => {
      const [low, high] = interval?.map(round) ?? [null, null];
      return [k, round(value), low ?? null, high ?? null] as const;
    });
  return { points, caption: reasons['passHatK'] === 'mixed_users' ? MIXED_USERS : meanCaption(scenarios, last) };
}

type CurvedRun = Pick<SuiteReport, 'scenarios' | 'summary'>;

const MIXED_USERS = 'There is no pass^k of users that follow scripts and users that a model plays: each has its own.';

function meanCaption(scenarios: readonly ScenarioReport[], last: number | undefined): string {
  if (last === undefined) return 'No trial ran, so there is no curve.';
  const ran = scenarios.filter(isSampled);
  const parts = ran.some(({ recording }) => recording !== undefined) ? 'tasks' : 'scenarios';
  const one = parts === 'tasks' ? 'task' : 'scenario';
  if (last === 1) return `A ${one} has a single trial, so of all ${parts} pass^1 alone is known: the mean pass rate.`;
  const upTo = ran.length === 0 ? '' : `, up to the ${formatCount(last)} trials that each ${one} has at least`;
  const band = passHatBand(ran);
  return `Chance that k trials all pass, mean over all ${parts}${upTo}${band}.`;
}

/** Where scenarios stop early there is no interval. */
function passHatBand(ran: readonly SampledScenario[]): string {
  if (ran.some(({ stopEarly }) => stopEarly !== undefined)) return '';
  return '; shaded: the 95 % interval of the mean, for more trials of these';
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
