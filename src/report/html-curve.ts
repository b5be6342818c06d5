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

/** The mean over scenarios, for every k that all of them have. */
export function meanCurve(scenarios: readonly ScenarioReport[]): readonly HtmlCurvePoint[] {
  const curves = scenarios.filter(({ passHatK }) => passHatK.length > 0);
  const most = Math.min(...curves.map(({ passHatK }) => passHatK.at(-1)?.k ?? 0));
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
  return [...sums]
    .filter(([k, { count }]) => k <= most && count === curves.length)
    .sort(([a], [b]) => a - b)
    .map(
      ([k, { count, value, low, high }]) => [k, round(value / count), round(low / count), round(high / count)] as const,
    );
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
