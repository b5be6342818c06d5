import { type ScenarioRate, stratifiedRateInterval } from '../../stats/stratified-rate-interval.ts';
import {
  isSampled,
  ratedTrials,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { HtmlCurve, HtmlCurvePoint } from './html-model.ts';

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

export interface MeanCurve {
  readonly points: readonly HtmlCurvePoint[];
  /** Scenarios that it is the mean of, and the trials that each of them has at least. */
  readonly of: readonly [number, number];
}

/**
 * The mean over scenarios, with its 95 % interval for more trials of these. Every point is about the same scenarios, or
 * the line would jump where one of them ends: those with enough trials. "Enough" is the number of trials for which
 * scenarios times doublings of k are the most. Where scenarios stop early there is no band.
 */
export function meanCurve(scenarios: readonly ScenarioReport[]): MeanCurve {
  const ran = scenarios.filter(isSampled);
  const most = enoughTrials(ran.map(({ passHatK }) => passHatK.at(-1)?.k ?? 0));
  const curves = ran.filter(({ passHatK }) => (passHatK.at(-1)?.k ?? 0) >= most);
  const isStopped = curves.some(({ stopEarly }) => stopEarly !== undefined);
  const rates = new Map<number, ScenarioRate[]>();
  for (const scenario of curves) {
    const { passHatK } = scenario;
    const last = passHatK.at(-1)?.k ?? 0;
    // Those of all tasks of a recording, of which each has `last` or more.
    const trials = scenario.recording === undefined ? last : ratedTrials(scenario).ran;
    for (const { k, value } of passHatK) {
      if (!(isShown(k) || k === last) || k > most) continue;
      const listed = rates.get(k);
      const rate = { value, groups: Math.floor(trials / k) };
      if (listed === undefined) rates.set(k, [rate]);
      else listed.push(rate);
    }
  }
  const points = [...rates]
    .filter(([, { length }]) => length === curves.length)
    .sort(([a], [b]) => a - b)
    .map(([k, values]) => {
      const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
      const [low, high] = (isStopped ? null : stratifiedRateInterval(values)) ?? [null, null];
      return [k, round(mean), low === null ? null : round(low), high === null ? null : round(high)] as const;
    });
  return { points, of: [curves.length, most] };
}

function enoughTrials(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => b - a);
  let [best, enough] = [-1, 0];
  for (const [place, count] of sorted.entries()) {
    const worth = (place + 1) * Math.log2(count);
    if (worth >= best) [best, enough] = [worth, count];
  }
  return enough;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
