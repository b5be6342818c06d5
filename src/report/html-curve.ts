import type { ScenarioReport } from '../types/report.ts';
import type { HtmlCurvePoint } from './html-model.ts';

/** Every k up to 16 and powers of two after it: enough for a smooth line. */
function isShown(k: number): boolean {
  return k <= 16 || Number.isInteger(Math.log2(k));
}

/** pass^k of one scenario; the band is what the ends of the pass rate's interval would give. */
export function passCurve({ passHatK, passRateInterval }: ScenarioReport): readonly HtmlCurvePoint[] {
  const last = passHatK.at(-1)?.k;
  return passHatK
    .filter(({ k }) => isShown(k) || k === last)
    .map(({ k, value }) => {
      if (passRateInterval === null) return [k, round(value), null, null] as const;
      const [low, high] = passRateInterval;
      // Without replacement pass^k falls faster than the k-th power: the band never leaves its own line outside.
      return [k, round(value), round(Math.min(value, low ** k)), round(Math.max(value, high ** k))] as const;
    });
}

export interface MeanCurve {
  readonly points: readonly HtmlCurvePoint[];
  /** Scenarios that it is the mean of, and the trials that each of them has at least. */
  readonly of: readonly [number, number];
}

/**
 * The mean over scenarios. Every point is about the same scenarios, or the line would jump where one of them ends:
 * those with enough trials, where "enough" makes the most of scenarios times doublings of k.
 */
export function meanCurve(scenarios: readonly ScenarioReport[]): MeanCurve {
  const ran = scenarios.filter(({ passHatK }) => passHatK.length > 0);
  const most = enoughTrials(ran.map(({ passHatK }) => passHatK.at(-1)?.k ?? 0));
  const curves = ran.filter(({ passHatK }) => (passHatK.at(-1)?.k ?? 0) >= most);
  const sums = new Map<number, { count: number; value: number; low: number; high: number }>();
  for (const scenario of curves) {
    for (const [k, value, low, high] of passCurve(scenario)) {
      const sum = sums.get(k) ?? { count: 0, value: 0, low: 0, high: 0 };
      sum.count++;
      sum.value += value;
      sum.low += low ?? value;
      sum.high += high ?? value;
      sums.set(k, sum);
    }
  }
  const points = [...sums]
    .filter(([k, { count }]) => k <= most && count === curves.length)
    .sort(([a], [b]) => a - b)
    .map(
      ([k, { count, value, low, high }]) => [k, round(value / count), round(low / count), round(high / count)] as const,
    );
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
